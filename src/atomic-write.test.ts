import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFile, writeNamedFile } from './atomic-write.ts';
import { newFolder } from './resources.test.support.ts';

const folder = newFolder(afterAll);

test('makes the folders on the way and leaves nothing beside the file', async () => {
  await writeNamedFile(join(folder, 'a/b/run.json'), '{"é":1}');
  expect(readFileSync(join(folder, 'a/b/run.json'), 'utf8')).toBe('{"é":1}');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['run.json']);
});

test('replaces what was there, longer or shorter', async () => {
  const path = join(folder, 'again.txt');
  writeFileSync(path, 'a long text that was there before');
  await writeNamedFile(path, 'short');
  expect(readFileSync(path, 'utf8')).toBe('short');
});

test('what cannot be put in place is refused and cleaned up', async () => {
  const path = join(folder, 'taken');
  mkdirSync(join(path, 'inside'), { recursive: true });
  await expect(writeNamedFile(path, 'text')).rejects.toThrow();
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(readdirSync(path)).toEqual(['inside']);
  await expect(writeNamedFile(join(folder, 'again.txt/below'), 'text')).rejects.toThrow();
});

test('takes a text in parts, and never writes through a link, neither at the target nor at the temporary file', async () => {
  const [target, elsewhere] = [join(folder, 'parts.txt'), join(folder, 'elsewhere.txt')];
  writeFileSync(elsewhere, 'untouched');
  for (const link of [target, `${target}.${process.pid}.part`]) symlinkSync(elsewhere, link);
  await replaceFile(target, ['a', 'b']);
  expect(readFileSync(target, 'utf8')).toBe('ab');
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
});
