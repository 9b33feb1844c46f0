/** A request’s body on its way up: short ones are held, long ones stream. */
import type { IncomingMessage } from 'node:http';
import { CANONICAL_BYTES } from '../../src/exchange/har/key.ts';

export type Upload =
  | { readonly whole: Buffer }
  | {
      /** What was read so far and the rest, while it arrives; left early, the rest can still be drained. */
      readonly chunks: AsyncGenerator<Uint8Array, void>;
      /** Reads on to the end, whoever stopped listening. */
      drain(): Promise<void>;
    };

/**
 * Reads a body up to the size that can be brought into canonical form. Rejects when the client breaks off.
 * @param see is given every chunk of a long body once
 */
export async function readUpload(request: IncomingMessage, see: (chunk: Uint8Array) => Promise<void>): Promise<Upload> {
  const source = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const held: Buffer[] = [];
  let bytes = 0;
  while (bytes <= CANONICAL_BYTES) {
    const step = await source.next();
    if (step.done) return { whole: Buffer.concat(held) };
    held.push(step.value);
    bytes += step.value.length;
  }
  const next = async (): Promise<Uint8Array | undefined> => {
    const chunk = held.shift() ?? ((await source.next()) as { value?: Buffer }).value;
    if (chunk) await see(chunk);
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
