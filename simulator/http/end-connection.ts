/** What a server sends besides whole responses: a head alone, interim responses (1xx), the end of a connection. */
import type { ServerResponse } from 'node:http';
import { replaceControlCharacters } from '../../src/exchange/headers.ts';
import type { InterimResponse } from '../../src/recording/format/recorded-exchange.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Ends the connection of a response; bytes already written still arrive.
 * @param how `closed`: sends FIN, `reset`: sends RST
 */
export function endConnection(response: ServerResponse, how: 'closed' | 'reset'): void {
  const { socket } = response;
  if (!socket || (how === 'closed' && !response.headersSent)) response.destroy();
  else if (how === 'closed') socket.destroySoon();
  // The reset follows the pending writes.
  else if (response.headersSent) socket.write(NOTHING, () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

/** Sends a head before the first byte of its body, in Latin-1; `flushHeaders` would send UTF-8. */
export function sendHead(response: ServerResponse): void {
  response.write(NOTHING);
}

/**
 * Writes an interim response before the final one. Clients of HTTP/1.0 do not support them (RFC 9110, 15.2). Node before
 * 24.15 cannot write most of them: there they are omitted, which every client must accept.
 */
export function writeInterim(response: ServerResponse, { status, headers }: InterimResponse): void {
  if (response.headersSent || response.destroyed || response.req.httpVersion === '1.0') return;
  response.writeInformation?.(status, headers.flat().map(replaceControlCharacters));
}
