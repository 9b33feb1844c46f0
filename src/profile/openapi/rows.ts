/** Selects the list or object of a described response that contains the rows of an operation. */
import { type Field, type OperationKey, SALES_FILTERS } from '../../contract/index.ts';
import {
  type DescribedFormat,
  type DescribedValue,
  describedValues,
  listsIn,
  objectsIn,
  type RowLocation,
} from './described-values.ts';
import type { Description } from './description.ts';
import { addUndecided, type Confidence, type DraftNotes } from './draft-notes.ts';
import { matchFields } from './fields.ts';
import { joinWords, quoteText } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';
import type { SchemaShape } from './shape.ts';
import { FIELD_WORDS, matchScore } from './vocabulary.ts';
import { WINDOW_NAMES, type WindowName, windowFromName, windowFromText } from './windows.ts';

export interface ChosenRows extends RowLocation {
  readonly confidence: Confidence;
  readonly from: string;
  /** Whether the response contains no other list. */
  readonly isOnly: boolean;
}

/** Operations that return one item, not a list of rows. */
const isSingle = (key: OperationKey): boolean =>
  key.endsWith('/products/{upc}') || (key.includes('/webservices/') && !key.endsWith('/getAllProspectFilters'));

/** The field of a row that is a plain text. */
function fieldOfBareRow(key: OperationKey): Field | undefined {
  if (key.endsWith('/allCategories')) return 'category';
  if (key.includes('/data-access/')) return 'id';
  return key.endsWith('Products') ? 'upc' : undefined;
}

/**
 * A row that is not an object, as a single value. Among several lists of texts, only the name identifies the right one.
 *
 * @param isOnly whether its list is the only list of the response
 */
