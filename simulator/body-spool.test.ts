import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { BodySpool } from './body-spool.ts';
import { type BodyFiles, ResponseCache } from './response-cache.ts';

const LONGEST_IN_MEMORY = 8 * 1024 * 1024;
/** More than the cache keeps in memory. */
const ROWS = 9000;
const ROW = 'x'.repeat(1000);

/** Reads a list of long rows through a cache that keeps long bodies in these files. */
function listFrom(files: BodyFiles) {
  const cache = new ResponseCache(files);
  let written = 0;
  function* rows() {
    for (let at = 0; at < ROWS; at += 1) {
      written += 1;
      yield `${at} é ${ROW}`;
    }
  }
  const entry = { method: 'GET', path: '/list', inputs: {}, status: 200 };
  const body = () => {
    const known = cache.get('key')?.response;
    const response = { status: 200, headers: {}, body: { [Symbol.iterator]: rows } };
    return (known ?? cache.add('key', 'products', { response, entry }, () => true)).body as Iterable<Uint8Array>;
  };
  const digest = (): string => {
    const hash = createHash('sha256');
    for (const chunk of body()) hash.update(chunk);
    return hash.digest('hex');
  };
  return { cache, body, digest, writtenRows: () => written };
}

function spool(): BodySpool {
  const created = new BodySpool();
  onTestFinished(() => created.close());
  return created;
}

test('a body that is too long for memory is serialised once and read from a file later', () => {
  const { digest, writtenRows } = listFrom(spool());
  const first = digest();
  expect([digest(), digest(), writtenRows()]).toEqual([first, first, ROWS]);
});

test('a body that its client does not read to the end is not kept', () => {
  const { body, digest, writtenRows } = listFrom(spool());
  let bytes = 0;
  for (const chunk of body()) {
    bytes += chunk.length;
    if (bytes > LONGEST_IN_MEMORY + 100_000) break;
  }
  const begun = writtenRows();
  expect(begun).toBeLessThan(ROWS);
  const first = digest();
  expect([digest(), writtenRows()]).toEqual([first, begun + ROWS]);
});

test('a response that is being sent is completed although its file is dropped', () => {
  const { cache, body, digest } = listFrom(spool());
  const first = digest();
  const hash = createHash('sha256');
  for (const chunk of body()) {
    hash.update(chunk);
    cache.clear();
  }
  expect(hash.digest('hex')).toBe(first);
});

test('a disk that fails changes no response', () => {
  const full = () => {
    throw new Error('no space left on device');
  };
  const { digest, writtenRows } = listFrom({ open: full });
  const first = digest();
  expect([digest(), writtenRows()]).toEqual([first, 2 * ROWS]);
  const { digest: cut } = listFrom({
    open: () => ({ bytes: 0, write: full, read: () => [], close: () => undefined }),
  });
  expect([cut(), cut()]).toEqual([first, first]);
});
