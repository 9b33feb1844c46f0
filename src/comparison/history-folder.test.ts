import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { type HistoryEntry, historyEntry } from './history-entry.ts';
import { readHistory, storeHistoryEntry } from './history-folder.ts';
import { resultWith, runWith } from './run.test.support.ts';

function emptyFolder(): string {
  const folder = newFolder();
  return join(folder, 'runs');
}

const entry = (day: number, target = 'https://staging.example/api'): HistoryEntry =>
  historyEntry(
    runWith([resultWith('r', 'pass')], { startedAt: `2026-11-${String(day).padStart(2, '0')}T03:00:00.000Z`, target }),
  );

const days = (folder: string): string[] => readHistory(folder).entries.map(({ startedAt }) => startedAt.slice(8, 10));

test('a stored entry is read back, and the same run is stored once', async () => {
  const folder = emptyFolder();
  expect(readHistory(folder)).toEqual({ entries: [], damaged: [] });
  for (const each of [entry(2), entry(1), entry(2)]) await storeHistoryEntry(folder, each);
  expect(readHistory(folder).entries).toEqual([entry(1), entry(2)]);
});

test('the oldest runs of a target are removed beyond the number', async () => {
  const folder = emptyFolder();
  await storeHistoryEntry(folder, entry(1, 'west'));
  for (const day of [1, 2, 3]) await storeHistoryEntry(folder, entry(day), { runsPerTarget: 2, bytes: 1e6 });
  expect(readHistory(folder).entries.map(({ target, startedAt }) => [target, startedAt.slice(8, 10)])).toEqual([
    ['west', '01'],
    ['https://staging.example/api', '02'],
    ['https://staging.example/api', '03'],
  ]);
});

test('the oldest runs are removed beyond the size, but not the newest', async () => {
  const folder = emptyFolder();
  for (const day of [1, 2, 3]) await storeHistoryEntry(folder, entry(day), { runsPerTarget: 9, bytes: 1 });
  expect(days(folder)).toEqual(['03']);
});

test('a damaged file is named and ignored, and files of others are left alone', async () => {
  const folder = emptyFolder();
  for (const day of [1, 2]) await storeHistoryEntry(folder, entry(day));
  const [first = ''] = readdirSync(folder);
  writeFileSync(join(folder, first), '{"history":1,');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  expect(readHistory(folder).damaged).toEqual([expect.stringContaining(first)]);
  await storeHistoryEntry(folder, entry(3), { runsPerTarget: 1, bytes: 1 });
  expect(days(folder)).toEqual(['03']);
  expect(readdirSync(folder)).toContain('notes.txt');
});

test('a file that cannot be opened, as one that another job removed, is named and ignored', async () => {
  const folder = emptyFolder();
  for (const day of [1, 2]) await storeHistoryEntry(folder, entry(day));
  const [first = ''] = readdirSync(folder);
  rmSync(join(folder, first));
  symlinkSync('nowhere', join(folder, first));
  expect([days(folder), readHistory(folder).damaged]).toEqual([['02'], [expect.stringContaining(first)]]);
  await storeHistoryEntry(folder, entry(3));
  expect(days(folder)).toEqual(['02', '03']);
});

test('a folder that is a file is refused', () => {
  expect(() => readHistory(import.meta.filename)).toThrow('the history is a folder');
});
