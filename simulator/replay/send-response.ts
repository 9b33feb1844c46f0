/** Sending a prepared answer, or the failure that stood in its place. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openSideFile, streamOf } from '../../src/recording/store/read-side-file.ts';
import type { Cors } from '../http/cors.ts';
import { endConnection, sendHead } from '../http/end-connection.ts';
import { writeInterim } from '../http/interim-response.ts';
import { type PreparedResponse, piecesOf } from './prepared-response.ts';

/** A client of HTTP/1.0 takes no chunks, and nothing behind them. */
const withoutTrailer = (lines: readonly string[]): string[] =>
  lines.filter((_, at) => lines[at - (at % 2)]?.toLowerCase() !== 'trailer');

/**
 * Sends an answer; without a promise where that is done at once. Rejects with a SideFileError, before anything was sent,
 * where the body is in a file that is no longer what was recorded.
 * @param base what clients see in place of the service’s origin
 */
export function sendResponse(
  served: PreparedResponse,
  base: string,
  cors: Cors,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  const { head, bytes, file, end } = served;
  if (file) return sendFile(served, file, base, () => begin(served, cors, request, response), response);
  begin(served, cors, request, response);
  if (!head) {
    // In silence the client waits until it gives up.
    if (end === 'closed' || end === 'reset') endConnection(response, end);
    return undefined;
  }
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

/** Interim answers and the head. */
function begin(
  { interim, head, trailers }: PreparedResponse,
  cors: Cors,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  for (const each of interim) writeInterim(response, each);
  if (!head) return;
  response.sendDate = false;
  const added = cors.linesFor(request, head.names);
  const lines = added.length === 0 ? head.lines : [...head.lines, ...added];
  const chunked = request.httpVersion !== '1.0' || !head.names.has('trailer');
  response.writeHead(head.status, head.reason, (chunked ? lines : withoutTrailer(lines)) as string[]);
  if (trailers.length > 0) response.addTrailers(trailers);
}

async function sendFile(
  { end }: PreparedResponse,
  { folder, body, text }: NonNullable<PreparedResponse['file']>,
  base: string,
  start: () => void,
  response: ServerResponse,
): Promise<void> {
  const fd = await openSideFile(folder, body);
  start();
  await pipeline(streamOf(fd), (chunks) => piecesOf(chunks, text, base), response, { end: false });
  if (end === 'complete') response.end();
  else if (end !== 'silent') endConnection(response, end);
}
