/** Whether an answer says that its list goes on: half a list, taken for the whole, would accuse the other half. */
import { firstHeader, linkOf } from '../exchange/headers.ts';
import type { Exchange } from '../exchange/types.ts';

/** Members that point to more: flags, cursors and links by the names such members commonly have. */
const POINTER =
  /"(?:has_?more|has_?next|next_?cursor|next_?page(?:_?token)?|next_?link|@odata\.nextLink)"\s*:\s*(?:true|"[^"]|[1-9{])|"next"\s*:\s*(?:"(?:https?:|[/?])|\{\s*"(?:href|url)"\s*:\s*"[^"])/i;

/** How many there are, and how many this page may hold. */
const TOTAL = /"(?:total|total_?(?:count|rows|items|results|elements|records))"\s*:\s*(\d+)/i;
const PAGE_SIZE = /"(?:page_?size|per_?page|limit|size|page_?length|items_?per_?page)"\s*:\s*(\d+)/i;

const numberIn = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/**
 * Looks at the headers and at both ends of a body, where an envelope stands. A total alone is no promise, for a list cut
 * short would excuse itself; a total beyond a page that is as full as the answer says a page can be is one.
 *
 * @param rows how many rows of the list were read, this page included
 * @param page how many of them this page held
 */
export async function hasNextPage(exchange: Exchange, rows: number, page: number): Promise<boolean> {
  const { response, body } = exchange;
  const headers = response?.headers ?? [];
  if (linkOf(headers, 'next') !== undefined || response?.status === 206) return true;
  const text = new TextDecoder().decode(Buffer.concat([await body.head(), await body.tail()]));
  if (POINTER.test(text)) return true;
  const total = numberIn(text, TOTAL) ?? Number(firstHeader(headers, 'x-total-count') ?? Number.NaN);
  return total > rows && numberIn(text, PAGE_SIZE) === page;
}
