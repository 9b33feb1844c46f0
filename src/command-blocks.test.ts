/** Every command block of the README is run, from the packed package. */
import { expect, test } from 'vitest';
import { BLOCKS, isCommand, testPages } from './command-pages.test.support.ts';

testPages((page) => page === 'README.md');

test('few commands are not run, each for a reason', () => {
  const notRun = BLOCKS.filter(isCommand).filter(({ info }) => info.includes('not-run'));
  expect(notRun.map(({ page, info }) => `${page}: ${info.slice('sh not-run='.length)}`)).toEqual([]);
  expect(BLOCKS.filter(isCommand).length).toBeGreaterThan(12);
});
