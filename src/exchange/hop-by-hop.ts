import type { HeaderLines } from './header-lines.ts';
import { firstHeader } from './headers.ts';

/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and those each leg decides itself. */
const OWN_LEG = new Set([
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
 * The lines without those that belong to the connection they came on.
 * @param trailers whether what follows can carry trailers, so that a line which announces them holds
 */
export function endToEnd(lines: HeaderLines, trailers = false): [string, string][] {
  const named = new Set((firstHeader(lines, 'connection') ?? '').toLowerCase().split(/\s*,\s*/));
  const stays = (name: string): boolean => (trailers && name === 'trailer') || (!OWN_LEG.has(name) && !named.has(name));
  return lines.filter(([name]) => stays(name.toLowerCase())).map(([name, value]) => [name, value]);
}

/** Whether a body of these headers, sent in chunks where its length is unknown, can have trailers behind it. */
export const carriesTrailers = (lines: HeaderLines): boolean => firstHeader(lines, 'content-length') === undefined;

/** Control characters cannot be written; a lenient reader may have let one in. */
export const writable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

/** Whether the first bytes are those of a text; asked where no media type tells. */
export const looksLikeText = (chunk: Uint8Array | undefined): boolean =>
  chunk !== undefined && !chunk.subarray(0, 512).includes(0);
