/** Sends the bytes of a body slowly or not all of them. It uses no module of Node. */
import { utf8 } from '../../src/bytes.ts';
import type { Chunk, Delivery, DialectResponse } from '../dialects/types.ts';

/** The pause between two pieces of a slow body, at most. */
const PIECE_MS = 50;

/** Resolves after a time, or at once when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
}

export const bytesOfChunk = (chunk: Chunk): Uint8Array => (typeof chunk === 'string' ? utf8(chunk) : chunk);

/** The whole body as an iterable of its chunks. */
export const chunksOf = (body: DialectResponse['body']): Iterable<Chunk> | AsyncIterable<Chunk> =>
  typeof body === 'string' || body instanceof Uint8Array ? [body] : body;

/** The failure of a body that is cut on purpose. */
export class TruncatedBodyError extends Error {
  override readonly name = 'TruncatedBodyError';
}

/**
 * Returns the bytes of a body as they are delivered: in pieces at the given rate, and only the first ones of a truncated body.
 * @throws TruncatedBodyError after the last byte of a body that is truncated
 */
export async function* deliverBody(
  body: DialectResponse['body'],
  { bytesPerSecond, truncateAfterBytes = Number.POSITIVE_INFINITY }: Delivery,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = truncateAfterBytes;
  const size = bytesPerSecond === undefined ? Number.POSITIVE_INFINITY : Math.ceil((bytesPerSecond * PIECE_MS) / 1000);
  for await (const chunk of chunksOf(body)) {
    const bytes = bytesOfChunk(chunk);
    for (let at = 0; at < bytes.byteLength; at += size) {
      const piece = bytes.subarray(at, Math.min(at + size, at + left, bytes.byteLength));
      if (piece.byteLength > 0) yield piece;
      left -= piece.byteLength;
      if (left <= 0) throw new TruncatedBodyError(`the body is truncated after ${truncateAfterBytes} bytes`);
      if (bytesPerSecond !== undefined) await pause((piece.byteLength * 1000) / bytesPerSecond, signal);
    }
  }
}
