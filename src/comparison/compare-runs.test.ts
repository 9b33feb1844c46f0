import { describe, expect, test } from 'vitest';
import type { Result, Run } from '../run/types.ts';
import { compareRuns } from './compare-runs.ts';
import { compareWithBaseline } from './fail-on-new.ts';
import { mergeRuns, type ReadPart } from './merge-runs.ts';
import { resultWith, runWith } from './run.test.support.ts';

/** The rules of each list of a comparison. */
function kinds(before: Run, after: Run): Record<string, string[]> {
  const { baseline: _, failOnNew: __, ...lists } = compareRuns(before, after, 'last.json');
  return Object.fromEntries(
    Object.entries(lists).flatMap(([kind, list]) => (list.length > 0 ? [[kind, list.map(({ rule }) => rule)]] : [])),
  );
}

const single = (...args: Parameters<typeof resultWith>): Run => runWith([resultWith(...args)]);

describe('the kind of a change', () => {
  const cases: readonly (readonly [name: string, was: Result, is: Result, kind: string | undefined])[] = [
    ['a pass that fails', resultWith('r', 'pass'), resultWith('r', 'fail'), 'newFailures'],
    ['an untested check that fails', resultWith('r', 'untested'), resultWith('r', 'fail'), 'newFailures'],
    ['a failure that passes', resultWith('r', 'fail'), resultWith('r', 'pass'), 'fixed'],
    ['a failure without fingerprints that still fails', resultWith('r', 'fail'), resultWith('r', 'fail'), undefined],
    [
      'a failure of a version without fingerprints',
      resultWith('r', 'fail'),
      resultWith('r', 'fail', { prints: ['a'] }),
      undefined,
    ],
    [
      'the same kind of failure in another row',
      resultWith('r', 'fail', { prints: ['a'] }),
      resultWith('r', 'fail', { prints: ['a', 'a'] }),
      undefined,
    ],
    [
      'another kind of failure of the same check',
      resultWith('r', 'fail', { prints: ['a'] }),
      resultWith('r', 'fail', { prints: ['a', 'b'] }),
      'newFailures',
    ],
    [
      'one of two kinds of failure is gone',
      resultWith('r', 'fail', { prints: ['a', 'b'] }),
      resultWith('r', 'fail', { prints: ['b'] }),
      'changedEvidence',
    ],
    ['a pass that is untested', resultWith('r', 'pass'), resultWith('r', 'untested'), 'lostProofs'],
    ['a pass that is inconclusive', resultWith('r', 'pass'), resultWith('r', 'inconclusive'), 'lostProofs'],
    ['a failure that is untested', resultWith('r', 'fail'), resultWith('r', 'untested'), 'lostProofs'],
    ['a failure that no longer applies', resultWith('r', 'fail'), resultWith('r', 'not-applicable'), 'lostProofs'],
    ['a pass that no longer applies', resultWith('r', 'pass'), resultWith('r', 'not-applicable'), 'lostProofs'],
    [
      'a pass that fails under a waiver',
      resultWith('r', 'pass'),
      resultWith('r', 'fail', { waived: true }),
      'changedEvidence',
    ],
    ['a new proof', resultWith('r', 'untested'), resultWith('r', 'pass'), 'changedEvidence'],
    [
      'a pass on fewer rows',
      resultWith('r', 'pass'),
      resultWith('r', 'pass', { evidence: { exchanges: 1, rows: 3, distinct: 3 } }),
      'changedEvidence',
    ],
    ['a pass on the same evidence', resultWith('r', 'pass'), resultWith('r', 'pass'), undefined],
  ];
  test.each(cases)('%s', (_, was, is, kind) => {
    expect(kinds(runWith([was]), runWith([is]))).toEqual(kind ? { [kind]: ['r'] } : {});
  });
});

test('what lost most evidence comes first', () => {
  const rows = (rule: string, count: number) =>
    resultWith(rule, 'pass', { evidence: { exchanges: 1, rows: count, distinct: 0 } });
  const [before, after] = [runWith([rows('a', 100), rows('b', 100)]), runWith([rows('a', 90), rows('b', 2)])];
  expect(compareRuns(before, after, 'x').changedEvidence.map(({ rule, was, is }) => [rule, was, is])).toEqual([
    ['b', '1 exchange, 100 rows', '1 exchange, 2 rows'],
    ['a', '1 exchange, 100 rows', '1 exchange, 90 rows'],
  ]);
});

