import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/resources.test.support.ts';
import { BodySpool } from './body-spool.ts';
import { type BodyChunks, writeChunks } from './http/write-chunks.ts';
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
    open: () => ({ bytes: 0, write: full, read: () => [], release: () => undefined, close: () => undefined }),
  });
  expect([cut(), cut()]).toEqual([first, first]);
});

test('the memory of sent chunks is filled again, and responses that are sent at once contain their own bytes', async () => {
  const { body, digest } = listFrom(spool());
  const first = digest();
  const memory = new Set<ArrayBufferLike>();
  const server = createServer((_, response) => {
    const chunks = body() as Iterable<Uint8Array> & BodyChunks;
    function* noted() {
      for (const chunk of chunks) {
        memory.add(chunk.buffer);
        yield chunk;
      }
    }
    void writeChunks(response, { ...chunks, [Symbol.iterator]: noted });
  });
  const url = await listen(server);
  const request = async (): Promise<IncomingMessage> => {
    const sent = get(url, { agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  };
  const download = async (): Promise<string> => {
    const hash = createHash('sha256');
    for await (const chunk of await request()) hash.update(chunk as Buffer);
    return hash.digest('hex');
  };
  const aborted = await request();
  const downloads = [download(), download(), download()];
  aborted.destroy();
  expect(await Promise.all(downloads)).toEqual([first, first, first]);
  expect(await download()).toBe(first);
  expect(memory.size).toBeGreaterThan(0);
  expect(memory.size).toBeLessThan(60);
});
