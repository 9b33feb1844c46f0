/** Sends a prepared response, or repeats the recorded failure. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openSideFile, streamOf } from '../../src/recording/store/read-side-file.ts';
import type { Cors } from '../http/cors.ts';
import { endConnection, sendHead, writeInterim } from '../http/end-connection.ts';
import { type PreparedResponse, piecesOf, type RecordedFile } from './prepared-response.ts';
import type { SideFileCache } from './side-file-cache.ts';

/** A client of HTTP/1.0 supports neither chunks nor trailers. */
const withoutTrailer = (lines: readonly string[]): string[] =>
  lines.filter((_, at) => lines[at - (at % 2)]?.toLowerCase() !== 'trailer');

/** What all responses of one replay share. */
export interface SendContext {
  readonly cors: Cors;
  readonly sideFiles: SideFileCache;
}

/**
 * Sends a response; returns undefined where it is sent synchronously. Rejects with a SideFileError, before the first byte
 * is sent, where the file of the body changed since the recording.
 * @param base what clients see in place of the service’s origin
 */
export function sendResponse(
  prepared: PreparedResponse,
  base: string,
  { cors, sideFiles }: SendContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | undefined {
  const { file } = prepared;
  const sendWith = (bytes: Buffer | undefined): void => {
    sendResponseHead(prepared, cors, request, response);
    sendBody(prepared, bytes, response);
  };
  if (!file) return void sendWith(prepared.bytes);
  const cached = sideFiles.get(file, base);
  if (cached) return void sendWith(cached);
  if (sideFiles.isCacheable(file)) return sideFiles.load(file, base).then(sendWith);
  return streamFile(file, base, () => sendResponseHead(prepared, cors, request, response), prepared.end, response);
}

function sendBody({ head, end }: PreparedResponse, bytes: Buffer | undefined, response: ServerResponse): void {
  if (!head) {
    // With `silent` the client waits until it times out.
    if (end === 'closed' || end === 'reset') endConnection(response, end);
    return;
  }
  if (end === 'complete') {
    response.end(bytes);
    return;
  }
  // The connection is ended after the write: ending it at once would drop buffered bytes.
  const endEarly = end === 'silent' ? undefined : () => endConnection(response, end);
  if (bytes && bytes.length > 0) response.write(bytes, endEarly);
  else {
    sendHead(response);
    endEarly?.();
  }
}

/** Sends the interim responses and the head. */
function sendResponseHead(
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
  response.writeHead(head.status, head.reasonPhrase, (chunked ? lines : withoutTrailer(lines)) as string[]);
  if (trailers.length > 0) response.addTrailers(trailers);
}

async function streamFile(
  { folder, body, isText }: RecordedFile,
  base: string,
  sendHeadFirst: () => void,
  end: PreparedResponse['end'],
  response: ServerResponse,
): Promise<void> {
  const fd = await openSideFile(folder, body);
  sendHeadFirst();
  await pipeline(streamOf(fd), (chunks) => piecesOf(chunks, isText, base), response, { end: false });
  if (end === 'complete') response.end();
  else if (end !== 'silent') endConnection(response, end);
}
