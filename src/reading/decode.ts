/** Undoes what stands between the wire and the text: content codings and charsets. */
import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { firstHeader, mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';

/** The decompressor of each coding; deflate comes with and without a zlib wrapper in the wild. */
const CODINGS: Record<string, (first: Uint8Array) => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
};

export class DecodeError extends Error {}

async function* uncoded(chunks: AsyncIterable<Uint8Array>, coding: string): AsyncIterable<Uint8Array> {
  const open = CODINGS[coding];
  if (!open) throw new DecodeError(`the body comes in the unknown content coding “${coding}”`);
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  const source = Readable.from(whole(), { objectMode: false });
  const plain = open(first.value);
  let broken: Error | undefined;
  source.on('error', (error) => {
    broken = error;
    (plain as unknown as Readable).destroy(error);
  });
  try {
    yield* source.pipe(plain) as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (broken) throw broken;
    throw new DecodeError(`the body is not valid ${coding}: ${(error as Error).message}`);
  } finally {
    source.destroy();
  }
}

async function* recoded(chunks: AsyncIterable<Uint8Array>, charset: string): AsyncIterable<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    throw new DecodeError(`the body comes in the unknown charset “${charset}”`);
  }
  const encoder = new TextEncoder();
  try {
    for await (const chunk of chunks) yield encoder.encode(decoder.decode(chunk, { stream: true }));
    yield encoder.encode(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) throw new DecodeError(`the body is not valid ${charset}`);
    throw error;
  }
}

async function* withoutBom(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 3) continue;
    yield head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
    head = undefined;
  }
  if (head && head.length > 0) yield head;
}

/** The body as UTF-8 bytes without a byte-order mark. Iterating throws a DecodeError when a coding is broken. */
export function decodeBody(head: ResponseHead, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const codings = (firstHeader(head.headers, 'content-encoding') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity');
  const plain = codings.reduceRight((body, coding) => uncoded(body, coding), chunks);
  const { charset } = mediaTypeOf(head.headers);
  return withoutBom(charset && !/^(utf-?8|us-ascii)$/i.test(charset) ? recoded(plain, charset) : plain);
}
