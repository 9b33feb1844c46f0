/** Folds that check rows: each row separately, or all rows for repetitions. */

import type { Field } from '../contract/index.ts';
import type { Inputs } from '../profile/template.ts';
import type { Row } from '../reading/types.ts';
import { type BreachAt, FirstBreaches, type Fold, fold, isValue, MAX_SHOWN, type RowBreach } from './fold.ts';

export interface Breaches {
  /** Number of checked rows. */
  readonly checked: number;
  readonly count: number;
  /** The first breaches of each kind. */
  readonly first: readonly BreachAt[];
}

/** Checks each row. `check` returns true, undefined for a row without the values, or what is wrong. */
export const everyRow = (
  name: string,
  check: (row: Row, inputs: Inputs) => true | RowBreach | undefined,
): Fold<Breaches> => ({
  key: `every:${name}`,
  start(inputs) {
    let [checked, count] = [0, 0];
    const first = new FirstBreaches();
    return {
      row(row, index) {
        const result = check(row, inputs);
        if (result !== undefined) checked++;
        if (result === undefined || result === true) return;
        count++;
        first.add(index, result.kind, () => `row ${index}: ${result.message}`);
      },
      done: () => ({ checked, count, first: first.found }),
    };
  },
});

export interface Repeats {
  /** Number of rows with enough of the identifying fields. */
  readonly checked: number;
  /** Number of rows with the identity of an earlier row, and the first such identities. */
  readonly count: number;
  readonly first: readonly string[];
  /** Whether all rows were compared. */
  readonly complete: boolean;
}

/** Maximum number of compared rows, which bounds the memory. */
const REPEATS_BOUND = 500_000;

/**
 * Rows that occur more than once: identified by the named fields, and by their `grain` where the profile reads one.
 *
 * @param least minimum number of fields that a compared row contains; default all
 */
export const repeats = (fields: readonly Field[], least = fields.length): Fold<Repeats> =>
  fold(
    `repeats:${fields.join()}:${least}`,
    () => ({ seen: new Set<string>(), checked: 0, count: 0, complete: true, first: [] as string[] }),
    (state, row) => {
      const names = fields.map((field) => (isValue(row[field]) ? row[field] : null));
      if (names.filter((name) => name !== null).length < least) return;
      state.checked++;
      const identity = JSON.stringify(isValue(row.grain) ? [...names, row.grain] : names);
      if (state.seen.has(identity)) {
        state.count++;
        if (state.first.length < MAX_SHOWN) state.first.push(identity);
      } else if (state.seen.size < REPEATS_BOUND) state.seen.add(identity);
      else state.complete = false;
    },
    ({ seen: _, ...found }) => found,
  );
