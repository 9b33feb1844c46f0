/** A fact that a profile states wrongly is noticed where responses contradict it: some facts of one dialect. */
import { expect, test } from 'vitest';
import { DIALECT_NAMES } from '../simulator/dialects/names.ts';
import fc from '../src/seeded-fast-check.test.support.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { flipsOf, unnoticedAmong } from './wrong-facts.test.support.ts';

test('wrong facts are noticed, or the reason why not is known', async () => {
  const [dialect = 'reference'] = fc.sample(fc.constantFrom(...DIALECT_NAMES), 1);
  const flips = fc.sample(fc.constantFrom(...flipsOf((await patchedProfile(dialect)).data)), 2);
  expect([dialect, await unnoticedAmong(dialect, flips)]).toEqual([dialect, []]);
});
