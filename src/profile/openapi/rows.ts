/** Which list or object of a described answer holds the rows of an operation. */
import { type Field, type OperationKey, SALES_FILTERS } from '../../contract/index.ts';
import type { Description } from './description.ts';
import { type Confidence, type DraftNotes, leaveOpen } from './draft-notes.ts';
import { matchFields } from './fields.ts';
import { flat, quoteText } from './name-words.ts';
import type { Described } from './operations.ts';
import type { SchemaShape } from './shape.ts';
import {
  type DescribedValue,
  describedValues,
  listsIn,
  objectsIn,
  type RowPlace,
  type Writing,
} from './value-paths.ts';
import { FIELD_WORDS, matchScore } from './vocabulary.ts';
import { WINDOW_NAMES, type WindowName, windowFromName, windowFromText } from './windows.ts';

export interface ChosenPlace extends RowPlace {
  readonly sure: Confidence;
  readonly from: string;
  /** No other list stands in the answer. */
  readonly isOnly: boolean;
}

/** Operations whose answer is one thing, not a list of rows. */
const isSingle = (key: OperationKey): boolean =>
  key.endsWith('/products/{upc}') || (key.includes('/webservices/') && !key.endsWith('/getAllProspectFilters'));

/** The field that a row is, where rows are bare texts. */
function fieldOfBareRow(key: OperationKey): Field | undefined {
  if (key.endsWith('/allCategories')) return 'category';
  if (key.includes('/data-access/')) return 'id';
  return key.endsWith('Products') ? 'upc' : undefined;
}

/**
 * A row that is no object, as the one value it is. Which of several lists of texts is meant only its name tells.
 *
 * @param isOnly it stands in the one list of its answer
 */
