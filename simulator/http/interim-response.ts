/** Sends interim responses (1xx). */
import type { ServerResponse } from 'node:http';
import { replaceControlCharacters } from '../../src/exchange/headers.ts';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';

/**
 * Writes an interim response before the final one. Clients of HTTP/1.0 do not support them (RFC 9110, 15.2). Node before
 * 24.15 cannot write most of them: there they are omitted, which every client must accept.
 */
export function writeInterim(response: ServerResponse, { status, headers }: InterimResponse): void {
  if (response.headersSent || response.destroyed || response.req.httpVersion === '1.0') return;
  response.writeInformation?.(status, headers.flat().map(replaceControlCharacters));
}
