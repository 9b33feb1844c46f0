/** How runs become tests of vitest. Runs in a checkout: `describe-conformance.matrix.test.ts`. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { suiteOptions } from './suite-options.ts';

test.each([
  [{ PROFILE: 'acme.yaml' }, 'the profile acme.yaml is given without a target: give BASE_URL, RECORDING or TARGET'],
  [{ SAFETY: 'read' }, 'the safety class read is given without a target: give BASE_URL, RECORDING or TARGET'],
  [{ BASE_URL: '' }, 'the base address is empty: give BASE_URL, RECORDING or TARGET'],
  [{ BASE_URL: 'http://127.0.0.1:9', RECORDING: 'reference' }, 'RECORDING and BASE_URL: only one of them'],
])('%j is refused: %s', (variables, says) => {
  expect(() => suiteOptions('catalogue', undefined, variables)).toThrow(says);
});

const ROOT = join(import.meta.dirname, '../..');

interface JsonReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs a test file with this text in a project of its own. */
async function runTestFile(text: string) {
  const folder = newFolder();
  const entry = JSON.stringify(join(ROOT, 'src/api/vitest.ts'));
  writeFileSync(join(folder, 'app.test.ts'), `import { describeConformance } from ${entry};\n${text}`);
  const report = join(folder, 'report.json');
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    folder,
    '--reporter',
    'json',
    `--outputFile.json=${report}`,
  ];
  // It ends with 1, because tests fail.
  await expect(promisify(execFile)(process.execPath, args, { cwd: ROOT })).rejects.toThrow('Command failed');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JsonReport;
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

test('a test per check or per group: advice and waived failures are skipped, and what is red shows the command and the rule', async () => {
  const result = (rule: string, more: object) => ({
    ...{ rule, operation: 'GET /webservices/testService', section: '4', findings: [], waived: false, gating: true },
    ...more,
  });
  const results = [
    result('every.served', { verdict: 'pass' }),
    result('A.test-service', { verdict: 'fail', gating: false, note: 'advice' }),
    result('every.sound-answer', { verdict: 'fail', waived: true, waiver: { reason: 'TICKET-1' } }),
    result('every.unversioned', { verdict: 'error', note: 'our own' }),
  ];
  const failed = result('C.upc-12-digits', {
    ...{ operation: 'GET /PLATFORMAPI/prodRef/v1/allProducts', section: '8', verdict: 'fail' },
    findings: [{ expected: 'a UPC of 12 digits', actual: '11', exchange: '#1' }],
  });
  const finished = { exitCode: 70, reason: 'our own', results, exchanges: [] };
  const broken = { ...finished, results: [results[0], failed], exchanges: [{ id: '#1', curl: 'curl allProducts' }] };
  const tests = await runTestFile(
    `await describeConformance({ run: ${JSON.stringify(finished)} as never, testExitCode: false });
    await describeConformance({ run: ${JSON.stringify(broken)} as never, tests: 'group' });`,
  );
  expect(tests.map(({ title, status }) => [title.replace(' · GET /webservices/testService', ''), status])).toEqual([
    ['every.served', 'passed'],
    ['A.test-service (advisory fail: advice)', 'skipped'],
    ['every.sound-answer (waived: TICKET-1)', 'skipped'],
    ['every.unversioned', 'failed'],
    ['A. Job-oriented web services', 'passed'],
    ['C. Product reference', 'failed'],
    ['the run as a whole', 'failed'],
  ]);
  expect(tests[5]?.failureMessages.join('\n')).toContain(
    `C.upc-12-digits · GET /PLATFORMAPI/prodRef/v1/allProducts: fail
expected a UPC of 12 digits; actual 11
#1: curl allProducts
section 8; mdwi explain C.upc-12-digits`,
  );
});
