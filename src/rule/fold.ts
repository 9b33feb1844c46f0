/**
 * A fold reduces the rows of a list to what a rule needs while the body arrives, such as values or broken rows. Its memory is
 * bounded for any length.
 */

import type { Field } from '../contract/index.ts';
import { cutText } from '../exchange/printable.ts';
import type { Inputs } from '../profile/template.ts';
import { type Cell, type Row, Unconverted, UnknownCode } from '../reading/types.ts';
import { unconvertedKind } from './finding-kinds.ts';

export interface Fold<T> {
  /** Folds with equal keys run once over the same rows. */
  readonly key: string;
  /** @param required the inputs that a sample must contain if a row has them */
  start(inputs: Inputs, required?: readonly Inputs[]): { row(row: Row, index: number): void; done(): T };
}

/**
 * A fold of one mutable state.
 * @example fold('names', () => new Set(), (names, { name }) => void names.add(name)) // the different names
 */
export const fold = <S, T = S>(
  key: string,
  begin: () => S,
  add: (state: S, row: Row, index: number) => void,
  done: (state: S) => T = (state) => state as unknown as T,
): Fold<T> => ({
  key,
  start() {
    const state = begin();
    return { row: (row, index) => add(state, row, index), done: () => done(state) };
  },
});

export type FoldMap = { readonly [name: string]: Fold<unknown> };

export type FoldResults<F extends FoldMap> = { readonly [N in keyof F]: F[N] extends Fold<infer T> ? T : never };

/** Whether a cell is a value: found, not null, converted. */
export const isValue = (cell: Cell): cell is string | number | readonly unknown[] =>
  typeof cell === 'string' ||
  typeof cell === 'number' ||
  (cell !== undefined && cell !== null && !(cell instanceof Unconverted));

/** Some fields of a row, also those without a value. */
export function pickFields(row: Row, fields: readonly Field[]): Row {
  const picked: { [F in Field]?: Cell } = {};
  for (const field of fields) picked[field] = row[field];
  return picked;
}

/** What is wrong in a row. */
export interface RowBreach {
  /** Identifies what is wrong, not which value shows it. */
  readonly kind: string;
  readonly message: string;
}

export interface BreachAt extends RowBreach {
  readonly index: number;
}

export const MAX_SHOWN = 5;

/** Collects the first breaches of each kind: many of one kind hide no other. */
export class FirstBreaches {
  readonly found: BreachAt[] = [];
  readonly #counts = new Map<string, number>();

  /** @param message called only for a breach that is kept */
  add(index: number, kind: string, message: () => string): void {
    const count = this.#counts.get(kind) ?? 0;
    if (count >= MAX_SHOWN) return;
    this.#counts.set(kind, count + 1);
    this.found.push({ index, kind, message: message() });
  }
}

/** A value as JSON, cut to 80 characters. */
export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? cutText(text, 77) : text;
}

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

interface Extent {
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
