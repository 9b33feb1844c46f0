/** Folds over the values of fields. */

import type { Field } from '../contract/index.ts';
import { type Row, Unconverted, UnknownCode } from '../reading/types.ts';
import { unconvertedKind } from './finding-kinds.ts';
import { type BreachAt, FirstBreaches, type Fold, isValue, pickFields, showValue } from './fold.ts';

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
export function tally(
  field: Field,
  allowedGap?: { readonly name: string; readonly legal: (row: Row) => boolean },
): Fold<Tally> {
  return {
    key: `tally:${field}:${allowedGap?.name ?? ''}`,
    start() {
      let [rows, values, nulls, missing, unconverted] = [0, 0, 0, 0, 0];
      const firstGaps = new FirstBreaches();
      const firstUnconverted = new FirstBreaches();
      const distinct = new Set<unknown>();
      return {
        row(row, index) {
          rows++;
          const cell = row[field];
          if (isValue(cell)) {
            values++;
            if (distinct.size < DISTINCT_BOUND) distinct.add(cell);
            return;
          }
          // A code without a known meaning is a value.
          if (cell instanceof UnknownCode) {
            values++;
            return;
          }
          // Where a value cannot exist, a text such as “n/a” is legal, too.
          if (allowedGap?.legal(row)) return;
          if (cell instanceof Unconverted) {
            unconverted++;
            firstUnconverted.add(
              index,
              unconvertedKind(field, cell.raw),
              () => `row ${index}: ${field} is ${showValue(cell.raw)}: ${cell.why}`,
            );
          } else {
            if (cell === null) nulls++;
            else missing++;
            const gap = cell === null ? 'null' : 'missing';
            firstGaps.add(index, `${field}-${gap}`, () => `row ${index}: ${field} is ${gap}`);
          }
        },
        done: () => ({
          rows,
          values,
          nulls,
          missing,
          unconverted,
          firstGaps: firstGaps.found,
          firstUnconverted: firstUnconverted.found,
          distinct: distinct.size,
        }),
      };
    },
  };
}

/** The number of rows for each text of a field, for up to `bound` different texts. */
export function texts(
  field: Field,
  bound = 100_000,
): Fold<{ readonly counts: ReadonlyMap<string, number>; readonly complete: boolean }> {
  return {
    key: `texts:${field}:${bound}`,
    start() {
      // A mutable counter avoids a second look-up of the text.
      const counters = new Map<string, { count: number }>();
      let complete = true;
      return {
        row(row) {
          const cell = row[field];
          // A row of allCategories may list several sub-categories.
          for (const each of Array.isArray(cell) ? cell : [cell]) {
            if (typeof each !== 'string') continue;
            const counter = counters.get(each);
            if (counter) counter.count++;
            else if (counters.size < bound) counters.set(each, { count: 1 });
            else complete = false;
          }
        },
        done: () => ({ counts: new Map([...counters].map(([text, { count }]) => [text, count])), complete }),
      };
    },
  };
}

export interface Extent {
  readonly values: number;
  readonly least?: { readonly value: number; readonly index: number };
  readonly greatest?: { readonly value: number; readonly index: number };
}

/** The least and the greatest number or day of a field, with their rows. */
export function extent(field: Field): Fold<Extent> {
  return {
    key: `extent:${field}`,
    start() {
      let values = 0;
      let least: Extent['least'];
      let greatest: Extent['greatest'];
      return {
        row(row, index) {
          const value = row[field];
          if (typeof value !== 'number') return;
          values++;
          if (!least || value < least.value) least = { value, index };
          if (!greatest || value > greatest.value) greatest = { value, index };
        },
        done: () => ({ values, ...(least && { least }), ...(greatest && { greatest }) }),
      };
    },
  };
}

/** The named fields of the rows, for up to `bound` rows. */
export function collect(
  fields: readonly Field[],
  bound = 50_000,
): Fold<{ readonly rows: readonly Row[]; readonly complete: boolean }> {
  return {
    key: `collect:${fields.join()}:${bound}`,
    start() {
      const rows: Row[] = [];
      let complete = true;
      return {
        row(row) {
          if (rows.length >= bound) complete = false;
          else rows.push(pickFields(row, fields));
        },
        done: () => ({ rows, complete }),
      };
    },
  };
}
