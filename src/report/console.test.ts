/** The console report: what is shown, what is folded, and how it wraps. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { ALL_PRODUCTS, OPERATIONS, type OperationKey } from '../contract/index.ts';
import { VERDICTS } from '../rule/index.ts';
import type { Result } from '../run/types.ts';
import { kindOfText, sharedReason } from './console/same-reason.ts';
import { reportOutcome, reportToConsole } from './console.ts';
import { greenRun, HOSTILE_TEXT, resultOf, runOf, sampleRun } from './sample-run.test.support.ts';

const CATALOGUE = OPERATIONS.filter(({ group }) => group === 'B').map(({ key }) => key);

const result = (verdict: Result['verdict'], over: Partial<Result> = {}): Result =>
  resultOf('B.metadata-listed', ALL_PRODUCTS, verdict, {
    findings: verdict === 'fail' ? [{ expected: 'all rows', actual: 'none' }] : [],
    ...over,
  });

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

test('passes and checks that do not apply are counted, and listed with verbose only', () => {
  const results = VERDICTS.map((verdict) => result(verdict, { rule: `rule.${verdict}`, note: `why ${verdict}` }));
  const [short, verbose] = [reportToConsole(runOf(results)), reportToConsole(runOf(results), { verbose: true })];
  for (const verdict of VERDICTS) {
    const isFolded = verdict === 'pass' || verdict === 'not-applicable';
    expect(short.includes(`why ${verdict}`), verdict).toBe(!isFolded);
    expect(verbose, verdict).toContain(`why ${verdict}`);
  }
  expect(short).toContain('1 passed, 1 not applicable\n');
});

test('forty equal failures are one block with the number of operations, one command and one way to learn more', () => {
  const failures = CATALOGUE.map((operation, at) =>
    result('fail', {
      operation,
      findings: [1, 2, 3].map((row) => ({ expected: `rows of ${operation}`, actual: `row ${row * at}: "x${at}"` })),
    }),
  );
  const text = reportToConsole(runOf(failures));
  expect(text.match(/expected /g)?.length).toBe(1);
  expect(text).toContain(`B.metadata-listed  ${CATALOGUE.length} operations\n`);
  expect(text).toContain(`${CATALOGUE.slice(0, 3).join(', ')} and ${CATALOGUE.length - 3} more\n`);
  expect(text).toContain(`(and ${3 * CATALOGUE.length - 1} more like it)\n`);
  expect(text.match(/mdwi explain B\.metadata-listed\n/g)?.length).toBe(1);
  expect(reportToConsole(runOf(failures), { verbose: true }).match(/mdwi explain/g)?.length).toBe(CATALOGUE.length);
});

test('a status 500 is not folded into a 404, and each kind names its operations', () => {
  const failures = CATALOGUE.slice(0, 3).map((operation, at) =>
    result('fail', { operation, findings: [{ expected: 'a 2xx', actual: `status ${at === 0 ? 500 : 404}` }] }),
  );
  const text = reportToConsole(runOf(failures));
  expect(text).toMatch(/on {8}POST \S+Catalogues\n {4}expected {2}a 2xx\n {4}actual {4}status 500\n/);
  expect(text).toMatch(/actual {4}status 404 \(and 1 more like it\)\n/);
});

test('of a rule with many kinds of findings three are shown, and the number of the others', () => {
  const kinds = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ expected: letter, actual: `no ${letter}` }));
  const text = reportToConsole(runOf([result('fail', { findings: kinds })]));
  expect(text.match(/expected /g)?.length).toBe(3);
  expect(text).toContain('and       2 more findings of other kinds\n');
});

test('of many failed rules the first ones are one line each, and the last ones are whole', () => {
  const failures = Array.from({ length: 40 }, (_, at) => result('fail', { rule: `rule.${at}` }));
  const lines = linesOf(reportToConsole(runOf(failures)));
  expect(lines.length).toBeLessThan(120);
  expect(lines.filter((line) => line.includes('mdwi explain')).length).toBe(12);
  expect(lines).toContain(`  ✗ rule.0  ${ALL_PRODUCTS}: none`);
  expect(lines.findLast((line) => line.includes('mdwi explain'))).toBe('    see       mdwi explain rule.39');
});

test('equal reasons of undecided checks are one entry', () => {
  const doubts = CATALOGUE.map((operation, at) =>
    result('inconclusive', { operation, note: `#${at} ${operation}: status 401 prevents a judgement` }),
  );
  const lines = linesOf(reportToConsole(runOf(doubts)));
  expect(lines.filter((line) => line.includes('status 401'))).toEqual(['  ? status 401 prevents a judgement']);
  expect(lines).toContain(`    B.metadata-listed on ${CATALOGUE.length} operations`);
});

test('reasons that differ in numbers only are one entry, and statuses are kept apart', () => {
  const notes = ['none of 2 rows has an id', 'none of 3 rows has an id', 'status 401', 'status 500'];
  const doubts = notes.map((note, at) => result('inconclusive', { operation: CATALOGUE[at] as OperationKey, note }));
  const lines = linesOf(reportToConsole(runOf(doubts)));
  expect(lines.filter((line) => line.startsWith('  ? '))).toEqual([
    expect.stringContaining('4 inconclusive'),
    '  ? none of 2 rows has an id (and 1 like it)',
    '  ? status 401',
    '  ? status 500',
  ]);
});

test.each(['“', '"', '#', '\\"', 'a', '-1', 'GET /'])('a long text of %s is compared in linear time', (part) => {
  const text = part.repeat(200_000);
  expect(kindOfText(sharedReason(text)).length).toBeLessThanOrEqual(text.length + 2);
});

test('a cause is shown once in place of the results that it explains', () => {
  const operations = CATALOGUE as OperationKey[];
  const doubts = operations.map((operation) => result('inconclusive', { operation, note: 'status 401', cause: 0 }));
  const cause = [{ sentence: '401 on every request: check `auth`', operations, count: doubts.length }];
  const text = reportToConsole(runOf(doubts, { cause }));
  expect(text).not.toContain('status 401');
  expect(text).toContain(
    `! 401 on every request: check \`auth\` (explains ${doubts.length} results on ${operations.length} operations)\n`,
  );
  expect(reportToConsole(runOf(doubts, { cause }), { verbose: true })).toContain('status 401');
});

test('eight openings are shown, or all with verbose', () => {
  const openings = Array.from({ length: 12 }, (_, at) => ({
    opening: 'dataWeek' as const,
    asks: 'what',
    fill: `fill${at}`,
    section: '8',
    rules: ['a', 'b', 'c', 'd', 'e', 'f'],
  }));
  const run = runOf([result('pass'), result('untested', { openings: ['dataWeek'] })], { openings });
  const text = reportToConsole(run);
  expect(text.match(/○ fill\d+$/gm)?.length).toBe(8);
  expect(text).toContain('Open in the profile (12 openings, 1 untested check)');
  expect(text).toContain('→ a, b, c, d and 2 more\n');
  expect(text).toContain('and 4 more; mdwi profile openings FILE lists them');
  expect(reportToConsole(run, { verbose: true }).match(/○ fill\d+$/gm)?.length).toBe(12);
});

test('long lines wrap beside their heads; commands stay whole', () => {
  const columns = 60;
  const [wide, narrow] = [undefined, columns].map((each) =>
    linesOf(reportToConsole(sampleRun, { colour: true, columns: each })),
  ) as [string[], string[]];
  const commands = narrow.filter((line) => /^ +(?:request|see) /.test(line));
  expect(commands).toEqual(wide.filter((line) => /^ +(?:request|see) /.test(line)));
  for (const line of narrow.filter((each) => !commands.includes(each)))
    expect(stripVTControlCharacters(line).length, line).toBeLessThanOrEqual(columns);
  const letters = (lines: readonly string[]): string => stripVTControlCharacters(lines.join('')).replace(/\s/g, '');
  expect(letters(narrow)).toBe(letters(wide));
});

test('text of a service is escaped, and colours are used only if wanted', () => {
  const text = reportToConsole(sampleRun, { verbose: true });
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain(HOSTILE_TEXT);
  expect(text).toContain('\\u001b[31m');
  expect(reportToConsole(sampleRun, { verbose: true, colour: true })).toContain('\u001b[31m✗');
});

test('the outcome alone is one line', () => {
  expect(reportOutcome(sampleRun)).toBe(
    'nonconformant (ACD, all) – 3 gating checks failed; since last.json: 1 new failure, 1 fixed, 1 no longer decided\n',
  );
  expect(reportOutcome(greenRun)).toBe('conformant (C, read)\n');
  expect(reportOutcome({ ...sampleRun, reason: HOSTILE_TEXT }).split('\n').length).toBe(2);
});
