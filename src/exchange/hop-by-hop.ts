import type { HeaderLines } from './header-lines.ts';
import { firstHeader } from './headers.ts';

/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and those each connection sets itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Removes the headers of one connection.
 * @param trailers whether the body can have trailers: then the `trailer` header stays
 */
export function withoutHopByHop(lines: HeaderLines, trailers = false): [string, string][] {
  const named = new Set((firstHeader(lines, 'connection') ?? '').toLowerCase().split(/\s*,\s*/));
  const stays = (name: string): boolean =>
    (trailers && name === 'trailer') || (!HOP_BY_HOP.has(name) && !named.has(name));
  return lines.filter(([name]) => stays(name.toLowerCase())).map(([name, value]) => [name, value]);
}

/** Whether a body with these headers can have trailers: it is chunked, because its length is not announced. */
export const carriesTrailers = (lines: HeaderLines): boolean => firstHeader(lines, 'content-length') === undefined;

/** Replaces control characters, which a lenient parser accepts but a header must not contain. */
export const replaceControlCharacters = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

/** Whether the first bytes of a body are text; used where the media type does not say so. */
export const looksLikeText = (chunk: Uint8Array | undefined): boolean =>
  chunk !== undefined && !chunk.subarray(0, 512).includes(0);
