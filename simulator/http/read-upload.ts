/** Reads the body of a request: a short one is buffered, a long one streams. */
import type { IncomingMessage } from 'node:http';

/** A buffered or streaming request body. */
export type Upload =
  | { readonly bytes: Buffer }
  | {
      /** The bytes read so far, then the rest as it arrives. A consumer that stops early can still call `drain`. */
      readonly chunks: AsyncGenerator<Uint8Array, void>;
      /** Reads the rest of the body. Rejects when the client closes the connection before the end. */
      drain(): Promise<void>;
    };

/** Reads chunks until a body ends or is longer than this; the rest is left in the request. Events cost less than an iterator. */
function readUpTo(request: IncomingMessage, maxBytes: number): Promise<{ chunks: Buffer[]; isWhole: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onEnd = (): void => resolve({ chunks, isWhole: true });
    const onClose = (): void => {
      if (!request.readableEnded) reject(new Error('the client closed the connection'));
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBytes) return;
      request.pause().off('data', onData).off('end', onEnd).off('error', reject).off('close', onClose);
      resolve({ chunks, isWhole: false });
    };
    request.on('data', onData).on('end', onEnd).on('error', reject).on('close', onClose);
  });
}

/**
 * Buffers a body up to a size. Rejects when the client closes the connection before the end.
 * @param maxBytes how many bytes are buffered at most
 * @param onChunk called once with every chunk of a long body
 */
export async function readUpload(
  request: IncomingMessage,
  maxBytes: number,
  onChunk: (chunk: Uint8Array) => Promise<void>,
): Promise<Upload> {
  const { chunks: buffered, isWhole } = await readUpTo(request, maxBytes);
  if (isWhole) return { bytes: buffered.length === 1 ? (buffered[0] as Buffer) : Buffer.concat(buffered) };
  const source = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  // After its response is sent, a request receives neither its end nor the close of its connection.
  const disconnected = Promise.withResolvers<never>();
  disconnected.promise.catch(() => undefined);
  const onDisconnect = (): void => disconnected.reject(new Error('the client closed the connection'));
  request.socket.once('close', onDisconnect);
  const next = async (): Promise<Uint8Array | undefined> => {
    const chunk =
      buffered.shift() ?? ((await Promise.race([source.next(), disconnected.promise])) as { value?: Buffer }).value;
    if (chunk) await onChunk(chunk);
    else request.socket.removeListener('close', onDisconnect);
    return chunk;
  };
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  }
  return {
    chunks: chunks(),
    drain: async () => {
      while (await next());
    },
  };
}

/** Returns the body, or undefined when it is too large. The rest is read and discarded, so that the client gets the response. */
export async function readRequestBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}
