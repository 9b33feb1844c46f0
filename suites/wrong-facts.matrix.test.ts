/** A fact that a profile states wrongly is noticed where responses contradict it: all facts of each dialect. */
import { expect, test } from 'vitest';
import { DIALECT_NAMES } from '../simulator/dialects/names.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { flipsOf, unnoticedAmong } from './wrong-facts.test.support.ts';

test.each(DIALECT_NAMES)('wrong facts of %s are noticed, or the reason why not is known', async (dialect) => {
  expect(await unnoticedAmong(dialect, flipsOf((await patchedProfile(dialect)).data))).toEqual([]);
});
