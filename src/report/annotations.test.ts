import { expect, test } from 'vitest';
import { operationsOf } from '../contract/index.ts';
import type { Result, Run } from '../run/types.ts';
import { reportToGithub, reportToGitlab } from './annotations.ts';
import { sampleRun } from './sample-run.test.support.ts';

const [failure] = sampleRun.results as [Result];
const failing = (count: number): Run => ({
  ...sampleRun,
  waivers: undefined,
  results: operationsOf('A')
    .slice(0, count)
    .map((operation) => ({ ...failure, operation })),
});

test('GitHub shows ten annotations of a kind, so the tenth says how many more there are', () => {
  const errors = (run: Run) => reportToGithub(run).match(/^::error .*$/gm) ?? [];
  expect(errors(failing(10))).toHaveLength(10);
  expect(errors(failing(10)).at(-1)).toContain('C.upc-12-digits');
  expect(errors(failing(15))).toHaveLength(10);
  expect(errors(failing(15)).at(-1)).toBe('::error title=mdwi::and 6 more, in the other reports');
});

test('a cause replaces the results that it explains, and is an error if one of them is a failure', () => {
  const explained = { ...failure, cause: 0 };
  const cause = [{ sentence: '500 on every request: check the service', operations: [failure.operation], count: 2 }];
  const both: Run = {
    ...sampleRun,
    waivers: undefined,
    cause,
    results: [explained, { ...explained, verdict: 'inconclusive', findings: [] }],
  };
  const command = '::error title=mdwi%3A one cause::500 on every request: check the service%0Aexplains 2 results';
  expect(reportToGithub(both).trimEnd().split('\n').slice(1)).toEqual([command]);
  const doubt: Run = { ...both, results: both.results.slice(1) };
  expect(reportToGithub(doubt)).toContain('::warning title=mdwi%3A one cause');
  expect(JSON.parse(reportToGitlab(doubt))).toMatchObject([{ check_name: 'mdwi', severity: 'major' }]);
});

test('the fingerprint for GitLab is of what is wrong: another row leaves it, another kind of failure changes it', () => {
  const printOf = (findings: Result['findings']) =>
    (JSON.parse(reportToGitlab({ ...sampleRun, results: [{ ...failure, findings }] })) as { fingerprint: string }[])[0]
      ?.fingerprint;
  const [finding] = failure.findings as [Result['findings'][number]];
  expect(printOf([{ ...finding, row: 7, actual: 'row 7: other' }])).toBe(printOf([finding, finding]));
  expect(printOf([{ ...finding, fingerprint: 'other' }])).not.toBe(printOf([finding]));
});
