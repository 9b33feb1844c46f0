import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { bodyFrom, Capture, TemporaryBodies } from './body.ts';
import type { CapturedBody } from './types.ts';

let folder = '';
beforeEach(() => {
  folder = newFolder();
});

async function bytesOf(body: CapturedBody): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of body.chunks()) parts.push(chunk);
  return Buffer.concat(parts);
}

const pattern = (length: number) => Buffer.from(Array.from({ length }, (_, at) => at % 251));

async function captured(
  bodies: TemporaryBodies,
  whole: Buffer,
  piece: number,
  memoryBytes: number,
): Promise<CapturedBody> {
  const capture = new Capture(bodies, memoryBytes);
  for (let at = 0; at < whole.length; at += piece) await capture.write(whole.subarray(at, at + piece));
  return capture.end();
}

describe.each([
  ['in memory', 1 << 20],
  ['in a file', 1000],
])('a captured body %s', (_, memoryBytes) => {
  test('is read any number of times, also by two readers at once', async () => {
    const bodies = new TemporaryBodies(folder);
    const whole = pattern(200_001);
    const body = await captured(bodies, whole, 777, memoryBytes);
    expect(body.bytes).toBe(whole.length);
    const [once, twice] = await Promise.all([bytesOf(body), bytesOf(body)]);
    expect(once.equals(whole) && twice.equals(whole)).toBe(true);
    await bodies.close();
  });

  test('gives its first bytes', async () => {
    const bodies = new TemporaryBodies(folder);
    const whole = pattern(100_000);
    const body = await captured(bodies, whole, 5000, memoryBytes);
    expect(Buffer.from(await body.firstBytes()).equals(whole.subarray(0, 65_536))).toBe(true);
    expect(Buffer.from(await body.firstBytes(7)).equals(whole.subarray(0, 7))).toBe(true);
    expect((await body.firstBytes(1e6)).length).toBe(100_000);
    await bodies.close();
  });
});

describe('the folder of large bodies', () => {
  test('creates its folder only when a body is too long for memory, readable by its owner only', async () => {
    const bodies = new TemporaryBodies(folder);
    await captured(bodies, pattern(1000), 100, 1000);
    expect(await readdir(folder)).toEqual([]);
    await Promise.all([captured(bodies, pattern(1001), 100, 1000), captured(bodies, pattern(3000), 100, 1000)]);
    const [inner = ''] = await readdir(folder);
    const files = await readdir(join(folder, inner));
    expect(files.toSorted()).toEqual(['body-0', 'body-1']);
    expect((await stat(join(folder, inner))).mode & 0o777).toBe(0o700);
    for (const file of files) expect((await stat(join(folder, inner, file))).mode & 0o777).toBe(0o600);
    await bodies.close();
    expect(await readdir(folder)).toEqual([]);
    await bodies.close();
  });

  test('removes a discarded body at once', async () => {
    const bodies = new TemporaryBodies(folder);
    const capture = new Capture(bodies, 10);
    await capture.write(pattern(100));
    await capture.discard();
    const [inner = ''] = await readdir(folder);
    expect(await readdir(join(folder, inner))).toEqual([]);
    await bodies.close();
  });

  test('that cannot be created rejects', async () => {
    await expect(captured(new TemporaryBodies('/nowhere/at/all'), pattern(100), 100, 10)).rejects.toThrow('ENOENT');
  });
});

test('bodyFrom serves the bytes it was given', async () => {
  const body = bodyFrom(Buffer.from('hello'));
  expect([body.bytes, String(await bytesOf(body)), String(await body.firstBytes(2))]).toEqual([5, 'hello', 'he']);
  expect(await bytesOf(bodyFrom(new Uint8Array(0)))).toHaveLength(0);
});

test('bodies stay in memory up to a sum; beyond it only small ones do', async () => {
  const bodies = new TemporaryBodies(folder, 100_000);
  const whole = pattern(60_000);
  const received = [];
  for (const length of [60_000, 60_000, 60_000, 8000])
    received.push(await captured(bodies, whole.subarray(0, length), 5000, 1 << 20));
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.includes('body-'));
  expect(files).toHaveLength(1);
  for (const body of received) expect((await bytesOf(body)).equals(whole.subarray(0, body.bytes))).toBe(true);
  await bodies.close();
});
