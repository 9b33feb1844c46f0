import type { IncomingMessage } from 'node:http';

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
