import { expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import type { Depth } from '../contract/index.ts';
import { performSelftest } from './perform-selftest.ts';
import type { Trial, TrialResult } from './perform-trial.ts';

const withoutFailures = async (trial: Trial): Promise<TrialResult> => ({
  trial,
  outcome: 'conformant',
  failed: [],
  errors: [],
  passed: [],
  ms: 1,
});
const selftest = (depth: Depth) =>
  performSelftest({
    scope: { full: false, only: ['lookup-second-call-changes'], depth },
    rules: RULES,
    perform: withoutFailures,
  });

test('a missed fault is tried in the other dialects and is a problem', async () => {
  const { ok, problems, results } = await selftest('standard');
  expect([ok, problems.map(({ gate }) => gate)]).toEqual([false, ['fault-missed']]);
  expect(results.filter(({ trial }) => trial.kind === 'fault')).toHaveLength(7);
});

test('at depth quick a missed fault is counted, and no problem', async () => {
  const { ok, says, results } = await selftest('quick');
  expect(ok).toBe(true);
  expect(says).toContain('faults 0/1 caught');
  expect(results.filter(({ trial }) => trial.kind === 'fault')).toHaveLength(1);
});
