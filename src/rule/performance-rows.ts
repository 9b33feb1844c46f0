/** The vocabulary of rules about performance rows: their names, identity and grain (section 4.4). */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type OperationKey,
  PERFORMANCE_METADATA,
  type PerformanceOperation,
  SALES_FILTERS,
} from '../contract/index.ts';
import { chooseSpecialNames, normaliseName } from './choose-names.ts';
import { collect, type Declarations, type Each, needsOf, type Reading, type Row, step } from './index.ts';

export type Filter = (typeof SALES_FILTERS)[number];

const NAMES = {
  [CATEGORY_PERFORMANCE]: 'category',
  [BRAND_PERFORMANCE]: 'brand',
} as const satisfies Record<PerformanceOperation, string>;

/**
 * The id, the statement and the subject of a rule that each performance operation has of its own.
 * @example ownRule(BRAND_PERFORMANCE, 'NAME-rows-whole') // id: 'D.brand-rows-whole'
 */
export const ownRule = (subject: PerformanceOperation, id: string) =>
  ({
    id: `D.${id.replace('NAME', NAMES[subject])}`,
    statement: `D.${NAMES[subject]}-performance`,
    subjects: [subject],
  }) as const;

/** Whether a response of a replay says that its figures are invented. */
export const hasInventedFigures = ({ head }: Pick<Reading, 'head'>): boolean =>
  head?.headers.some(([name, value]) => name.toLowerCase() === 'x-mdwi-figures' && value === 'invented') ?? false;

/** The maximum number of rows that are held in memory for a comparison; longer lists are inconclusive. */
export const MAX_COMPARED_ROWS = 200_000;

/** The openings of the metadata: its request, and one of its kinds of names. */
export const METADATA_NAMES = needsOf(
  PERFORMANCE_METADATA,
  'request',
  SALES_FILTERS.map((each) => `fields.${each}`),
);

/** The filters whose name the profile reads in the rows of an operation. */
export const filtersInRows = (declarations: Declarations, subject: OperationKey): Filter[] =>
  SALES_FILTERS.filter((each) => declarations.binds(subject, `fields.${each}`));

/** The filters of a request. */
export const requestedIn = ({ inputs }: Pick<Reading, 'inputs'>): readonly Filter[] =>
  SALES_FILTERS.filter((each) => inputs[each] !== undefined);

/** Whether a row has the name that the inputs of a request contain. */
export const isNamed = (row: Row, inputs: Reading['inputs'], filter: Filter): boolean =>
  typeof row[filter] === 'string' && normaliseName(row[filter]) === normaliseName(String(inputs[filter]));

/** The filters of a request in a sentence. */
export const showFilters = (part: Pick<Reading, 'inputs'>): string =>
  requestedIn(part)
    .map((each) => `${each} ${JSON.stringify(part.inputs[each])}`)
    .join(' and ');

/** The identity of a row: its bound names, null for a missing one, so that rows of different grains have different identities. */
export const rowIdentity = (row: Row, fields: readonly Filter[]): string =>
  JSON.stringify(fields.map((each) => (typeof row[each] === 'string' ? normaliseName(row[each]) : null)));

/** Which of the names a row contains. Rows are compared only with rows of the same grain. */
export const rowGrain = (row: Row, fields: readonly Filter[]): string =>
  fields.map((each) => (typeof row[each] === 'string' ? '1' : '0')).join('');

/**
 * The expected rows that a response lacks, compared by their names; undefined if a row of the response has a grain that no
 * expected row has. Rows without the requested names, such as totals, are ignored if others have them.
 */
export function missingRows(
  expected: readonly Row[],
  actual: readonly Row[],
  fields: readonly Filter[],
  requested: readonly Filter[],
): readonly Row[] | undefined {
  const grains = new Set(expected.map((row) => rowGrain(row, fields)));
  const selected = actual.filter((row) => requested.every((each) => typeof row[each] === 'string'));
  if ((selected.length > 0 ? selected : actual).some((row) => !grains.has(rowGrain(row, fields)))) return undefined;
  const identities = new Set(actual.map((row) => rowIdentity(row, fields)));
  return expected.filter((row) => !identities.has(rowIdentity(row, fields)));
}

/** The step that supplies filter values: the metadata if the profile reads them there, otherwise the unfiltered rows. */
export function filterValuesStep(declarations: Declarations, subject: OperationKey, filter: Filter) {
  const isListed = declarations.binds(PERFORMANCE_METADATA, 'request', `fields.${filter}`);
  const from = isListed ? PERFORMANCE_METADATA : subject;
  return step({ operation: from, accepts: 'content', folds: { rows: collect([filter], 20_000) } });
}

/** Requests some names of a filter, those with special characters first. */
export const eachName = (filter: Filter, declarations: Declarations, from = 'values'): Each => ({
  from,
  fold: 'rows',
  as: { [filter]: filter },
  max: declarations.draw('salesFilters'),
  of: 'names',
  choose: chooseSpecialNames(filter),
});

/** The largest power of ten of which all amounts are multiples: the unit in which they are written. */
export function unitOf(amounts: readonly number[]): number {
  for (let power = 6; power > -4; power -= 1) {
    const unit = 10 ** power;
    const isMultiple = (amount: number) => {
      const units = amount / unit;
      return Math.abs(units - Math.round(units)) <= 1e-9 * Math.abs(units) + 1e-7;
    };
    if (amounts.every(isMultiple)) return unit;
  }
  return 1e-4;
}