function bareRow(key: OperationKey, { shape, names }: RowPlace, isOnly: boolean): DescribedValue[] {
  const field = fieldOfBareRow(key);
  const isText = shape.type === undefined || shape.type === 'string' || shape.type === 'integer';
  const called = flat(names.at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
  if (!field || !isText || !(isOnly || matchScore(FIELD_WORDS[field], called) > 0)) return [];
  return [{ selector: '@', names: [field], shape, required: true, nullable: false }];
}

/** The values of a row, whatever it is. */
export function rowValues(
  description: Description,
  key: OperationKey,
  place: RowPlace,
  isOnly: boolean,
  writing: Writing,
): DescribedValue[] {
  return place.shape.members.size > 0
    ? describedValues(description, place.shape, '@', writing)
    : bareRow(key, place, isOnly);
}

/** The place that fits the operation's fields best; left open where several do equally. */
export function chooseRowPlace(
  description: Description,
  { key }: Described,
  root: SchemaShape,
  writing: Writing,
  wanted: readonly Field[],
  book: DraftNotes,
): ChosenPlace | undefined {
  const at = ['operations', key, 'response', 'rows'];
  const lists = listsIn(description, root, writing);
  const objects = objectsIn(description, root, writing);
  const rank = (places: readonly RowPlace[], more: readonly RowPlace[] = []) =>
    [...places, ...more]
      .map((place) => {
        const leaves = rowValues(description, key, place, lists.length === 1, writing);
        return { place, fits: wanted.length === 0 ? 0 : matchFields(wanted, key, leaves).size };
      })
      .sort((x, y) => y.fits - x.fits || x.place.names.length - y.place.names.length);
  const ranked = isSingle(key) ? rank(objects, root.type === 'array' ? lists : []) : rank(lists);
  const [best, second] = ranked;
  if (best?.fits === 0 && isSingle(key) && root.type === 'array' && wanted.length > 0) {
    leaveOpen(
      book,
      at,
      `the answer is a list, and what it holds (${quoteText([...best.place.shape.members.keys()].join(', '))}) is not plain`,
    );
    return undefined;
  }
  if (!best) {
    if (root.type === undefined && root.members.size === 0)
      leaveOpen(book, at, 'the schema of the answer says nothing of its shape');
    else
      leaveOpen(
        book,
        at,
        `no list stands in the answer described (${quoteText(Object.keys(Object.fromEntries(root.members)).join(', ') || String(root.type))})`,
      );
    return undefined;
  }
  const told =
    best.place.names.length === 0
      ? isSingle(key) && root.type !== 'array'
        ? 'the answer itself'
        : 'the answer is the list'
      : `the schema at ${best.place.names.join('.')}`;
  if (isSingle(key) || ranked.length === 1)
    return {
      ...best.place,
      sure: best.fits > 0 || wanted.length === 0 ? 'stated' : 'unsure',
      from: told,
      isOnly: lists.length === 1,
    };
  if (second && second.fits === best.fits) {
    leaveOpen(
      book,
      at,
      `the rows may stand at ${ranked
        .filter(({ fits }) => fits === best.fits)
        .map(({ place }) => place.selector)
        .join(' or ')}`,
    );
    return undefined;
  }
  return {
    ...best.place,
    sure: 'likely',
    from: `${told}, the list that holds most of what is looked for`,
    isOnly: false,
  };
}

/** Three lists of products, one for each window; undefined where the answer has none such. */
export function windowLists(
  description: Description,
  root: SchemaShape,
  writing: Writing,
): { rows: Record<WindowName, string>; place: RowPlace } | undefined {
  const found = new Map<WindowName, RowPlace>();
  for (const place of listsIn(description, root, writing)) {
    const name = place.names.find((each) => windowFromName(each) !== undefined) ?? place.names.at(-1) ?? '';
    const window = windowFromName(name) ?? windowFromText(place.shape.description);
    if (window !== undefined) found.set(window, place);
  }
  const [one, four, thirteen] = WINDOW_NAMES.map((each) => found.get(each));
  if (!one || !four || !thirteen) return undefined;
  return { rows: { '1': one.selector, '4': four.selector, '13': thirteen.selector }, place: thirteen };
}

/**
 * Lists of the names the metadata of group D lists, each standing by itself: `{ categories: [{ name, subCategories }],
 * brands: […] }`. Undefined where rows tell them together.
 */
export function nameLists(
  description: Description,
  root: SchemaShape,
  writing: Writing,
): Partial<Record<Field, string>> | undefined {
  const found: Partial<Record<Field, string>> = {};
  const visit = (places: readonly RowPlace[], prefix: string, depth: number): void => {
    for (const { selector, names, shape } of places) {
      const full = `${prefix}${selector.slice(1)}`;
      const called = flat(names.at(-1) ?? '')
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
        .replace(/name$/, '');
      const field = SALES_FILTERS.find((each) => flat(each) === called);
      if (field && found[field] === undefined) {
        if (shape.members.size === 0 && shape.type !== 'array') found[field] = full;
        else {
          const leaves = describedValues(description, shape, '@', writing).filter(({ names: own }) => own.length === 1);
          const names = leaves.filter(
            (leaf) =>
              [`${called}name`, 'name', called, 'label', 'title'].includes(flat(leaf.names[0] ?? '')) &&
              leaf.shape.type !== 'array',
          );
          const [name] = names;
          if (names.length === 1 && name) found[field] = `${full}${name.selector.slice(1)}`;
        }
      }
      if (depth < 3 && shape.members.size > 0) visit(listsIn(description, shape, 'json'), full, depth + 1);
    }
  };
  if (writing === 'xml') return undefined;
  const lists = listsIn(description, root, writing);
  visit(lists, '$', 0);
  const together = lists.some(
    ({ shape }) =>
      matchFields(
        SALES_FILTERS,
        'GET /RetailMeasurement/v1/BrandPerformance/Metadata',
        describedValues(description, shape, '@', writing),
      ).size > 1,
  );
  return together || Object.keys(found).length === 0 ? undefined : found;
}
