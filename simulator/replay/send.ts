/** Sending a prepared answer, or the failure that stood in its place. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pageLines } from './cors.ts';
import { chunksOf, type Served } from './served.ts';

/**
 * Sends an answer; without a promise where that is done at once.
 * @param base what clients see in place of the service’s origin
 */
export function send(
  { head, bytes, file, end }: Served,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  if (!head) {
    // In silence the client waits until it gives up.
    if (end === 'cut') response.destroy();
    return undefined;
  }
  response.sendDate = false;
  const lines = request.headers.origin === undefined ? head.lines : [...head.lines, ...pageLines(head.names)];
  response.writeHead(head.status, head.reason, lines as string[]);
  if (file) return stream(file, base, end, response);
  if (end === 'complete') {
    response.end(bytes);
    return undefined;
  }
  if (bytes && bytes.length > 0) response.write(bytes);
  else response.flushHeaders();
  // What was sent so far still arrives.
  if (end === 'cut') response.socket?.destroySoon();
  return undefined;
}

async function stream(
  file: NonNullable<Served['file']>,
  base: string,
  end: Served['end'],
  response: ServerResponse,
): Promise<void> {
  await pipeline(Readable.from(chunksOf(file, base), { objectMode: false }), response, { end: false });
  if (end === 'complete') response.end();
  else if (end === 'cut') response.socket?.destroySoon();
}
