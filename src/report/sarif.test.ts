import type { Log, Result as SarifResult } from 'sarif';
import { expect, test } from 'vitest';
import type { Run } from '../run/types.ts';
import { sampleRun } from './sample-run.test.support.ts';
import { reportToSarif } from './sarif.ts';

const resultsOf = (run: Run): SarifResult[] => (JSON.parse(reportToSarif(run)) as Log).runs[0]?.results ?? [];
const ofRule = (run: Run, rule: string): SarifResult[] => resultsOf(run).filter(({ ruleId }) => ruleId === rule);

test('findings of one fingerprint are one result, and each result has its fingerprint', () => {
  const results = ofRule(sampleRun, 'C.upc-12-digits');
  expect(results.map(({ partialFingerprints }) => partialFingerprints?.primaryLocationLineHash)).toEqual([
    'f1a7c0de00000001',
    'f2',
    'f3',
  ]);
  expect(results[0]?.message.text).toContain('(and 1 more of this kind)');
});

test('no text of a service becomes a link', () => {
  const [failure] = sampleRun.results as [Run['results'][number]];
  const findings = [{ expected: 'a UPC', actual: '[log in](https://evil.example)' }];
  const [result] = resultsOf({ ...sampleRun, results: [{ ...failure, findings }] });
  expect(result?.message.text).toContain('actual [log in] (https://evil.example)');
});

test('a waiver is an accepted suppression, and nothing else is suppressed', () => {
  const suppressed = resultsOf(sampleRun).filter(({ suppressions }) => suppressions?.length);
  expect(suppressed.map(({ suppressions }) => suppressions)).toEqual([
    [
      {
        kind: 'external',
        status: 'accepted',
        justification: 'the supplier mends it in March (waivers.yaml:3, ann, until 2027-03-31)',
      },
    ],
  ]);
});

test('the baseline state follows the comparison; without one, or where it is not possible, there is none', () => {
  const states = (run: Run) => resultsOf(run).map(({ ruleId, baselineState }) => `${ruleId} ${baselineState}`);
  expect(states(sampleRun)).toEqual([
    'C.upc-12-digits unchanged',
    'C.upc-12-digits unchanged',
    'C.upc-12-digits unchanged',
    'every.served new',
    'every.version-none unchanged',
    'every.sound-answer unchanged',
  ]);
  const { comparison } = sampleRun as { comparison: NonNullable<Run['comparison']> };
  const [failure] = sampleRun.results as [Run['results'][number]];
  const notComparable = [{ rule: failure.rule, operation: failure.operation, why: 'another profile' }];
  expect(states({ ...sampleRun, comparison: { ...comparison, notComparable } })[0]).toBe('C.upc-12-digits undefined');
  expect(new Set(resultsOf({ ...sampleRun, comparison: undefined }).map((each) => each.baselineState))).toEqual(
    new Set([undefined]),
  );
});

test('causes, doubt and defects are notifications, never results', () => {
  const [log] = (JSON.parse(reportToSarif(sampleRun)) as Log).runs;
  expect(log?.results?.map(({ ruleId }) => ruleId)).not.toContain('C.lookup-listed');
  expect(log?.invocations?.[0]?.toolExecutionNotifications?.map(({ level }) => level)).toEqual([
    'warning',
    'warning',
    'error',
  ]);
  expect(log?.invocations?.[0]?.executionSuccessful).toBe(false);
});
