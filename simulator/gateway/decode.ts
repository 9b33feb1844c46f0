/** Decodes bodies that are compressed although the request allows identity only. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { codingsOf, decoderOf, isKnownCoding } from '../../src/content-codings.ts';

export interface Decoded {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The removed coding; undefined: the body is unchanged, because it does not have the coding its header names. */
  readonly coding?: string;
}

/**
 * Removes a Content-Encoding while the body arrives. A body whose first bytes do not have the named coding, or with an
 * unknown coding, is returned unchanged, so that the wrong header is recorded.
 */
export async function decode(body: AsyncIterable<Uint8Array>, header: string | undefined): Promise<Decoded> {
  const toRemove = codingsOf(header ?? '').reverse();
  if (toRemove.length === 0 || !toRemove.every(isKnownCoding)) return { chunks: body };
  const source = body[Symbol.asyncIterator]();
  // All chunks are buffered until the first byte is decoded: if decoding fails, the body is forwarded unchanged.
  let buffered: Promise<IteratorResult<Uint8Array>>[] | undefined = [];
  const next = () => {
    const step = source.next();
    buffered?.push(step);
    return step;
  };
  async function* bufferedThenRest(first: readonly Promise<IteratorResult<Uint8Array>>[]): AsyncGenerator<Uint8Array> {
    for (const each of first) {
      const step = await each;
      if (step.done) return;
      yield step.value;
    }
    for (let step = await next(); !step.done; step = await next()) yield step.value;
  }
  const first = await next();
  if (first.done) return { chunks: bufferedThenRest(buffered) };
  const input = Readable.from(bufferedThenRest([...buffered]), { objectMode: false });
  let end: Readable = input;
  for (const name of toRemove) {
    const decoder = decoderOf(name, first.value);
    end.on('error', (error) => decoder.destroy(error));
    end = end.pipe(decoder);
  }
  try {
    await once(end, 'readable');
    buffered = undefined;
    return { chunks: end, coding: header as string };
  } catch {
    input.destroy();
    const all = buffered ?? [];
    buffered = undefined;
    return { chunks: bufferedThenRest(all) };
  }
}
