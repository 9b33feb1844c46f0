/** Bodies that come compressed although identity was asked for. */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** `deflate` is zlib’s format by the standard (RFC 9110, 8.4.1.2) and raw deflate by the habit of some servers. */
const inflate = (first: Uint8Array): Duplex => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw());

const DECODERS: Record<string, (first: Uint8Array) => Duplex> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: inflate,
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
};

export interface Decoded {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The coding undone; undefined: the body is as it came, for it is not what its header says. */
  readonly coding?: string;
}

/**
 * Undoes a Content-Encoding while the body arrives. A body that is no such thing from its beginning, or of an unknown
 * coding, comes back as it is, so that a server’s lie is recorded as a lie.
 */
export async function decode(body: AsyncIterable<Uint8Array>, header: string | undefined): Promise<Decoded> {
  const codings = (header ?? '').split(',').map((each) => each.trim().toLowerCase());
  const wanted = codings.filter((each) => each !== '' && each !== 'identity').reverse();
  if (wanted.length === 0 || wanted.some((each) => !Object.hasOwn(DECODERS, each))) return { chunks: body };
  const source = body[Symbol.asyncIterator]();
  // Until the first byte comes out, all steps taken are kept: the body may have to be passed on as it is.
  let taken: Promise<IteratorResult<Uint8Array>>[] | undefined = [];
  const next = () => {
    const step = source.next();
    taken?.push(step);
    return step;
  };
  async function* steps(first: readonly Promise<IteratorResult<Uint8Array>>[]): AsyncGenerator<Uint8Array> {
    for (const each of first) {
      const step = await each;
      if (step.done) return;
      yield step.value;
    }
    for (let step = await next(); !step.done; step = await next()) yield step.value;
  }
  const first = await next();
  if (first.done) return { chunks: steps(taken) };
  const input = Readable.from(steps([...taken]), { objectMode: false });
  let end: Duplex | Readable = input;
  for (const name of wanted) {
    const decoder = DECODERS[name]?.(first.value) as Duplex;
    end.on('error', (error) => decoder.destroy(error));
    end = end.pipe(decoder);
  }
  try {
    await once(end, 'readable');
    taken = undefined;
    return { chunks: end, coding: header as string };
  } catch {
    input.destroy();
    const all = taken ?? [];
    taken = undefined;
    return { chunks: steps(all) };
  }
}