describe('the scope', () => {
  const [passed, failed, untested] = [resultWith('r', 'pass'), resultWith('r', 'fail'), resultWith('r', 'untested')];

  test('a check of one run only is not comparable', () => {
    const [both, other] = [resultWith('both', 'pass'), resultWith('other', 'fail')];
    expect(compareRuns(runWith([both, passed]), runWith([both, other]), 'x').notComparable).toEqual([
      { rule: 'other', operation: other.operation, why: 'it fails, and the baseline did not include it' },
      { rule: 'r', operation: passed.operation, why: 'this run does not include it' },
    ]);
  });

  test('a check that a lower safety class excludes is not a lost proof', () => {
    const excluded = resultWith('r', 'untested', { needsSafety: 'job' });
    const [before, after] = [runWith([passed], { safety: 'job' }), runWith([excluded], { safety: 'read' })];
    expect(compareRuns(before, after, 'x').notComparable[0]?.why).toBe(
      'the baseline ran with --safety job, this run with --safety read',
    );
    expect(kinds(runWith([passed], { safety: 'job' }), runWith([untested], { safety: 'read' }))).toEqual({
      lostProofs: ['r'],
    });
  });

  test('what an interruption left undecided is not comparable, and a failure is', () => {
    expect(kinds(runWith([passed]), runWith([untested], { interrupted: 'SIGINT' }))).toEqual({ notComparable: ['r'] });
    expect(kinds(runWith([passed]), runWith([failed], { interrupted: 'SIGINT' }))).toEqual({ newFailures: ['r'] });
  });

  test('another depth of the draw explains neither a failure nor what the profile leaves open', () => {
    const shallow = { depth: 'quick' } as const;
    const before = runWith([passed], { depth: 'thorough' });
    expect(kinds(before, runWith([untested], shallow))).toEqual({ notComparable: ['r'] });
    expect(kinds(runWith([failed], { depth: 'thorough' }), runWith([passed], shallow))).toEqual({
      notComparable: ['r'],
    });
    expect(kinds(before, runWith([failed], shallow))).toEqual({ newFailures: ['r'] });
    const open = resultWith('r', 'untested', { openings: ['allProducts.rows'] });
    expect(kinds(before, runWith([open], shallow))).toEqual({ lostProofs: ['r'] });
  });

  test('a proof that a changed profile loses is a lost proof with this reason', () => {
    const open = resultWith('r', 'untested', { note: 'the profile leaves open allProducts.rows' });
    const { lostProofs } = compareRuns(runWith([passed]), runWith([open], { profileHash: 'p2' }), 'x');
    expect(lostProofs).toEqual([
      {
        rule: 'r',
        operation: passed.operation,
        was: 'pass',
        is: 'untested',
        why: 'the profile leaves open allProducts.rows; the profile changed',
      },
    ]);
  });

  test('the same check of two targets is two checks', () => {
    const [east, west] = [{ target: 'east' }, { target: 'west' }];
    const before = runWith([resultWith('r', 'pass', east), resultWith('r', 'fail', west)]);
    const after = runWith([resultWith('r', 'fail', east), resultWith('r', 'fail', west)]);
    expect(compareRuns(before, after, 'x').newFailures.map(({ target }) => target)).toEqual(['east']);
  });
});

