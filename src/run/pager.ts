/** Paging: the request of the next page, and whether the list ends (section 8 shows no page sizes). */
import { firstHeader, linkOf } from '../exchange/headers.ts';
import { buildRequest } from '../exchange/request.ts';
import type { Exchange, WireRequest } from '../exchange/types.ts';
import { PAGING_STYLES } from '../profile/paging-styles.ts';
import type { Inputs } from '../profile/template.ts';
import type { Observation } from '../reading/types.ts';
import type { FetchContext, RequestSpec } from './request-spec.ts';

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

const DEFAULT_MAX_PAGES = 1000;

export interface Pager {
  first(): WireRequest;
  /** The request of the next page, undefined at the end, or `loop` if the list does not end. */
  next(page: Observation, exchange: Exchange): WireRequest | undefined | 'loop';
  /** Whether a response announces the next page, which must then exist. */
  readonly announcesNextPage: boolean;
  /**
   * How many of the last pages repeat the one before: some servers answer each number after the last page with the last
   * page. One may be a page that the list really contains twice.
   */
  readonly repeatedPages: () => number;
  /** Whether the last request of `next` only shows whether the server limits the page size: the list may have ended. */
  readonly isBeyondShortPage: () => boolean;
}

/** The pager of a list, as the profile declares it; one page without a declaration. */
export function pagerOf(
  { base, profile, longestPages }: Pick<FetchContext, 'base' | 'profile' | 'longestPages'>,
  spec: RequestSpec,
): Pager {
  const paging = profile.data.operations?.[spec.operation]?.response?.paging;
  const build = (inputs: Inputs): WireRequest => ({
    ...buildRequest(base, spec.operation, profile, { ...spec.inputs, ...spec.sentCodes, ...inputs }, spec.variant),
    ...(spec.unsendable !== undefined && { unsendable: spec.unsendable }),
  });
  const maxPages = paging?.maxPages ?? DEFAULT_MAX_PAGES;
  const tokens = new Set<string>();
  let pages = 0;
  let rows = 0;
  let lastDigest = '';
  let beyondShortPage = false;
  let repeats = 0;
  const listCounts = (profile.data.operations?.[spec.operation]?.response?.counts ?? []).map(({ of }) => of === 'list');
  const statedTotal = ({ pageMetadata }: Observation): number =>
    Math.max(
      0,
      ...(pageMetadata?.[0]?.counts ?? []).flatMap((found, at) =>
        listCounts[at] ? found.filter((each) => typeof each === 'number') : [],
      ),
    );
  const { pageSize = paging?.size } = spec.inputs;
  const size = typeof pageSize === 'number' ? pageSize : undefined;
  const start: Inputs =
    paging?.style === 'page'
      ? { page: paging.first, ...(size !== undefined && { pageSize: size }) }
      : paging?.style === 'offset'
        ? { offset: 0, ...(size !== undefined && { pageSize: size }) }
        : {};
  const isNew = (token: string): boolean => !tokens.has(token) && Boolean(tokens.add(token));
  const toUrl = (target: string, requestUrl: string): WireRequest | 'loop' => {
    const url = URL.canParse(target, requestUrl) ? new URL(target, requestUrl) : undefined;
    // Credentials are never sent to another origin.
    return url?.origin === new URL(base).origin ? { ...build(start), url: url.href } : 'loop';
  };
  return {
    repeatedPages: () => repeats,
    isBeyondShortPage: () => beyondShortPage,
    announcesNextPage: paging !== undefined && PAGING_STYLES[paging.style].announces,
    first: () => (spec.request && Object.keys(start).length === 0 ? spec.request : build(start)),
    next(page, exchange) {
      beyondShortPage = false;
      if (!paging || page.problem) return undefined;
      pages++;
      rows += page.rows;
      const step = (): WireRequest | undefined | 'loop' => {
        switch (paging.style) {
          case 'page':
          case 'offset': {
            repeats = page.rows > 0 && page.digest === lastDigest ? repeats + 1 : 0;
            lastDigest = page.digest;
            if (page.rows === 0 || repeats > 1) return undefined;
            const total = statedTotal(page);
            const longest = longestPages?.get(spec.operation) ?? 0;
            longestPages?.set(spec.operation, Math.max(longest, page.rows));
            // The server may return smaller pages than requested: a total, or a longer page, shows whether this one is the last.
            if (repeats === 0 && size !== undefined && page.rows < size && !(total > rows)) {
              if (!longestPages || page.rows < longest || total > 0) return undefined;
              beyondShortPage = true;
            }
            return build(
              paging.style === 'page' ? { ...start, page: paging.first + pages } : { ...start, offset: rows },
            );
          }
          case 'cursor': {
            if (page.next === undefined) return undefined;
            return isNew(page.next) ? build({ cursor: page.next }) : 'loop';
          }
          case 'next': {
            if (page.next === undefined) return undefined;
            return isNew(page.next) ? toUrl(page.next, exchange.request.url) : 'loop';
          }
          case 'link': {
            const target = linkOf(exchange.response?.headers ?? [], paging.rel);
            if (target === undefined) return undefined;
            return isNew(target) ? toUrl(target, exchange.request.url) : 'loop';
          }
          default:
            return paging satisfies never;
        }
      };
      const next = step();
      return next !== undefined && pages >= maxPages ? 'loop' : next;
    },
  };
}
