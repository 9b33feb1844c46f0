import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import { decodedHead } from './decoded-head.ts';

const headOf = async (coding: string, bytes: Uint8Array, limit = 600) => {
  const headers: [string, string][] = [['Content-Encoding', coding]];
  return new TextDecoder().decode(
    await decodedHead({ status: 404, reasonPhrase: '', headers } as never, bodyFrom(bytes), limit),
  );
};

test('a compressed body is shown as the text it is', async () => {
  expect(await headOf('gzip', gzipSync('{"why":"unknown"}'))).toBe('{"why":"unknown"}');
  expect(await headOf('br', brotliCompressSync('{"why":"unknown"}'), 6)).toBe('{"why"');
});

test('a body that is not of the coding it names is shown as received', async () => {
  expect(await headOf('gzip', Buffer.from('plain'))).toBe('plain');
  expect(await headOf('shorthand', Buffer.from('plain'), 3)).toBe('pla');
});