function bareRow(key: OperationKey, { shape, names }: RowLocation, isOnly: boolean): DescribedValue[] {
  const field = fieldOfBareRow(key);
  const isText = shape.type === undefined || shape.type === 'string' || shape.type === 'integer';
  const resourceName = joinWords(names.at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
  if (!field || !isText || !(isOnly || matchScore(FIELD_WORDS[field], resourceName) > 0)) return [];
  return [{ selector: '@', names: [field], shape, required: true, nullable: false }];
}

/** The values of a row of any type. */
export function rowValues(
  description: Description,
  key: OperationKey,
  place: RowLocation,
  isOnly: boolean,
  format: DescribedFormat,
): DescribedValue[] {
  return place.shape.members.size > 0
    ? describedValues(description, place.shape, '@', format)
    : bareRow(key, place, isOnly);
}

/** Returns the candidate that matches the operation's fields best; left open if several match equally. */
export function chooseRows(
  description: Description,
  { key }: DescribedOperation,
  root: SchemaShape,
  format: DescribedFormat,
  wanted: readonly Field[],
  draftNotes: DraftNotes,
): ChosenRows | undefined {
  const at = ['operations', key, 'response', 'rows'];
  const lists = listsIn(description, root, format);
  const objects = objectsIn(description, root, format);
  const rank = (locations: readonly RowLocation[], more: readonly RowLocation[] = []) =>
    [...locations, ...more]
      .map((place) => {
        const leaves = rowValues(description, key, place, lists.length === 1, format);
        return { place, fits: wanted.length === 0 ? 0 : matchFields(wanted, key, leaves).size };
      })
      .sort((x, y) => y.fits - x.fits || x.place.names.length - y.place.names.length);
  const ranked = isSingle(key) ? rank(objects, root.type === 'array' ? lists : []) : rank(lists);
  const [best, second] = ranked;
  if (best?.fits === 0 && isSingle(key) && root.type === 'array' && wanted.length > 0) {
    addUndecided(
      draftNotes,
      at,
      `the response is a list, but the meaning of its members (${quoteText([...best.place.shape.members.keys()].join(', '))}) is unclear`,
    );
    return undefined;
  }
  if (!best) {
    if (root.type === undefined && root.members.size === 0)
      addUndecided(draftNotes, at, 'the schema of the response does not describe its structure');
    else
      addUndecided(
        draftNotes,
        at,
        `the described response contains no list (${quoteText(Object.keys(Object.fromEntries(root.members)).join(', ') || String(root.type))})`,
      );
    return undefined;
  }
  const reason =
    best.place.names.length === 0
      ? isSingle(key) && root.type !== 'array'
        ? 'the response itself'
        : 'the response is the list'
      : `the schema at ${best.place.names.join('.')}`;
  if (isSingle(key) || ranked.length === 1)
    return {
      ...best.place,
      confidence: best.fits > 0 || wanted.length === 0 ? 'stated' : 'unsure',
      from: reason,
      isOnly: lists.length === 1,
    };
  if (second && second.fits === best.fits) {
    addUndecided(
      draftNotes,
      at,
      `candidates of the rows: ${ranked
        .filter(({ fits }) => fits === best.fits)
        .map(({ place }) => place.selector)
        .join(' or ')}`,
    );
    return undefined;
  }
  return {
    ...best.place,
    confidence: 'likely',
    from: `${reason}, the list that contains most of the fields`,
    isOnly: false,
  };
}

/** Returns three lists of products, one per window; undefined if the response has no such lists. */
export function windowLists(
  description: Description,
  root: SchemaShape,
  format: DescribedFormat,
): { rows: Record<WindowName, string>; place: RowLocation } | undefined {
  const found = new Map<WindowName, RowLocation>();
  for (const place of listsIn(description, root, format)) {
    const name = place.names.find((each) => windowFromName(each) !== undefined) ?? place.names.at(-1) ?? '';
    const window = windowFromName(name) ?? windowFromText(place.shape.description);
    if (window !== undefined) found.set(window, place);
  }
  const [one, four, thirteen] = WINDOW_NAMES.map((each) => found.get(each));
  if (!one || !four || !thirteen) return undefined;
  return { rows: { '1': one.selector, '4': four.selector, '13': thirteen.selector }, place: thirteen };
}

/**
 * Returns the separate lists of names in the metadata of group D: `{ categories: [{ name, subCategories }],
 * brands: […] }`. Undefined if rows combine them.
 */
export function nameLists(
  description: Description,
  root: SchemaShape,
  format: DescribedFormat,
): Partial<Record<Field, string>> | undefined {
  const found: Partial<Record<Field, string>> = {};
  const visit = (locations: readonly RowLocation[], prefix: string, depth: number): void => {
    for (const { selector, names, shape } of locations) {
      const full = `${prefix}${selector.slice(1)}`;
      const resourceName = joinWords(names.at(-1) ?? '')
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
        .replace(/name$/, '');
      const field = SALES_FILTERS.find((each) => joinWords(each) === resourceName);
      if (field && found[field] === undefined) {
        if (shape.members.size === 0 && shape.type !== 'array') found[field] = full;
        else {
          const leaves = describedValues(description, shape, '@', format).filter(({ names: own }) => own.length === 1);
          const names = leaves.filter(
            (leaf) =>
              [`${resourceName}name`, 'name', resourceName, 'label', 'title'].includes(
                joinWords(leaf.names[0] ?? ''),
              ) && leaf.shape.type !== 'array',
          );
          const [name] = names;
          if (names.length === 1 && name) found[field] = `${full}${name.selector.slice(1)}`;
        }
      }
      if (depth < 3 && shape.members.size > 0) visit(listsIn(description, shape, 'json'), full, depth + 1);
    }
  };
  if (format === 'xml') return undefined;
  const lists = listsIn(description, root, format);
  visit(lists, '$', 0);
  const together = lists.some(
    ({ shape }) =>
      matchFields(
        SALES_FILTERS,
        'GET /RetailMeasurement/v1/BrandPerformance/Metadata',
        describedValues(description, shape, '@', format),
      ).size > 1,
  );
  return together || Object.keys(found).length === 0 ? undefined : found;
}
