import type { Log, Result as SarifResult } from 'sarif';
import { expect, test } from 'vitest';
import type { Run } from '../run/types.ts';
import { sampleRun } from './sample-run.test.support.ts';
import { reportToSarif } from './sarif.ts';

const resultsOf = (run: Run): SarifResult[] => (JSON.parse(reportToSarif(run)) as Log).runs[0]?.results ?? [];

test('no text of a service becomes a link', () => {
  const [failure] = sampleRun.results as [Run['results'][number]];
  const findings = [{ expected: 'a UPC', actual: '[log in](https://evil.example)' }];
  const [result] = resultsOf({ ...sampleRun, results: [{ ...failure, findings }] });
  expect(result?.message.text).toContain('actual [log in] (https://evil.example)');
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
