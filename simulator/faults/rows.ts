/** Small deviations of lists, lazy so that a million rows still stream. Lists can be walked any number of times. */

const walk = <T>(make: () => Generator<T>): Iterable<T> => ({ [Symbol.iterator]: make });

/** Every row together with whether it is the last. */
function* withLast<T>(rows: Iterable<T>): Generator<readonly [row: T, last: boolean]> {
  let held: readonly [T] | undefined;
  for (const row of rows) {
    if (held) yield [held[0], false];
    held = [row];
  }
  if (held) yield [held[0], true];
}

/** The last row changed: what only a reader of all rows sees. */
export const changeLast = <T>(rows: Iterable<T>, change: (row: T) => T): Iterable<T> =>
  walk(function* () {
    for (const [row, last] of withLast(rows)) yield last ? change(row) : row;
  });

export const dropLast = <T>(rows: Iterable<T>): Iterable<T> =>
  walk(function* () {
    for (const [row, last] of withLast(rows)) if (!last) yield row;
  });

/** The last row once more. */
export const repeatLast = <T>(rows: Iterable<T>): Iterable<T> =>
  walk(function* () {
    for (const [row, last] of withLast(rows)) {
      yield row;
      if (last) yield row;
    }
  });

export const changeAll = <T>(rows: Iterable<T>, change: (row: T) => T): Iterable<T> =>
  walk(function* () {
    for (const row of rows) yield change(row);
  });

export const keepRows = <T>(rows: Iterable<T>, keeps: (row: T) => boolean): Iterable<T> =>
  walk(function* () {
    for (const row of rows) if (keeps(row)) yield row;
  });

export const joinRows = <T>(...lists: readonly Iterable<T>[]): Iterable<T> =>
  walk(function* () {
    for (const list of lists) yield* list;
  });

/** The first row that fits, or undefined. */
export function firstRow<T>(rows: Iterable<T>, fits: (row: T) => boolean = () => true): T | undefined {
  for (const row of rows) if (fits(row)) return row;
  return undefined;
}
