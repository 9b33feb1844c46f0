/** Small changes of lists. Rows are generated one at a time, so that long lists need constant memory; the results can be iterated repeatedly. */
import { iterable } from '../model/iterable.ts';

/** Every row together with whether it is the last. */
function* withLast<T>(rows: Iterable<T>): Generator<readonly [row: T, last: boolean]> {
  let previous: readonly [T] | undefined;
  for (const row of rows) {
    if (previous) yield [previous[0], false];
    previous = [row];
  }
  if (previous) yield [previous[0], true];
}

/** Changes the last row, which only a client that reads all rows receives. */
export const changeLast = <T>(rows: Iterable<T>, change: (row: T) => T): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) yield last ? change(row) : row;
  });

export const dropLast = <T>(rows: Iterable<T>): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) if (!last) yield row;
  });

/** Repeats the last row. */
export const repeatLast = <T>(rows: Iterable<T>): Iterable<T> =>
  iterable(function* () {
    for (const [row, last] of withLast(rows)) {
      yield row;
      if (last) yield row;
    }
  });

export const filterRows = <T>(rows: Iterable<T>, matches: (row: T) => boolean): Iterable<T> =>
  iterable(function* () {
    for (const row of rows) if (matches(row)) yield row;
  });

export const joinRows = <T>(...lists: readonly Iterable<T>[]): Iterable<T> =>
  iterable(function* () {
    for (const list of lists) yield* list;
  });

/** The first row that matches, or undefined. */
export function firstRow<T>(rows: Iterable<T>, matches: (row: T) => boolean = () => true): T | undefined {
  for (const row of rows) if (matches(row)) return row;
  return undefined;
}
