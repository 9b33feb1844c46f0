import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { expectUnchanged, filesOf, recordOnce, type UnchangedCase } from './record-again.test.support.ts';
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
