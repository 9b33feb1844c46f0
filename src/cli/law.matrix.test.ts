/**
 * The law of recordings on a sample: one in so many of the faults and oddities, each in another dialect.
 * `scripts/law.ts` tries every one in every dialect.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DIALECT_NAMES, type DialectName } from '../../simulator/dialects/names.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { readsAsOfFromDate } from '../recording/format/profile-matching.ts';
import { judgeBothWays, type LawCase } from './law.test.support.ts';

/** One case in so many of the whole product is tried here. */
const SHARE = 20;

/** What shows in all groups is checked in one of them, in turn. */
const GROUPS = ['C', 'D', 'B', 'A'] as const;

const inTurn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

const sampled = <T>(list: readonly T[]): readonly T[] => list.filter((_, at) => at % SHARE === 0);

const FAULTY = sampled(FAULTS).map(({ name }, at): LawCase => ({ dialect: inTurn(DIALECT_NAMES, at), fault: name }));
const ODD = sampled(ODDITIES).map(
  ({ name, dialects = DIALECT_NAMES, groups }, at): LawCase => ({
    dialect: inTurn<DialectName>(dialects, at),
    oddity: name,
    groups: groups ?? [inTurn(GROUPS, at)],
  }),
);

/** All groups in the first dialect, two in each of the others. */
const PLAIN = DIALECT_NAMES.map(
  (dialect, at): LawCase =>
    at === 0 ? { dialect } : { dialect, groups: [inTurn(GROUPS, at), inTurn(GROUPS, at + 1)] },
);

/** As vitest shows it. */
const named = (cases: readonly LawCase[]) =>
  cases.map((one) => [`${one.fault ?? one.oddity} in ${one.dialect}`, one] as const);

async function expectTheLaw(one: LawCase) {
  const { live, replayed, comparable, missed } = await judgeBothWays(one);
  expect(comparable[1]).toEqual(comparable[0]);
  expect(missed).toBe(0);
  return { live, replayed };
}

describe('a recording is judged as its service was', () => {
  test.each(PLAIN)('that conforms and speaks $dialect: $groups', async (one) => {
    const { replayed } = await expectTheLaw(one);
    expect(replayed.outcome).toBe('conformant');
  });

  test.each(named(FAULTY))('with the fault %s', async (_, one) => {
    await expectTheLaw(one);
  });

  test.each(named(ODD))('with the oddity %s', async (_, one) => {
    await expectTheLaw(one);
  });

  test('that states the as-of in its Date header', async () => {
    const text = readFileSync(join(import.meta.dirname, '../profile/bundled/reference.yaml'), 'utf8');
    const dated = text.replaceAll('asOf: { at: $.asOf, as: iso }', 'asOf: { at: $response.header.Date, as: httpDate }');
    const profile = parseProfile(dated, 'reference.yaml');
    expect(readsAsOfFromDate(profile)).toBe(true);
    await expectTheLaw({ dialect: 'reference', fault: 'delta-stale', profile });
  });
});
