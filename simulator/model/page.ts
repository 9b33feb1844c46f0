import type { ModelAnswer, PageRange, Query } from './types.ts';

/** A page of a list. It reads at most one row after the page. */
export function pageOf<T>(rows: Iterable<T>, { offset, limit }: PageRange): { rows: T[]; more: boolean } {
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
 * Cuts the page of `offset` and `limit` from an answer and adds the offset of the next page and the total. Each window of a
 * delta is cut separately. Answers that are no lists stay unchanged.
 */
export function cutPage(answer: ModelAnswer, { offset = 0, limit = Number.POSITIVE_INFINITY }: Query): ModelAnswer {
  if (offset === 0 && limit === Number.POSITIVE_INFINITY) return answer;
  const page = { offset, limit };
  const cut = <T>(rows: Iterable<T>, total?: () => number) => {
    const found = pageOf(rows, page);
    return { ...found, total: total ?? (() => lengthOf(rows)), next: found.more ? { next: offset + limit } : {} };
  };
  switch (answer.kind) {
    case 'products': {
      const { rows, total, next } = cut(answer.rows, answer.total);
      return { ...answer, page, rows, total, ...next };
    }
    case 'performance': {
      const { rows, total, next } = cut(answer.rows, answer.total);
      return { ...answer, page, rows, total, ...next };
    }
    case 'items': {
      const { rows, total, next } = cut(answer.items, answer.total);
      return { ...answer, page, items: rows, total, ...next };
    }
    case 'deltas': {
      const cuts = answer.windows.map(({ weeks, rows, total }) => ({ weeks, ...cut(rows, total) }));
      const windows = cuts.map(({ weeks, rows, total }) => ({ weeks, rows, total }));
      return { ...answer, page, windows, ...cuts.find(({ more }) => more)?.next };
    }
    case 'categories':
    case 'filterNames':
      return { ...answer, page };
    default:
      return answer;
  }
}
