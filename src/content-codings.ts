/** The content codings that a body may have, and how each is removed (RFC 9110, section 8.4.1). */
import type { Transform } from 'node:stream';
import { builtinModule } from './builtin-module.ts';
import { concat } from './bytes.ts';

const zlib = () => builtinModule('node:zlib');

/** The zlib wrapper: method 8, and a checksum over its two bytes (RFC 1950). Many servers send deflate without it. */
const isWrapped = ([method = 0, flags]: Uint8Array): boolean =>
  (method & 0x0f) === 8 && (flags === undefined || (method * 256 + flags) % 31 === 0);

/** The decoder of each known coding. @param first the first bytes of the coded body, at best two */
const DECODERS: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => zlib().createGunzip(),
  'x-gzip': () => zlib().createGunzip(),
  deflate: (first) => (isWrapped(first) ? zlib().createInflate() : zlib().createInflateRaw()),
  br: () => zlib().createBrotliDecompress(),
  zstd: () => zlib().createZstdDecompress(),
};

/** Whether the coding can be removed. */
export const isKnownCoding = (coding: string): boolean => Object.hasOwn(DECODERS, coding);

/**
 * The codings of a Content-Encoding header, in the order of application.
 *
 * @example codingsOf('identity, BR, gzip') // ['br', 'gzip']
 */
export const codingsOf = (header: string): string[] =>
  header
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');

/** A stream that removes a known coding. @param first the first bytes of the coded body, at best two */
export function decoderOf(coding: string, first: Uint8Array): Transform {
  const open = isKnownCoding(coding) ? DECODERS[coding] : undefined;
  if (!open) throw new RangeError(`the content coding “${coding.slice(0, 40)}” is unknown`);
  return open(first);
}

/**
 * The body without one known coding. Iterating throws the error of zlib if the body does not have the coding or is not
 * complete; an empty body stays empty.
 */
export async function* removeCoding(chunks: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  const [first, rest] = await peek(chunks, 2);
  if (first.length === 0) return;
  const { pipeline, Readable } = builtinModule('node:stream');
  const decoder = decoderOf(coding, first);
  const source = Readable.from(rest, { objectMode: false });
  // An error of either stream ends the loop below.
  pipeline(source, decoder, () => undefined);
  try {
    yield* decoder;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

/** At least `count` first bytes, if there are as many, and all the bytes from the beginning. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
): Promise<[Uint8Array, AsyncGenerator<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < count) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : concat([first, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (first.length > 0) yield first;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      // A reader that stops early closes the source too.
      await iterator.return?.();
    }
  }
  return [first, all()];
}
