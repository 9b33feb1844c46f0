/** What of a message belongs to one connection only, and what of a head can be written at all. */
import { firstHeader } from '../headers.ts';
import type { HeaderLines } from './types.ts';

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

/** The lines without those that belong to the connection they came on. */
export function endToEnd(lines: HeaderLines): [string, string][] {
  const named = new Set((firstHeader(lines, 'connection') ?? '').toLowerCase().split(/\s*,\s*/));
  return lines
    .filter(([name]) => !OWN_LEG.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .map(([name, value]) => [name, value]);
}

/** Control characters cannot be written; a lenient reader may have let one in. */
export const writable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

/** Whether the first bytes are those of a text; asked where no media type tells. */
export const looksLikeText = (chunk: Uint8Array | undefined): boolean =>
  chunk !== undefined && !chunk.subarray(0, 512).includes(0);
