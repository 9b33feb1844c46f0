/** `npx vitest run --project conformance` in a checkout, with a service and with a recording. Against the simulator, `npm test` runs it. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { startSimulatorServer } from './start-simulator.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs the conformance entries of these folders with these variables only. */
async function conformance(variables: Record<string, string>, ...folders: string[]) {
  const { BASE_URL: _b, PROFILE: _p, SAFETY: _s, RECORDING: _r, TARGET: _t, ...env } = process.env;
  const report = join(newFolder(), 'report.json');
  const reporter = ['--reporter', 'json', `--outputFile.json=${report}`];
  const args = [VITEST, 'run', '--project', 'conformance', ...reporter, ...folders];
  const code = await new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...env, ...variables }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, args, options, (error) => resolve(error?.code ?? 0));
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
  return {
    code,
    files: testResults.map(({ name }) => name.slice(ROOT.length + 1)),
    messages: testResults.map(({ message }) => message).join('\n'),
    tests: testResults.flatMap(({ assertionResults }) => assertionResults),
  };
}

test.each([
  ['the simulator', {}],
  ['a recording', { RECORDING: 'reference' }],
])('one folder is judged alone against %s', async (_, variables) => {
  const { code, files, tests } = await conformance(variables, 'suites/product-reference');
  expect({ code, files }).toEqual({
    code: 0,
    files: ['suites/product-reference/product-reference.conformance.ts'],
  });
  const whole = tests.filter(({ ancestorTitles }) => ancestorTitles.length === 0);
  expect(whole.map(({ title, status }) => [title, status])).toEqual([['the run as a whole', 'passed']]);
  const rules = tests.filter((each) => !whole.includes(each));
  expect(rules.length).toBeGreaterThan(30);
  expect(rules.every(({ title }) => title.startsWith('C.'))).toBe(true);
  // A check that does not apply is no test.
  expect(new Set(rules.map(({ status }) => status))).toEqual(new Set(['passed']));
});

test('a fault of the service fails in the entry of its folder; a group that is not implemented is skipped', async () => {
  const PROFILE = join(newFolder(), 'c-only.yaml');
  const reference = readFileSync(join(ROOT, 'src/profile/bundled/reference.yaml'), 'utf8');
  expect(reference).not.toMatch(/^implements:/m);
  writeFileSync(PROFILE, `implements: [C]\n${reference}`);
  const simulator = await startSimulatorServer({ fault: 'bulk-upc-letter' });
  onTestFinished(() => simulator.close());
  const variables = { BASE_URL: simulator.url, PROFILE };
  const { code, tests } = await conformance(variables, 'suites/product-reference', 'suites/webservices');
  expect(code).toBe(1);
  const failed = tests.filter(({ status }) => status === 'failed').map(({ title }) => title);
  expect(failed).toContain('the run as a whole');
  expect(failed.some((title) => title.startsWith('C.'))).toBe(true);
  const webservices = tests.filter(({ title }) => title.startsWith('A.'));
  expect(webservices.map(({ title, status }) => [title, status])).toEqual([
    [
      'A. Job-oriented web services (nothing is decided; not-applicable: the profile does not claim this operation)',
      'skipped',
    ],
  ]);
  expect(tests.map(({ title }) => title)).toContainEqual(
    expect.stringMatching(/^the run as a whole \(not-applicable: .+\)$/),
  );
});
