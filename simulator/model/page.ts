import type { ModelAnswer, PageRange, PerformanceRow, ProductRow, Query } from './types.ts';

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
  const cut = <T>(all: Iterable<T>, total = () => lengthOf(all)) => {
    const { rows, more } = pageOf(all, page);
    return { rows, total, ...(more && { next: offset + limit }) };
  };
  switch (answer.kind) {
    case 'products':
    case 'performance':
      return { ...answer, page, ...cut<ProductRow | PerformanceRow>(answer.rows, answer.total) } as ModelAnswer;
    case 'items': {
      const { rows: items, ...statement } = cut(answer.items, answer.total);
      return { ...answer, page, items, ...statement };
    }
    case 'deltas': {
      const windows = answer.windows.map(({ weeks, rows, total }) => ({ weeks, ...cut(rows, total) }));
      const next = windows.find((each) => each.next !== undefined)?.next;
      return { ...answer, page, windows, ...(next !== undefined && { next }) };
    }
    case 'categories':
    case 'filterNames':
      return { ...answer, page };
    default:
      return answer;
  }
}

/** The rows of a list, of a delta those of its largest window; undefined for other answers. */
export function rowsOfAnswer(answer: ModelAnswer): Iterable<unknown> | undefined {
  switch (answer.kind) {
    case 'products':
    case 'performance':
    case 'filterNames':
      return answer.rows;
    case 'deltas':
      return answer.windows.at(-1)?.rows;
    case 'items':
      return answer.items;
    default:
      return undefined;
  }
}
