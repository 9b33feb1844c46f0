/** Writes the chunks of a response body at the pace of the client. */
import type { ServerResponse } from 'node:http';

type Chunk = string | Uint8Array;

/** The chunks of a body. */
export interface BodyChunks extends Iterable<Chunk> {
  /** Called when a chunk has been sent: its memory may be used again. */
  readonly release?: (chunk: Chunk) => void;
}

const BATCH_CHARACTERS = 64 * 1024;

/** Joins small text chunks: dialects write lists row by row, and one socket write per row is slow. */
export function* batchChunks(chunks: Iterable<Chunk>): Generator<Chunk> {
  let buffered = '';
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      buffered += chunk;
      if (buffered.length < BATCH_CHARACTERS) continue;
      yield buffered;
    } else {
      if (buffered !== '') yield buffered;
      yield chunk;
    }
    buffered = '';
  }
  if (buffered !== '') yield buffered;
}

/** Resolves once the client has read what was written, or has closed its connection. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.once('drain', settle).once('close', settle);
  });

/**
 * Writes the chunks and ends the response; closes the connection where the chunks fail. The streams of `pipeline` cost more
 * than a short list.
 */
export async function writeChunks(response: ServerResponse, chunks: BodyChunks): Promise<void> {
  const { release } = chunks;
  try {
    for (const chunk of batchChunks(chunks)) {
      if (response.destroyed) return;
      if (!response.write(chunk, release && (() => release(chunk)))) await drained(response);
    }
    if (response.destroyed) return;
    if (!response.headersSent) response.flushHeaders();
    response.end();
  } catch {
    // What was written before is still sent.
    if (!response.headersSent) response.flushHeaders();
    setImmediate(() => response.destroy());
  }
}
