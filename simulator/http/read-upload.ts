/** A request’s body on its way up: short ones are held, long ones stream. */
import type { IncomingMessage } from 'node:http';

export type Upload =
  | { readonly whole: Buffer }
  | {
      /** What was read so far and the rest, while it arrives; left early, the rest can still be drained. */
      readonly chunks: AsyncGenerator<Uint8Array, void>;
      /** Reads on to the end, whoever stopped listening. Rejects when the client breaks off. */
      drain(): Promise<void>;
    };

/**
 * Reads a body whole up to a size. Rejects when the client breaks off.
 * @param most how many bytes may be held
 * @param see is given every chunk of a long body once
 */
export async function readUpload(
  request: IncomingMessage,
  most: number,
  see: (chunk: Uint8Array) => Promise<void>,
): Promise<Upload> {
  const source = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const held: Buffer[] = [];
  let bytes = 0;
  while (bytes <= most) {
    const step = await source.next();
    if (step.done) return { whole: Buffer.concat(held) };
    held.push(step.value);
    bytes += step.value.length;
  }
  // A request that was answered already is told neither of its end nor of its connection’s.
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => undefined);
  const onGone = (): void => gone.reject(new Error('the client left'));
  request.socket.once('close', onGone);
  const next = async (): Promise<Uint8Array | undefined> => {
    const chunk = held.shift() ?? ((await Promise.race([source.next(), gone.promise])) as { value?: Buffer }).value;
    if (chunk) await see(chunk);
    else request.socket.removeListener('close', onGone);
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
