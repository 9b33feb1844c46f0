import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import {
  entriesOf,
  expectUnchanged,
  filesOf,
  masksOf,
  recordOnce,
  type UnchangedCase,
} from './record-again.test.support.ts';
import { startVolatileService } from './volatile-service.test.support.ts';

const CASES: readonly UnchangedCase[] = [
  { dialect: 'reference', ids: 'uuid', noise: true, groups: ['A'] },
  { dialect: 'reference', ids: 'short', groups: ['A'] },
  { dialect: 'hypermedia', ids: 'short', noise: true, groups: ['A'] },
  { dialect: 'xml', ids: 'long', noise: true, groups: ['A'] },
  { dialect: 'tabular', ids: 'short', groups: ['A'] },
  { dialect: 'terse', ids: 'hex', noise: true, groups: ['A'] },
];

test.each(CASES)('an unchanged service changes no byte: $dialect, $ids ids, noise $noise', expectUnchanged);

test('what is not requested again stays, and new jobs get ids of their own', async () => {
  const dir = newFolder();
  const options = { ids: 'short', groups: ['A', 'D'] } as const;
  await recordOnce(await startVolatileService(options), dir, options);
  const before = filesOf(dir);
  await recordOnce(await startVolatileService({ ids: 'short' }), dir, { groups: ['A'] });
  expect(filesOf(dir)).toEqual(before);
});

test('one value that changed changes its own entry alone, and what the profile reads is no mask', async () => {
  const dir = newFolder();
  const groups = ['D'] as const;
  await recordOnce(await startVolatileService({ noise: true }), dir, { groups });
  const before = entriesOf(filesOf(dir));
  expect(masksOf(dir)).toContain('* $.meta.generatedAt');
  expect(masksOf(dir).filter((each) => /sales|rows|market|brand|category/i.test(each))).toEqual([]);

  const change = (text: string, path: string) =>
    path.includes('BrandPerformance/Metadata') ? text.replace('"Tea"', '"Mate"') : text;
  await recordOnce(await startVolatileService({ noise: true, change }), dir, { groups });
  const after = new Map(entriesOf(filesOf(dir)).map((each) => [`${each._id} ${each._order}`, JSON.stringify(each)]));
  const changed = before.filter((each) => after.get(`${each._id} ${each._order}`) !== JSON.stringify(each));
  expect(new Set(changed.map(({ _mdwi }) => _mdwi.operation))).toEqual(
    new Set(['GET /RetailMeasurement/v1/BrandPerformance/Metadata']),
  );
});
