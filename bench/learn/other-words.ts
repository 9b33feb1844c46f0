/**
 * Descriptions in other words than those of our tables: a learner that shares the tables with the writer of a description
 * must not recognise its own sentences.
 */
import { FIELDS, type Field, INPUTS, type Input } from '../../src/contract/index.ts';
import { isPlainObject } from '../../src/profile/plain-object.ts';

const FIELD_WORDS: Readonly<Record<Field, readonly string[]>> = {
  upc: ['Item UPC', 'Barcode of the item', 'Universal Product Code'],
  category: ['Category', 'Category the item is sold in', 'Category label'],
  categoryId: ['Key of the category', 'Internal category number', 'Category code'],
  subCategory: ['Sub-category', 'Segment within the category', 'Sub-category label'],
  manufacturer: ['Manufacturer', 'Company that makes the item', 'Maker of the product'],
  brand: ['Brand', 'Brand the item is sold under', 'Brand label'],
  market: ['Market the data is for', 'Geography', 'Market'],
  characteristics: ['Attributes of the item', 'Product facts such as flavor and size', 'Item characteristics'],
  activeOn: ['Date of the last recorded sale', 'Most recent activity', 'Last day with sales'],
  changedOn: ['Date of the last update of this item', 'When the record was last modified', 'Last change'],
  firstActiveOn: ['Date the item was introduced', 'First day with sales', 'When the item first appeared'],
  changeKind: ['What happened to the item', 'Type of the change', 'Added, updated or deleted'],
  asOf: ['Week ending date', 'Date the data is current as of', 'Data through'],
  sales4Weeks: ['Dollar sales, latest 4 weeks', 'Sales of the past four weeks in USD', 'Dollars L4W'],
  sales12Weeks: ['Dollar sales, latest 12 weeks', 'Sales of the past twelve weeks in USD', 'Dollars L12W'],
  sales52Weeks: ['Dollar sales, latest 52 weeks', 'Sales of the past year in USD', 'Dollars L52W'],
  salesLastYear: ['Dollar sales, year ago', 'Sales of the year before in USD', 'Dollars in the same period last year'],
  percentChange: ['Dollar change versus year ago, percent', '% change vs. YA', 'Growth over last year in percent'],
  id: ['Identifier', 'Unique key', 'Code'],
  name: ['Display name', 'Label', 'Name shown to users'],
  parent: ['Identifier of the owner', 'Key of the element this one is listed under', 'Container'],
  parentItem: ['Key of the parent element in the tree', 'The item above', 'Parent'],
  date: ['Load date', 'Date of the refresh', 'When this was refreshed'],
  jobId: ['Ticket number', 'Identifier of the submitted job', 'Job number'],
  state: ['Current status', 'Progress of the job', 'Status of the request'],
  grain: ['Further breakdown', 'Level of detail', 'Pack or channel'],
};

const INPUT_WORDS: Readonly<Partial<Record<Input, readonly string[]>>> = {
  upc: ['Item UPC, 12 digits', 'Barcode to look up'],
  category: ['Only this category', 'Restrict to a category'],
  categoryId: ['Only the category with this key', 'Restrict to a category by its number'],
  subCategory: ['Only this sub-category', 'Restrict to a segment'],
  manufacturer: ['Only this manufacturer', 'Restrict to a maker'],
  brand: ['Only this brand', 'Restrict to a brand'],
  window: ['How far back to look for changes', 'Time span'],
  catalogueId: ['Catalogue to read', 'Which database to use'],
  dimension: ['Dimension to read', 'Which axis'],
  group: ['Group to read', 'Which grouping'],
  hierarchy: ['Hierarchy to read', 'Which tree'],
  level: ['Level to read', 'Depth within the tree'],
  attribute: ['Attribute to read', 'Which property'],
  measure: ['Measure to read', 'Which metric'],
  jobId: ['Ticket number', 'Job to check'],
  mapId: ['Map to open', 'Which saved map'],
  page: ['Page to return', 'Page'],
  offset: ['Records to skip', 'Start position'],
  cursor: ['Continuation token', 'Token from the previous response'],
  pageSize: ['Records per page', 'Maximum number of records'],
};

const WORDINGS: readonly (readonly [own: string, others: readonly string[]])[] = [
  ...Object.entries(FIELD_WORDS).map(([field, words]) => [FIELDS[field as Field].means, words] as const),
  ...Object.entries(INPUT_WORDS).map(([input, words]) => [INPUTS[input as Input], words] as const),
];

/** A description with our sentences replaced. @param at chooses the wording of a service */
export function inOtherWords(node: unknown, at: number): unknown {
  if (Array.isArray(node)) return node.map((each) => inOtherWords(each, at));
  if (isPlainObject(node))
    return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, inOtherWords(each, at)]));
  if (typeof node !== 'string') return node;
  const wording = WORDINGS.find(([own]) => node.startsWith(own));
  if (!wording) return node;
  const [own, others] = wording;
  return `${others[at % others.length]}${node.slice(own.length)}`;
}
