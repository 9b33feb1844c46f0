import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { RECORDED_ORIGIN } from '../../src/recording/format/origin.ts';
import { SideFileError } from '../../src/recording/store/read-side-file.ts';
import { newFolder } from '../../src/resources.test.support.ts';
import { SideFileCache } from './side-file-cache.ts';

const folder = newFolder(afterAll);
mkdirSync(join(folder, 'bodies'));

function sideFile(text: string, isText = false) {
  const file = `bodies/sha256-${createHash('sha256').update(text).digest('hex')}`;
  writeFileSync(join(folder, file), text);
  return { folder, body: { file, bytes: Buffer.byteLength(text) }, isText };
}

test('a body stays in memory only as long as its file is what was recorded', async () => {
  const cache = new SideFileCache();
  const file = sideFile('a recorded body');
  const path = join(folder, file.body.file);
  expect(cache.get(file, '')).toBeUndefined();
  expect(String(await cache.load(file, ''))).toBe('a recorded body');
  expect(String(cache.get(file, ''))).toBe('a recorded body');
  writeFileSync(path, 'another content');
  expect(cache.get(file, '')).toBeUndefined();
  await expect(cache.load(file, '')).rejects.toThrow(SideFileError);
  rmSync(path);
  expect(cache.get(file, '')).toBeUndefined();
  await expect(cache.load(file, '')).rejects.toThrow(/is missing/);
});

test('a text is kept once per base that replaces the origin', async () => {
  const cache = new SideFileCache();
  const file = sideFile(`{"next":"${RECORDED_ORIGIN}/list"}`, true);
  await cache.load(file, 'http://127.0.0.1:1');
  expect(String(cache.get(file, 'http://127.0.0.1:1'))).toBe('{"next":"http://127.0.0.1:1/list"}');
  expect(cache.get(file, 'http://127.0.0.1:1/~/ci')).toBeUndefined();
});

test('the body that was not used for longest leaves first', async () => {
  const cache = new SideFileCache({ bodyBytes: 10, totalBytes: 20 });
  const [first, second, third] = ['1'.repeat(10), '2'.repeat(10), '3'.repeat(10)].map((text) => sideFile(text)) as [
    ReturnType<typeof sideFile>,
    ReturnType<typeof sideFile>,
    ReturnType<typeof sideFile>,
  ];
  expect(cache.isCacheable(first)).toBe(true);
  expect(cache.isCacheable(sideFile('4'.repeat(11)))).toBe(false);
  await cache.load(first, '');
  await cache.load(second, '');
  cache.get(first, '');
  await cache.load(third, '');
  expect([first, second, third].map((file) => cache.get(file, '') !== undefined)).toEqual([true, false, true]);
});