describe('--fail-on-new', () => {
  const other = resultWith('other', 'pass');
  const codeOf = (before: Run, after: Run): number => compareWithBaseline(before, after, 'last.json', true).exitCode;

  test('a failure of the baseline does not set the exit code, and the outcome says that it is there', () => {
    const run = runWith([resultWith('r', 'fail'), other]);
    const compared = compareWithBaseline(run, run, 'last.json', true);
    expect(compared).toMatchObject({
      outcome: 'nonconformant',
      exitCode: 0,
      reason: '1 failure of last.json remains and does not set the exit code',
    });
    expect(compareWithBaseline(run, run, 'last.json', false).exitCode).toBe(1);
  });

  test('a new failure ends with 1', () => {
    expect(codeOf(runWith([other]), runWith([resultWith('other', 'fail')]))).toBe(1);
    expect(codeOf(single('r', 'fail', { prints: ['a'] }), single('r', 'fail', { prints: ['b'] }))).toBe(1);
  });

  test('a failure that the baseline did not include is no failure of the baseline', () => {
    expect(codeOf(runWith([other]), runWith([other, resultWith('r', 'fail')]))).toBe(1);
  });

  test('a lost proof ends with 3, also if the profile changed or the check no longer applies', () => {
    const before = runWith([other, resultWith('r', 'pass')]);
    expect(codeOf(before, runWith([other, resultWith('r', 'untested')]))).toBe(3);
    expect(codeOf(before, runWith([other, resultWith('r', 'untested')], { profileHash: 'p2' }))).toBe(3);
    expect(codeOf(before, runWith([other, resultWith('r', 'not-applicable')], { profileHash: 'p2' }))).toBe(3);
    expect(codeOf(before, runWith([other, resultWith('r', 'inconclusive')], { allowInconclusive: true }))).toBe(3);
  });

  test('a new failure comes before a lost proof', () => {
    const before = runWith([other, resultWith('r', 'pass')]);
    expect(codeOf(before, runWith([resultWith('other', 'fail'), resultWith('r', 'untested')]))).toBe(1);
  });

  test('a baseline of other checks ends with 3, since nothing is compared', () => {
    expect(codeOf(runWith([resultWith('r', 'pass')]), runWith([other]))).toBe(3);
  });

  test('advice does not set the exit code', () => {
    const advice = { gating: false };
    const before = runWith([other, resultWith('r', 'pass', advice), resultWith('s', 'pass', advice)]);
    const after = runWith([other, resultWith('r', 'fail', advice), resultWith('s', 'untested', advice)]);
    expect(codeOf(before, after)).toBe(0);
    expect(kinds(before, after)).toEqual({ newFailures: ['r'], lostProofs: ['s'] });
  });

  test('what a known failure hides still sets the exit code', () => {
    const run = runWith([resultWith('r', 'fail'), other, resultWith('i', 'inconclusive')]);
    expect(codeOf(run, run)).toBe(3);
    const partial = runWith([resultWith('r', 'fail'), resultWith('u', 'untested')], { requireConformant: true });
    expect(codeOf(partial, partial)).toBe(3);
  });

  test('a report of several runs with known failures is not green if a part is missing or proves nothing', () => {
    const red: ReadPart = { file: 'a.json', run: runWith([resultWith('r', 'fail'), other]) };
    const nothing: ReadPart = { file: 'b.json', run: runWith([resultWith('u', 'untested')]) };
    const later: ReadPart = { file: 'c.json', run: { ...runWith([other]), exitCode: 42 } };
    const code = (...parts: ReadPart[]) => {
      const merged = mergeRuns(parts, '2026-11-22T08:00:00.000Z');
      return codeOf(merged, merged);
    };
    expect(code(red, { file: 'd.json', missing: 'd.json: there is no such file' })).toBe(3);
    expect(code(red, nothing)).toBe(3);
    expect(code(red, later)).toBe(3);
    const allowing = (run: Run): Run => ({ ...run, manifest: { ...run.manifest, allowInconclusive: true } });
    const doubtful: ReadPart = {
      file: 'e.json',
      run: { ...allowing(runWith([other, resultWith('i', 'inconclusive')])), exitCode: 0 },
    };
    expect(code({ file: 'a.json', run: allowing(runWith([resultWith('r', 'fail'), other])) }, doubtful)).toBe(0);
  });

  test('an interrupted run and an error of the suite keep their codes', () => {
    const before = runWith([other, resultWith('r', 'pass')]);
    expect(codeOf(before, runWith([resultWith('other', 'fail')], { interrupted: 'SIGINT' }))).toBe(130);
    expect(codeOf(before, runWith([other, resultWith('r', 'error')]))).toBe(70);
  });
});
