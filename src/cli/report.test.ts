/** One report of several runs, on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultWith, runWith } from '../comparison/run.test.support.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const [east, west] = [{ targetName: 'east' }, { targetName: 'west' }];

function folderOf(files: Record<string, unknown>): (name: string) => string {
  const folder = newFolder();
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return (name) => join(folder, name);
}

const report = (...args: string[]) => perform(['report', ...args]);

test('two targets make one page and one exit code', async () => {
  const file = folderOf({
    'a.json': runWith([resultWith('C.upc-12-digits', 'pass')], east),
    'b.json': runWith([resultWith('C.upc-12-digits', 'fail')], west),
  });
  const { code, stdout, stderr } = await report(file('a.json'), file('b.json'), '--report', `html=${file('all.html')}`);
  expect(code).toBe(1);
  expect(stdout).toContain('east: conformant (C, read), exit code 0');
  expect(stderr).toContain('west: 1 gating check failed');
  const page = readFileSync(file('all.html'), 'utf8');
  expect(page).toContain('<h2 id="parts-title">Runs</h2>');
});

test('an exit code that is none, which a process would turn into 0, is undetermined', async () => {
  const file = folderOf({ 'a.json': { ...runWith([resultWith('C.upc-12-digits', 'fail')]), exitCode: 256 } });
  expect((await report(file('a.json'))).code).toBe(3);
});

test.each([
  ['missing', undefined, 'there is no such file'],
  ['cut off', '{"schema":1,', 'is no JSON, or is cut off'],
  ['of something else', '[]', 'the run: must be'],
])('a part that is %s ends with 3', async (_, text, sentence) => {
  const file = folderOf({
    'a.json': runWith([resultWith('C.upc-12-digits', 'pass')]),
    ...(text !== undefined && { 'b.json': text }),
  });
  const { code, stderr } = await report(file('a.json'), file('b.json'), '--summary');
  expect([code, stderr]).toEqual([3, expect.stringContaining(sentence)]);
  expect((await report(file('b.json'), '--summary')).code).toBe(3);
});

test('--expect notices a file that no job has left', async () => {
  const file = folderOf({ 'a.json': runWith([resultWith('C.upc-12-digits', 'pass')]) });
  expect((await report(file('a.json'), '--summary')).code).toBe(0);
  expect((await report(file('a.json'), '--expect', '2', '--summary')).code).toBe(3);
  expect((await report('--expect', '1', '--summary')).code).toBe(3);
});

test('a file that is given twice, no file, or a report of several runs among others is refused', async () => {
  const file = folderOf({
    'a.json': runWith([resultWith('C.upc-12-digits', 'pass')], east),
    'b.json': runWith([resultWith('C.upc-12-digits', 'pass')], west),
  });
  expect((await report(file('a.json'), file('a.json'))).code).toBe(2);
  expect((await report()).code).toBe(2);
  await report(file('a.json'), file('b.json'), '--summary', '--report', `json=${file('all.json')}`);
  expect((await report(file('all.json'), '--summary')).code).toBe(0);
  expect((await report(file('all.json'), file('a.json'), '--summary')).code).toBe(3);
});
