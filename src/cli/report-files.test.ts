import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { UsageError } from '../usage-error.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

const folder = newFolder(afterAll);
const FORMATS = ['json', 'junit'] as const;
const inFolder = (name: string): string => join(folder, name);

describe('the files of reports', () => {
  test('are read with their formats; - and the device of standard output are standard output', () => {
    expect(reportFilesOf(undefined, FORMATS)).toEqual([]);
    const reports = reportFilesOf([`json=${inFolder('a=b.json')}`, 'junit=-'], FORMATS);
    expect(reports).toEqual([
      { format: 'json', file: inFolder('a=b.json') },
      { format: 'junit', file: '-' },
    ]);
    expect(usesStandardOutput(reports)).toBe(true);
    expect(usesStandardOutput(reportFilesOf(['json=/dev/stdout'], FORMATS))).toBe(true);
    expect(usesStandardOutput(reportFilesOf([`json=${inFolder('new/deep/run.json')}`], FORMATS))).toBe(false);
  });

  writeFileSync(inFolder('file'), '');
  mkdirSync(inFolder('folder'));
  test.each<[string, string[], RegExp]>([
    ['an unknown format', ['pdf=x'], /^--report pdf=x: write FORMAT=FILE, with a format of json, junit$/],
    ['no file', ['json='], /write FORMAT=FILE/],
    ['no format', ['run.json'], /write FORMAT=FILE/],
    ['standard output twice', ['json=-', 'junit=-'], /standard output can hold only one report/],
    [
      'one file twice',
      ['json=out', 'junit=./out'],
      /^--report junit=\.\/out: two reports cannot be written to one file$/,
    ],
    ['a folder', [`json=${inFolder('folder')}`], /cannot be written: it is a folder; name a file in it$/],
    ['a file below a file', [`json=${inFolder('file/x/y')}`], /file is a file, not a folder$/],
    ['a name that is too long', [`json=${inFolder('x'.repeat(5000))}/y`], /cannot be written: the name is too long$/],
  ])('are refused with %s', (_, values, says) => {
    const read = () => reportFilesOf(values, FORMATS);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(says);
  });

  test('that cannot be written after all keep no other from being written', async () => {
    const reports = reportFilesOf([`json=${inFolder('gone/run')}`, `junit=${inFolder('kept')}`], FORMATS);
    writeFileSync(inFolder('gone'), 'a file in the place of the folder');
    const refusals = await writeReports(reports, (format) => `the ${format}`);
    expect(refusals).toEqual([expect.stringMatching(/^--report json=.*gone\/run: cannot be written: /)]);
    expect(readFileSync(inFolder('kept'), 'utf8')).toBe('the junit');
  });
});
