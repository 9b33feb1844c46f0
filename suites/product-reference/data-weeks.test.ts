/** Windows counted from a refresh date of group B, where the lists themselves hold no as-of. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseProfile } from '../../src/profile/parse-profile.ts';
import { judgeSimulation } from '../judge-in-process.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const REFRESH = 'POST /data-access/v1/Catalogue/RefreshDates';
const reference = await readFile('src/profile/bundled/reference.yaml', 'utf8');

function profileWith(refreshDate: unknown, bindDate = true) {
  const data = parse(reference);
  for (const key of [BULK, DELTA]) delete data.operations[key].response.fields.asOf;
  if (!bindDate) delete data.operations[REFRESH].response.fields.date;
  data.dataWeek.refreshDate = refreshDate;
  data.dataWeek.refreshDateIs = refreshDate === undefined ? undefined : 'lastDay';
  return parseProfile(stringify(data), 'refresh.yaml', {});
}

async function judgeWindows(refreshDate: unknown, fault?: string) {
  const selection = { safety: 'read', rules: ['C.delta-window', 'C.history-window'] } as const;
  const run = await judgeSimulation({ ...(fault && { fault }) }, { profile: profileWith(refreshDate), selection });
  return Object.fromEntries(run.results.map(({ rule, verdict }) => [rule, verdict] as const));
}

test.each([
  ['newest', undefined, 'pass', 'pass'],
  ['newest', 'delta-row-a-day-early', 'pass', 'fail'],
  ['newest', 'bulk-product-a-day-too-old', 'fail', 'pass'],
  [{ id: 'no such item' }, undefined, 'inconclusive', 'inconclusive'],
])('refresh date %j, fault %s: history %s, delta %s', async (refreshDate, fault, history, delta) => {
  expect(await judgeWindows(refreshDate, fault)).toEqual({ 'C.history-window': history, 'C.delta-window': delta });
});

test('a refresh date that no selector reads is refused', () => {
  expect(() => profileWith('newest', false)).toThrow(/dataWeek\.refreshDate.*fields\.date/s);
});
