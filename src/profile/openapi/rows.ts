/** Selects the list or object of a described response that contains the rows of an operation. */

import type { Field, OperationKey } from '../../contract/index.ts';
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
import type { ResolvedSchema } from './resolved-schema.ts';
import { FIELD_WORDS, matchScore } from './vocabulary.ts';

export interface ChosenRows extends RowLocation {
  readonly confidence: Confidence;
  readonly reason: string;
  /** Whether the response contains no other list. */
  readonly isOnly: boolean;
}

/** Operations that return one item, not a list of rows. */
export const isSingle = (key: OperationKey): boolean =>
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
function bareRow(key: OperationKey, { schema, names }: RowLocation, isOnly: boolean): DescribedValue[] {
  const field = fieldOfBareRow(key);
  const isText = schema.type === undefined || schema.type === 'string' || schema.type === 'integer';
  const resourceName = joinWords(names.at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
  if (!field || !isText || !(isOnly || matchScore(FIELD_WORDS[field], resourceName) > 0)) return [];
  return [{ selector: '@', names: [field], schema, required: true, nullable: false }];
}

/** The values of a row of any type. */
export function rowValues(
  description: Description,
  key: OperationKey,
  place: RowLocation,
  isOnly: boolean,
  format: DescribedFormat,
): DescribedValue[] {
  return place.schema.members.size > 0
    ? describedValues(description, place.schema, '@', format)
    : bareRow(key, place, isOnly);
}

/** What to write for a table: lists of cells whose names are in another list; undefined if there is none. */
function tableIn(lists: readonly RowLocation[]): string | undefined {
  const cells = lists.find(({ schema }) => schema.type === 'array');
  const columns = lists.find(({ names }) =>
    /^(columns?|fields?|headers?|cols|variables)(names?)?$/.test(joinWords(names.at(-1) ?? '')),
  );
  if (!cells || !columns || cells === columns) return undefined;
  const [name] = columns.schema.members.keys();
  const path = name === undefined ? columns.selector : `${columns.selector}.${name}`;
  return `each row is a list of cells, whose names are in ${columns.selector}: write rows: ${cells.selector} and shape: { columns: ${JSON.stringify(path)} }`;
}

/** Returns the candidate that matches the operation's fields best; left open if several match equally. */
export function chooseRows(
  description: Description,
  { key }: DescribedOperation,
  root: ResolvedSchema,
  format: DescribedFormat,
  wanted: readonly Field[],
  draftNotes: DraftNotes,
): ChosenRows | undefined {
  const at = ['operations', key, 'response', 'rows'];
  const lists = listsIn(description, root, format);
  const table = tableIn(lists);
  if (table && !isSingle(key)) {
    addUndecided(draftNotes, at, table);
    return undefined;
  }
  const objects = objectsIn(description, root, format);
  const rank = (locations: readonly RowLocation[], more: readonly RowLocation[] = []) =>
    [...locations, ...more]
      .map((place) => {
        const values = rowValues(description, key, place, lists.length === 1, format);
        return { place, fits: wanted.length === 0 ? 0 : matchFields(wanted, key, values).size };
      })
      .sort((x, y) => y.fits - x.fits || x.place.names.length - y.place.names.length);
  const ranked = isSingle(key) ? rank(objects, root.type === 'array' ? lists : []) : rank(lists);
  const [best, second] = ranked;
  if (best?.fits === 0 && isSingle(key) && root.type === 'array' && wanted.length > 0) {
    addUndecided(
      draftNotes,
      at,
      `the response is a list, but the meaning of its members (${quoteText([...best.place.schema.members.keys()].join(', '))}) is unclear`,
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
      reason: reason,
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
    reason: `${reason}, the list that contains most of the fields`,
    isOnly: false,
  };
}
