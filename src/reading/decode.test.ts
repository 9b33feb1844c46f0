import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { decodeBody, decodedHead } from './decode.ts';
import { BodyError } from './problem.ts';
import { chunksOf } from './read-shape.test.support.ts';

const headOf = (...headers: [string, string][]): ResponseHead => ({ status: 200, reasonPhrase: 'OK', headers });

async function decode(head: ResponseHead, chunks: AsyncIterable<Uint8Array>, maxBytes = 1_000_000) {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decodeBody(head, chunks, maxBytes)) parts.push(Buffer.from(part));
    return { text: Buffer.concat(parts).toString() };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { text: Buffer.concat(parts).toString(), problem: { kind: error.kind, message: error.message } };
  }
}

const TEXT = JSON.stringify({ name: 'größer', list: Array.from({ length: 500 }, (_, at) => at) });
const bytes = Buffer.from(TEXT);

describe('content codings', () => {
  const coded: [string, Uint8Array][] = [
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['zstd', zstdCompressSync(bytes)],
    ['identity', bytes],
    ['', bytes],
    ['gzip, br', brotliCompressSync(gzipSync(bytes))],
    ['br,identity, gzip', gzipSync(brotliCompressSync(bytes))],
  ];
  it.each(coded)('%s is undone', async (coding, body) => {
    for (const size of [1, 7, 100_000]) {
      expect(await decode(headOf(['content-encoding', coding]), chunksOf(body, size))).toEqual({ text: TEXT });
    }
  });

  it('several header lines are one list', async () => {
    const head = headOf(['Content-Encoding', 'gzip'], ['content-encoding', 'br']);
    expect(await decode(head, chunksOf(brotliCompressSync(gzipSync(bytes)), 64))).toEqual({ text: TEXT });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('an empty body is empty in %s too', async (coding) => {
    expect(await decode(headOf(['content-encoding', coding]), chunksOf(new Uint8Array(0), 1))).toEqual({ text: '' });
  });

  it.each(coded.slice(0, 7))('%s that breaks off is truncated', async (coding, body) => {
    const half = body.subarray(0, Math.floor(body.length / 2));
    const { problem } = await decode(headOf(['content-encoding', coding]), chunksOf(half, 50));
    expect(problem).toEqual({ kind: 'truncated', message: expect.stringContaining('ends within') });
  });

  it.each(['gzip', 'br', 'zstd', 'deflate'])('what is not %s is an encoding problem', async (coding) => {
    const { problem } = await decode(
      headOf(['content-encoding', coding]),
      chunksOf(Buffer.from('<html>not coded</html>'), 5),
    );
    expect(problem?.kind).toBe('encoding');
    expect(problem?.message).toContain(coding);
  });

  it.each(['compress', 'constructor', 'aws-chunked'])('%s is unknown', async (coding) => {
    expect((await decode(headOf(['content-encoding', coding]), chunksOf(bytes, 10))).problem).toEqual({
      kind: 'encoding',
      message: `the body has the unknown content coding “${coding}”`,
    });
  });

  it('a small body that unpacks to an enormous one is stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { problem } = await decode(headOf(['content-encoding', 'gzip']), chunksOf(bomb, 1000), 1_000_000);
    expect(problem).toEqual({ kind: 'tooLarge', message: 'the decoded body is longer than 1000000 bytes' });
  });

  it('a connection that breaks off is truncated, coded or not', async () => {
    async function* broken() {
      yield gzipSync(bytes).subarray(0, 30);
      throw new Error('socket hang up');
    }
    for (const coding of ['gzip', 'identity']) {
      expect((await decode(headOf(['content-encoding', coding]), broken())).problem).toEqual({
        kind: 'truncated',
        message: 'the body broke off: socket hang up',
      });
    }
  });

  it('stops the source when the reader stops', async () => {
    let stopped = false;
    async function* endless() {
      try {
        for (;;) yield gzipSync(bytes);
      } finally {
        stopped = true;
      }
    }
    for await (const chunk of decodeBody(headOf(['content-encoding', 'gzip']), endless(), 1e9)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => stopped).toBe(true);
  });
});

describe('charsets', () => {
  const utf16 = (text: string, big = false) => {
    const little = Buffer.from(text, 'utf16le');
    return big ? little.swap16() : little;
  };

  it.each<[string, string | undefined, Uint8Array]>([
    ['UTF-8', undefined, Buffer.from('größe €')],
    ['UTF-8 by name', 'utf-8', Buffer.from('größe €')],
    ['UTF-8 with a mark', undefined, Buffer.from('\ufeffgröße €')],
    ['UTF-16 LE', 'utf-16le', utf16('größe €')],
    ['UTF-16 LE with a mark', 'utf-16', utf16('\ufeffgröße €')],
    ['UTF-16 BE', 'UTF-16BE', utf16('größe €', true)],
    ['UTF-16 with only a mark to tell', undefined, utf16('\ufeffgröße €', true)],
    ['windows-1252', 'windows-1252', Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x80])],
    // What the web calls ISO-8859-1 is windows-1252.
    ['ISO-8859-1', 'ISO-8859-1', Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x80])],
    ['quoted', '"iso-8859-15"', Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0xa4])],
  ])('%s', async (_, charset, body) => {
    const head = headOf(['content-type', charset ? `application/json; charset=${charset}` : 'application/json']);
    for (const size of [1, 2, 1000]) expect(await decode(head, chunksOf(body, size))).toEqual({ text: 'größe €' });
  });

  it('an unknown charset and bytes that are none of it are encoding problems', async () => {
    const unknown = await decode(headOf(['content-type', 'text/plain; charset=klingon']), chunksOf(bytes, 10));
    expect(unknown.problem).toEqual({ kind: 'encoding', message: 'the body has the unknown charset “klingon”' });
    const wrong = await decode(
      headOf(['content-type', 'text/plain; charset=shift_jis']),
      chunksOf(Buffer.from([0x81]), 1),
    );
    expect(wrong.problem?.kind).toBe('encoding');
  });

  it('an XML declaration names one, which Content-Type overrides', async () => {
    const declaration = '<?xml version="1.0" encoding="ISO-8859-1" ?><a>';
    const body = Buffer.from(`${declaration}größe</a>`, 'latin1');
    const plain = await decode(headOf(['content-type', 'text/xml']), chunksOf(body, 5));
    expect(plain).toEqual({ text: `${declaration}größe</a>` });
    const overridden = headOf(['content-type', 'text/xml; charset=windows-1251']);
    expect((await decode(overridden, chunksOf(body, 5))).text).toBe(`${declaration}grцЯe</a>`);
    const other = Buffer.from('{"a":"<?xml version=\'1.0\' encoding=\'utf-16\'?>"}');
    expect(await decode(headOf(), chunksOf(other, 5))).toEqual({ text: other.toString() });
  });

  it('short bodies pass whole', async () => {
    for (const text of ['', 'a', 'ab', 'abc'])
      expect(await decode(headOf(), chunksOf(Buffer.from(text), 1))).toEqual({ text });
    expect(await decode(headOf(), chunksOf(Buffer.from('\ufeff'), 1))).toEqual({ text: '' });
  });
});

const beginningOf = async (coding: string, bytes: Uint8Array, limit = 600) => {
  const headers: [string, string][] = [['Content-Encoding', coding]];
  return new TextDecoder().decode(
    await decodedHead({ status: 404, reasonPhrase: '', headers } as never, bodyFrom(bytes), limit),
  );
};

test('a compressed body is shown as the text it is', async () => {
  expect(await beginningOf('gzip', gzipSync('{"why":"unknown"}'))).toBe('{"why":"unknown"}');
  expect(await beginningOf('br', brotliCompressSync('{"why":"unknown"}'), 6)).toBe('{"why"');
});

test('a body that is not of the coding it names is shown as received', async () => {
  expect(await beginningOf('gzip', Buffer.from('plain'))).toBe('plain');
  expect(await beginningOf('shorthand', Buffer.from('plain'), 3)).toBe('pla');
});
