/** Folds over the values of fields. */

import type { Field } from '../contract/index.ts';
import { type Row, Unconverted, UnknownCode } from '../reading/types.ts';
import { unconvertedKind } from './finding-kinds.ts';
import { type BreachAt, FirstBreaches, type Fold, fold, isValue, pickFields, showValue } from './fold.ts';

export interface Tally {
  /** Number of rows. */
  readonly rows: number;
  readonly values: number;
  readonly nulls: number;
  readonly missing: number;
  readonly unconverted: number;
  /** The rows of the first gaps (missing, null) and the first unconverted values, of each kind. */
  readonly firstGaps: readonly BreachAt[];
  readonly firstUnconverted: readonly BreachAt[];
  /** Number of different values, counted up to a limit. */
  readonly distinct: number;
}

const DISTINCT_BOUND = 1000;

/** Counts values and gaps of a field. `excuse` defines legal gaps (a null percentage where last year is zero). */
export const tally = (
  field: Field,
  allowedGap?: { readonly name: string; readonly legal: (row: Row) => boolean },
): Fold<Tally> =>
  fold(
    `tally:${field}:${allowedGap?.name ?? ''}`,
    () => ({
      counts: { rows: 0, values: 0, nulls: 0, missing: 0, unconverted: 0 },
      firstGaps: new FirstBreaches(),
      firstUnconverted: new FirstBreaches(),
      distinct: new Set<unknown>(),
    }),
    ({ counts, firstGaps, firstUnconverted, distinct }, row, index) => {
      counts.rows++;
      const cell = row[field];
      // A code without a known meaning is a value.
      if (isValue(cell) || cell instanceof UnknownCode) {
        counts.values++;
        if (isValue(cell) && distinct.size < DISTINCT_BOUND) distinct.add(cell);
        return;
      }
      // Where a value cannot exist, a text such as “n/a” is legal, too.
      if (allowedGap?.legal(row)) return;
      if (cell instanceof Unconverted) {
        counts.unconverted++;
        const message = () => `row ${index}: ${field} is ${showValue(cell.raw)}: ${cell.why}`;
        firstUnconverted.add(index, unconvertedKind(field, cell.raw), message);
        return;
      }
      const gap = cell === null ? 'null' : 'missing';
      counts[cell === null ? 'nulls' : 'missing']++;
      firstGaps.add(index, `${field}-${gap}`, () => `row ${index}: ${field} is ${gap}`);
    },
    ({ counts, firstGaps, firstUnconverted, distinct }) => ({
      ...counts,
      firstGaps: firstGaps.found,
      firstUnconverted: firstUnconverted.found,
      distinct: distinct.size,
    }),
  );

/** The number of rows for each text of a field, for up to `bound` different texts. */
export const texts = (
  field: Field,
  bound = 100_000,
): Fold<{ readonly counts: ReadonlyMap<string, number>; readonly complete: boolean }> =>
  fold(
    `texts:${field}:${bound}`,
    // A mutable counter avoids a second look-up of the text.
    () => ({ counters: new Map<string, { count: number }>(), complete: true }),
    (state, row) => {
      const cell = row[field];
      // A row of allCategories may list several sub-categories.
      for (const each of Array.isArray(cell) ? cell : [cell]) {
        if (typeof each !== 'string') continue;
        const counter = state.counters.get(each);
        if (counter) counter.count++;
        else if (state.counters.size < bound) state.counters.set(each, { count: 1 });
        else state.complete = false;
      }
    },
    ({ counters, complete }) => ({
      counts: new Map([...counters].map(([text, { count }]) => [text, count])),
      complete,
    }),
  );

interface Extreme {
  readonly value: number;
  readonly index: number;
}

export interface Extent {
  readonly values: number;
  readonly least?: Extreme;
  readonly greatest?: Extreme;
}

/** The least and the greatest number or day of a field, with their rows. */
export const extent = (field: Field): Fold<Extent> =>
  fold(
    `extent:${field}`,
    (): { values: number; least?: Extreme; greatest?: Extreme } => ({ values: 0 }),
    (state, { [field]: value }, index) => {
      if (typeof value !== 'number') return;
      state.values++;
      if (!state.least || value < state.least.value) state.least = { value, index };
      if (!state.greatest || value > state.greatest.value) state.greatest = { value, index };
    },
  );

/** The named fields of the rows, for up to `bound` rows. */
export const collect = (
  fields: readonly Field[],
  bound = 50_000,
): Fold<{ readonly rows: readonly Row[]; readonly complete: boolean }> =>
  fold(
    `collect:${fields.join()}:${bound}`,
    () => ({ rows: [] as Row[], complete: true }),
    (state, row) => {
      if (state.rows.length >= bound) state.complete = false;
      else state.rows.push(pickFields(row, fields));
    },
  );
