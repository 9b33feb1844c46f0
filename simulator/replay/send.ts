/** Sending a prepared answer, or the failure that stood in its place. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Cors } from '../http/cors.ts';
import { endConnection, sendHead } from '../http/end-connection.ts';
import { writeInterim } from '../http/interim.ts';
import { chunksOf, type Served } from './served.ts';

/** A client of HTTP/1.0 takes no chunks, and nothing behind them. */
const withoutTrailer = (lines: readonly string[]): string[] =>
  lines.filter((_, at) => lines[at - (at % 2)]?.toLowerCase() !== 'trailer');

/**
 * Sends an answer; without a promise where that is done at once.
 * @param base what clients see in place of the service’s origin
 */
export function send(
  { interim, head, bytes, file, trailers, end }: Served,
  base: string,
  cors: Cors,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  for (const each of interim) writeInterim(response, each);
  if (!head) {
    // In silence the client waits until it gives up.
    if (end === 'closed' || end === 'reset') endConnection(response, end);
    return undefined;
  }
  response.sendDate = false;
  const added = cors.linesFor(request, head.names);
  const lines = added.length === 0 ? head.lines : [...head.lines, ...added];
  const chunked = request.httpVersion !== '1.0' || !head.names.has('trailer');
  response.writeHead(head.status, head.reason, (chunked ? lines : withoutTrailer(lines)) as string[]);
  if (trailers.length > 0) response.addTrailers(trailers);
  if (file) return stream(file, base, end, response);
  if (end === 'complete') {
    response.end(bytes);
    return undefined;
  }
  // What was sent so far still arrives: a connection that is ended at once drops what is still being gathered.
  const cut = end === 'silent' ? undefined : () => endConnection(response, end);
  if (bytes && bytes.length > 0) response.write(bytes, cut);
  else {
    sendHead(response);
    cut?.();
  }
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
  else if (end !== 'silent') endConnection(response, end);
}
