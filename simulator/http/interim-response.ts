/** Interim answers (1xx) on their way to a client. */
import type { ServerResponse } from 'node:http';
import { writable } from '../../src/exchange/hop-by-hop.ts';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';

/**
 * Writes an interim answer before the answer itself. Clients of HTTP/1.0 know none (RFC 9110, 15.2); a Node before 24.15
 * cannot write any but two, so there they are left out: every client must be able to do without them.
 */
export function writeInterim(response: ServerResponse, { status, headers }: InterimResponse): void {
  if (response.headersSent || response.destroyed || response.req.httpVersion === '1.0') return;
  response.writeInformation?.(status, headers.flat().map(writable));
}
