/** Whether a response announces a further page: a partial list that is treated as whole causes false findings. */
import { firstHeader, linkOf } from '../exchange/headers.ts';
import type { Exchange } from '../exchange/types.ts';

/** Common names of members that announce a further page: flags, cursors and links. */
const NEXT_PAGE_MEMBER =
  /"(?:has_?more|has_?next|next_?cursor|next_?page(?:_?token)?|next_?link|@odata\.nextLink)"\s*:\s*(?:true|"[^"]|[1-9{])|"next"\s*:\s*(?:"(?:https?:|[/?])|\{\s*"(?:href|url)"\s*:\s*"[^"])/i;

/** Common names of the total count and of the page size. */
const TOTAL = /"(?:total|total_?(?:count|rows|items|results|elements|records))"\s*:\s*(\d+)/i;
const PAGE_SIZE = /"(?:page_?size|per_?page|limit|size|page_?length|items_?per_?page)"\s*:\s*(\d+)/i;

const numberAt = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/**
 * Checks the headers and both ends of the body, where an envelope is. A total that exceeds the rows announces a page only
 * if this page has the stated page size: otherwise the list is incomplete, which is a finding.
 *
 * @param rows number of rows of the list so far, this page included
 * @param pageRows number of rows of this page
 */
export async function hasNextPage(exchange: Exchange, rows: number, pageRows: number): Promise<boolean> {
  const { response, body } = exchange;
  const headers = response?.headers ?? [];
  if (linkOf(headers, 'next') !== undefined || response?.status === 206) return true;
  const first = await body.firstBytes();
  const parts = first.length === body.bytes ? [first] : [first, await body.lastBytes()];
  const text = new TextDecoder().decode(Buffer.concat(parts));
  if (NEXT_PAGE_MEMBER.test(text)) return true;
  const total = numberAt(text, TOTAL) ?? Number(firstHeader(headers, 'x-total-count') ?? Number.NaN);
  return total > rows && numberAt(text, PAGE_SIZE) === pageRows;
}
