/** Lists that are generated while they are read, so that a million rows stream in constant memory. */

/** A list that can be iterated any number of times. */
export const iterable = <T>(generate: () => Generator<T>): Iterable<T> => ({ [Symbol.iterator]: generate });

/** Converts the rows of a list lazily. The result can be iterated repeatedly. */
export const mapRows = <T, R>(rows: Iterable<T>, convert: (row: T) => R): Iterable<R> =>
  iterable(function* () {
    for (const row of rows) yield convert(row);
  });
