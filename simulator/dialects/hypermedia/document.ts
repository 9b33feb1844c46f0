/** JSON documents of the hypermedia dialect: HAL and problem details, serialised row by row. */
import type { DialectResponse } from '../types.ts';

type Headers = DialectResponse['headers'];

const HAL = 'application/hal+json; charset=utf-8';

const PROBLEM = 'application/problem+json';

export const VND_ERROR = 'application/vnd.error+json';

let shuffles = 0;

/** Changes the order of rows at every call, because it has no meaning. A counter makes the order deterministic. */
export function shuffle<T>(rows: Iterable<T>): T[] {
  shuffles += 1;
  const shuffled = [...rows];
  let state = shuffles;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

/** Serialises a document as chunks, one per row. */
function* chunksOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (const [at, row] of value.entries()) yield (at === 0 ? '' : ',') + JSON.stringify(row);
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    let separator = '{';
    for (const [name, each] of Object.entries(value)) {
      if (each === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* chunksOf(each);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(value);
  }
}

export const jsonDocument = (status: number, type: string, value: unknown, headers: Headers = {}): DialectResponse => ({
  status,
  headers: { 'content-type': type, ...headers },
  body: { [Symbol.iterator]: () => chunksOf(value) },
});

export const hal = (value: object, headers?: Headers): DialectResponse => jsonDocument(200, HAL, value, headers);

export const nothing = (status: number, headers: Headers = {}): DialectResponse => ({ status, headers, body: '' });

export const problem = (status: number, title: string, detail: string | null = null): DialectResponse =>
  jsonDocument(status, PROBLEM, { type: '/problems', title, status, detail, instance: null });
