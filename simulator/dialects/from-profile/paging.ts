/** Pages as the profile declares them, since the document shows no page sizes. */

import { textOfBase64 } from '../../../src/bytes.ts';
import type { ReadInputs } from '../../../src/profile/read-back/request-reader.ts';
import type { Paging } from '../../../src/profile/schema.ts';
import type { PageRange } from '../../model/types.ts';
import type { DialectRequest } from '../types.ts';
import type { ComposedResponse } from './serialize.ts';

/** A small size, so that a world of the default size has several pages. */
const PAGE_ROWS = 250;
/** The query parameter of page URLs that the service generates. */
export const OFFSET_PARAMETER = 'after-row';

/** Parses a whole number of at least `min`; undefined for any other text. */
const wholeNumber = (text: string | undefined, min: number): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) && Number(text) >= min ? Number(text) : undefined;

const cursorAt = (offset: number): string => btoa(`row ${offset}`);

/** The range of the requested page, or undefined if the page cannot exist. */
export function pageRangeOf(
  paging: Paging,
  inputs: ReadInputs,
  { query }: Pick<DialectRequest, 'query'>,
): PageRange | undefined {
  const requestedSize = inputs.pageSize === undefined ? undefined : wholeNumber(inputs.pageSize, 1);
  if (inputs.pageSize !== undefined && requestedSize === undefined) return undefined;
  const limit = requestedSize ?? paging.size ?? PAGE_ROWS;
  switch (paging.style) {
    case 'page': {
      const page = inputs.page === undefined ? paging.first : wholeNumber(inputs.page, paging.first);
      return page === undefined ? undefined : { offset: (page - paging.first) * limit, limit };
    }
    case 'offset': {
      const offset = inputs.offset === undefined ? 0 : wholeNumber(inputs.offset, 0);
      return offset === undefined ? undefined : { offset, limit };
    }
    case 'cursor': {
      if (inputs.cursor === undefined) return { offset: 0, limit };
      const row = /^row (\d{1,9})$/.exec(textOfBase64(inputs.cursor))?.[1];
      return row === undefined ? undefined : { offset: Number(row), limit };
    }
    case 'link':
    case 'next': {
      const offset = wholeNumber(query.get(OFFSET_PARAMETER) ?? '0', 0);
      return offset === undefined ? undefined : { offset, limit };
    }
    default:
      return paging satisfies never;
  }
}

/**
 * Adds the link to the next page, or its cursor, to a response.
 * @param nextOffset the number of rows before the next page; undefined on the last page
 * @param address the URL of the request without its query
 */
export function addNextPage(
  draft: ComposedResponse,
  paging: Paging,
  nextOffset: number | undefined,
  { query }: Pick<DialectRequest, 'query'>,
  address: string,
): void {
  const nextUrl = (): string => {
    const nextQuery = new URLSearchParams(query);
    nextQuery.set(OFFSET_PARAMETER, String(nextOffset));
    return `${address}?${nextQuery}`;
  };
  if (paging.style === 'link') {
    if (nextOffset !== undefined) draft.headers.Link = `<${nextUrl()}>; rel="${paging.rel}"`;
  } else if ('next' in paging) {
    const pointers = { cursor: cursorAt, next: nextUrl } satisfies Record<
      typeof paging.style,
      (offset: number) => string
    >;
    draft.put(paging.next, nextOffset === undefined ? undefined : pointers[paging.style](nextOffset));
  }
}
