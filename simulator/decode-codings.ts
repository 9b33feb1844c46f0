/** Removes the content codings of a body, as `fetch` does (RFC 9110, section 8.4). Only in Node do bodies have one. */
import type { Transform } from 'node:stream';
import { builtinModule } from '../src/builtin-module.ts';

const zlib = () => builtinModule('node:zlib');

/** Method 8 of the zlib format (RFC 1950); some servers send deflate without it. */
const isZlib = (first: number): boolean => (first & 0x0f) === 8;

const DECODERS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib().createGunzip(),
  deflate: (first) => (isZlib(first) ? zlib().createInflate() : zlib().createInflateRaw()),
  br: () => zlib().createBrotliDecompress(),
  zstd: () => zlib().createZstdDecompress(),
};

/** The codings of a Content-Encoding header in the order of application; undefined: one of them is unknown. */
export function codingsOf(header: string | null): readonly string[] | undefined {
  const names = (header ?? '').split(',').map((each) => each.trim().toLowerCase());
  const codings = names.filter((each) => each !== '' && each !== 'identity');
  return codings.every((each) => Object.hasOwn(DECODERS, each)) ? codings : undefined;
}

/** The body without its codings. Iterating throws if the body is not complete. */
export const decodeCodings = (
  chunks: AsyncIterable<Uint8Array>,
  codings: readonly string[],
): AsyncIterable<Uint8Array> => codings.reduceRight(decode, chunks);

async function* decode(chunks: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const { pipeline, Readable } = builtinModule('node:stream');
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const decoder = DECODERS[coding]?.(first.value?.[0] ?? 0);
  if (first.done || !decoder) return;
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  // An error of either stream ends the loop of whoever reads the decoder.
  pipeline(Readable.from(all(), { objectMode: false }), decoder, () => undefined);
  yield* decoder;
}
