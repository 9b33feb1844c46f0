import type { ModelAnswer, Query } from './types.ts';

/** A slice of a list. It reads at most one row after the slice. */
function slice<T>(rows: Iterable<T>, offset: number, limit: number): { rows: T[]; more: boolean } {
  const page: T[] = [];
  let at = 0;
  for (const row of rows) {
    if (at >= offset + limit) return { rows: page, more: true };
    if (at >= offset) page.push(row);
    at += 1;
  }
  return { rows: page, more: false };
}

/** The number of elements of a list. */
export function lengthOf(rows: Iterable<unknown>): number {
  let count = 0;
  for (const _ of rows) count += 1;
  return count;
}

/** Adds the inputs of the request to the answers that a dialect may repeat them in. */
export function withEcho(answer: ModelAnswer, { offset: _o, limit: _l, ...echo }: Query): ModelAnswer {
  switch (answer.kind) {
    case 'products':
    case 'deltas':
    case 'performance':
    case 'items':
      return { ...answer, echo };
    default:
      return answer;
  }
}

/**
 * Cuts the page of `offset` and `limit` from an answer and adds the offset of the next page and the total. Other answers stay unchanged.
 * Each window of a delta is cut separately.
 */
export function cutPage(answer: ModelAnswer, { offset = 0, limit }: Query): ModelAnswer {
  if (offset === 0 && limit === undefined) return answer;
  const size = limit ?? Number.POSITIVE_INFINITY;
  const next = (more: boolean) => (more ? { next: offset + size } : {});
  switch (answer.kind) {
    case 'products': {
      const { rows, more } = slice(answer.rows, offset, size);
      return { ...answer, total: answer.total ?? (() => lengthOf(answer.rows)), rows, ...next(more) };
    }
    case 'performance': {
      const { rows, more } = slice(answer.rows, offset, size);
      return { ...answer, total: answer.total ?? (() => answer.rows.length), rows, ...next(more) };
    }
    case 'deltas': {
      const pages = answer.windows.map(({ weeks, rows }) => ({ weeks, ...slice(rows, offset, size) }));
      return {
        ...answer,
        windows: pages.map(({ weeks, rows }) => ({ weeks, rows })),
        ...next(pages.some(({ more }) => more)),
      };
    }
    default:
      return answer;
  }
}
