/**
 * The neutral vocabulary: the inputs of requests and the fields of responses.
 * Names and positions on the wire are open (sections 2, 4.1–4.4); a profile binds them. The document does not define these names.
 */

/** The type of a field's neutral value; it determines the converters that a profile may use. */
export const FIELD_KINDS = ['upc', 'text', 'id', 'number', 'money', 'percent', 'date', 'list'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

interface FieldRow {
  readonly kind: FieldKind;
  readonly means: string;
}

export const FIELDS = {
  upc: { kind: 'upc', means: 'the UPC of a product' },
  category: { kind: 'text', means: 'the name of a category' },
  categoryId: { kind: 'text', means: 'an id of a category, if rows contain one in addition to or instead of the name' },
  subCategory: { kind: 'text', means: 'the name of a sub-category; in a row of allCategories several, one node each' },
  manufacturer: { kind: 'text', means: 'the name of a manufacturer' },
  brand: { kind: 'text', means: 'the name of a brand' },
  market: { kind: 'text', means: 'the market of the response or row' },
  characteristics: { kind: 'list', means: 'the characteristics of a product, one node each' },
  activeOn: { kind: 'date', means: 'the date that makes a product active within the last 52 weeks' },
  changedOn: { kind: 'date', means: 'the date a product appeared or its characteristics changed' },
  firstActiveOn: {
    kind: 'date',
    means: 'the date of the first activity of a product, or of the first one after a gap',
  },
  changeKind: { kind: 'text', means: 'the kind of change of a product: new, changed or removed' },
  asOf: { kind: 'date', means: 'the end date of the windows of the response' },
  sales4Weeks: { kind: 'money', means: 'dollar sales of the last 4 weeks' },
  sales12Weeks: { kind: 'money', means: 'dollar sales of the last 12 weeks' },
  sales52Weeks: { kind: 'money', means: 'dollar sales of the last 52 weeks' },
  salesLastYear: { kind: 'money', means: 'dollar sales of last year' },
  percentChange: { kind: 'percent', means: 'dollar percentage change' },
  id: { kind: 'id', means: 'the id of an item of catalogue metadata, a saved map or a thematic' },
  name: { kind: 'text', means: 'the name of an item of catalogue metadata or of a filter' },
  parent: {
    kind: 'text',
    means:
      'the id or name, as in the request, of the node below which an item of catalogue metadata is listed (of a value its level, never the value above it)',
  },
  parentItem: { kind: 'text', means: 'the id or name of the item above an item in a tree of items' },
  date: { kind: 'date', means: 'a refresh date' },
  jobId: { kind: 'text', means: 'the id of a job' },
  state: { kind: 'text', means: 'the state of a job' },
  grain: { kind: 'list', means: 'further values that identify a row, in addition to its UPC or names' },
} as const satisfies Record<string, FieldRow>;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** The dates of a product that can decide whether a delta contains it. */
export const DELTA_DATES = ['changedOn', 'firstActiveOn'] as const satisfies Field[];

/** The names of a product that other operations list, beside its category. */
export const PRODUCT_NAMES = ['subCategory', 'manufacturer', 'brand'] as const satisfies Field[];
export type ProductName = (typeof PRODUCT_NAMES)[number];

/** The fields of which a row of a delta can show the latest value. */
export const LATEST_VALUES = ['category', 'categoryId', 'changedOn', 'characteristics'] as const satisfies Field[];

/** Where the item above an item is: in the same list, or in the list of the level above. */
export const PARENT_ITEM_PLACES = ['list', 'levelAbove'] as const;
export type ParentItemPlace = (typeof PARENT_ITEM_PLACES)[number];

export const SALES_FIGURES = [
  'sales4Weeks',
  'sales12Weeks',
  'sales52Weeks',
  'salesLastYear',
  'percentChange',
] as const satisfies Field[];
export const SALES_FILTERS = ['category', 'subCategory', 'manufacturer', 'brand'] as const satisfies Field[];
export type SalesFilter = (typeof SALES_FILTERS)[number];

export const INPUTS = {
  upc: 'a product’s UPC (path parameter of section 4.3)',
  category: 'a category name to filter by',
  categoryId: 'the id of a category to filter by, if the service filters by id',
  subCategory: 'a sub-category name to filter by',
  manufacturer: 'a manufacturer name to filter by',
  brand: 'a brand name to filter by',
  window: 'a delta window: 1, 4 or 13 weeks, in the format of the service',
  catalogueId: 'the id of a catalogue',
  dimension: 'a dimension of the catalogue',
  group: 'a group of a dimension',
  hierarchy: 'a hierarchy of a dimension',
  level: 'a level of a group or hierarchy',
  attribute: 'an attribute of a dimension',
  measure: 'a measure of the catalogue',
  jobId: 'the id of a job',
  mapId: 'the id of a saved map',
  page: 'the number of a page',
  offset: 'the number of rows to skip',
  cursor: 'the token of the next page',
  pageSize: 'the number of rows of a page',
} as const;

export type Input = keyof typeof INPUTS;
export const INPUT_NAMES = Object.keys(INPUTS) as Input[];
/** The inputs that select a page of a list; a request without them is still valid. */
export const PAGING_INPUTS = ['page', 'offset', 'cursor', 'pageSize'] as const satisfies Input[];
