/** Pages as the profile declares them (section 8 shows no page sizes). */

import { textOfBase64 } from '../../../src/bytes.ts';
import type { ReadInputs } from '../../../src/profile/read-back/request-reader.ts';
import type { Paging } from '../../../src/profile/schema.ts';
import type { DialectRequest } from '../types.ts';
import type { NeutralRow } from './value.ts';
import { type HeaderWritePath, put, type WritePath, writePathOf } from './write-path.ts';

/** A small size, so that a world of the default size has several pages. */
const PAGE_ROWS = 250;
/** The query parameter of page URLs that the service generates. */
const OFFSET_PARAMETER = 'after-row';

export interface Window {
  readonly offset: number;
  readonly limit: number;
}

const count = (text: string | undefined, min: number): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) && Number(text) >= min ? Number(text) : undefined;

const cursorAt = (offset: number): string => btoa(`row ${offset}`);

/** The rows of the requested page, or undefined when the page cannot exist. */
export function windowOf(
  paging: Paging,
  inputs: ReadInputs,
  { query }: Pick<DialectRequest, 'query'>,
): Window | undefined {
  const declared = 'size' in paging ? paging.size : undefined;
  const requested = inputs.pageSize === undefined ? undefined : count(inputs.pageSize, 1);
  if (inputs.pageSize !== undefined && requested === undefined) return undefined;
  const limit = requested ?? declared ?? PAGE_ROWS;
  switch (paging.style) {
    case 'page': {
      const page = inputs.page === undefined ? paging.first : count(inputs.page, paging.first);
      return page === undefined ? undefined : { offset: (page - paging.first) * limit, limit };
    }
    case 'offset': {
      const offset = inputs.offset === undefined ? 0 : count(inputs.offset, 0);
      return offset === undefined ? undefined : { offset, limit };
    }
    case 'cursor': {
      if (inputs.cursor === undefined) return { offset: 0, limit };
      const row = /^row (\d{1,9})$/.exec(textOfBase64(inputs.cursor))?.[1];
      return row === undefined ? undefined : { offset: Number(row), limit };
    }
    default: {
      const offset = count(query.get(OFFSET_PARAMETER) ?? '0', 0);
      return offset === undefined ? undefined : { offset, limit };
    }
  }
}

/** The rows of a page, and whether more rows follow. */
export function cutRows(rows: Iterable<NeutralRow>, { offset, limit }: Window): { rows: NeutralRow[]; more: boolean } {
  const page: NeutralRow[] = [];
  let at = 0;
  for (const row of rows) {
    if (page.length === limit) return { rows: page, more: true };
    if (at >= offset) page.push(row);
    at += 1;
  }
  return { rows: page, more: false };
}

/** Adds the link to the next page to the body or the headers; `address` is the URL of the request without its query. */
export function addNextPage(
  paging: Paging,
  offset: number | undefined,
  { query }: Pick<DialectRequest, 'query'>,
  address: string,
  body: unknown,
): { readonly body: unknown; readonly headers: Record<string, string> } {
  const next = (): string => {
    const nextQuery = new URLSearchParams(query);
    nextQuery.set(OFFSET_PARAMETER, String(offset));
    return `${address}?${nextQuery}`;
  };
  if (paging.style === 'link')
    return { body, headers: offset === undefined ? {} : { Link: `<${next()}>; rel="${paging.rel}"` } };
  if (!('next' in paging)) return { body, headers: {} };
  const value = offset === undefined ? undefined : paging.style === 'cursor' ? cursorAt(offset) : next();
  const writePath = writePathOf(paging.next) as WritePath | HeaderWritePath;
  if (writePath.scope === 'header') return { body, headers: value === undefined ? {} : { [writePath.name]: value } };
  return { body: put(body, writePath.steps, value), headers: {} };
}
