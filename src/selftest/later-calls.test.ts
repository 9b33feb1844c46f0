/** A sample of the table that `scripts/later-calls.ts` measures: `docs/selftest.md` says what a run sees. */
import { expect, test } from 'vitest';
import type { LaterCalls, LaterChange } from '../../simulator/faults/later-calls.ts';
import { OPERATIONS, type OperationName, operationNamed } from '../contract/index.ts';
import { randomInt } from '../seeded-random.test.support.ts';
import { changesOf, type SeenLaterCall, seenOf } from './later-calls.test.support.ts';

/** A run sends two requests of these: each may start a job or store something. */
const SENT_TWICE: readonly OperationName[] = ['businesscount', 'createSurvey', 'importLocation'];

test.each<[OperationName, LaterChange, LaterCalls, SeenLaterCall['seen']]>([
  ['businesscount', 'fails', 'from-call-2', 'caught'],
  ['businesscount', 'fails', 'from-call-3', 'unseen'],
  ['getAllProspectFilters', 'lacks-one', 'from-call-2', 'inconclusive'],
  ['catalogues', 'is-refused', 'from-call-3', 'inconclusive'],
  ['refreshDates', 'fails', 'every-2nd-call', 'inconclusive'],
  ['drive', 'is-as-before', 'every-3rd-call', 'caught'],
  ['groupLevelValues', 'is-as-before', 'from-call-3', 'caught'],
])('%s %s %s: %s', async (name, change, calls, seen) => {
  const tried = { dialect: 'reference', operation: operationNamed(name), change, calls };
  expect(await seenOf(tried)).toMatchObject({ seen });
});

const OTHERS = OPERATIONS.filter(({ name }) => !SENT_TWICE.includes(name));
const SOME = OTHERS[randomInt(0, OTHERS.length)] ?? operationNamed('drive');

test(`${SOME.name} fails from its third call on, and a run sees it`, async () => {
  expect(changesOf(SOME)).toContain('fails');
  const tried = { dialect: 'reference', operation: SOME, change: 'fails', calls: 'from-call-3' } as const;
  expect(await seenOf(tried)).toMatchObject({ seen: 'caught' });
});
