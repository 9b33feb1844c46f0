import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, firstToCount } from './exit-codes.ts';
import { decideOutcome, fractionsOf, type OutcomeOptions } from './outcome.ts';
import type { Result } from './types.ts';

const result = (verdict: Result['verdict'], gating = true, note?: string): Result => ({
  rule: `rule.${verdict}`,
  operation: 'GET /PLATFORMAPI/prodRef/v1/allProducts',
  statement: 'C.bulk',
  section: '4.3',
  basis: gating ? 'stated' : 'plausible',
  gating,
  verdict,
  waived: false,
  evidence: { exchanges: 1, rows: 1, distinct: 1 },
  findings: [],
  ...(note && { note }),
});
const [pass, fail, doubt, open, foreign, broken] = [
  result('pass'),
  result('fail'),
  result('inconclusive', true, 'the control failed'),
  result('untested', true, 'not filled'),
  result('not-applicable', true, 'not claimed'),
  result('error', true, 'the rule broke'),
];
const waived: Result = { ...result('fail'), waived: true };
const advice = (verdict: Result['verdict']) => result(verdict, false, 'a note');

type Scope = Partial<OutcomeOptions> & { readonly failedBefore?: boolean };
const decide = (results: readonly Result[], scope: Scope = {}) =>
  decideOutcome(results, { strict: false, allowInconclusive: false, requireConformant: false, ...scope });

describe('outcome and exit code', () => {
  test.each<[string, Result[], Scope, string, number]>([
    ['all passed', [pass, pass], {}, 'conformant', 0],
    ['what does not apply counts for nothing', [pass, foreign], { requireConformant: true }, 'conformant', 0],
    ['one failure among passes', [pass, fail, pass], {}, 'nonconformant', 1],
    ['a failure outweighs doubt and openness', [doubt, open, fail], {}, 'nonconformant', 1],
    ['a failure without any pass', [fail], {}, 'nonconformant', 1],
    ['a failure stays one whatever is allowed', [pass, fail], { allowInconclusive: true }, 'nonconformant', 1],
    ['a waived failure', [pass, waived], {}, 'conformant-with-waivers', 0],
    ['a waived failure alone', [waived], {}, 'conformant-with-waivers', 0],
    [
      'a waived failure with full proof demanded',
      [pass, waived],
      { requireConformant: true },
      'conformant-with-waivers',
      0,
    ],
    ['a waived failure beside another', [pass, waived, fail], {}, 'nonconformant', 1],
    ['a waived failure beside doubt', [pass, waived, doubt], {}, 'undetermined', 3],
    ['a waived failure beside something open', [pass, waived, open], {}, 'partial', 0],
    ['something left open', [pass, open], {}, 'partial', 0],
    ['something left open where all is demanded', [pass, open], { requireConformant: true }, 'partial', 3],
    ['doubt', [pass, doubt], {}, 'undetermined', 3],
    ['doubt that is allowed', [pass, doubt], { allowInconclusive: true }, 'partial', 0],
    [
      'doubt that is allowed where all is demanded',
      [pass, doubt],
      { allowInconclusive: true, requireConformant: true },
      'partial',
      3,
    ],
    ['nothing proved', [open, open], {}, 'undetermined', 3],
    ['only doubt, allowed: still nothing proved', [doubt], { allowInconclusive: true }, 'undetermined', 3],
    ['nothing applies', [foreign], {}, 'undetermined', 3],
    ['nothing at all', [], {}, 'undetermined', 3],
    ['advice never gates', [pass, advice('fail'), advice('inconclusive'), advice('untested')], {}, 'conformant', 0],
    ['advice never proves', [advice('pass')], {}, 'undetermined', 3],
    ['advice alone is never conformant', [advice('pass'), foreign], { allowInconclusive: true }, 'undetermined', 3],
    ['our own error', [pass, broken], {}, 'conformant', 70],
    ['our own error beside a failure', [fail, broken], {}, 'nonconformant', 70],
    ['our own error of an advisory check', [pass, advice('error')], {}, 'conformant', 70],
    ['a failure of before that is open', [pass, open], { failedBefore: true }, 'undetermined', 3],
    ['a failure of before that does not apply', [pass, foreign], { failedBefore: true }, 'undetermined', 3],
    [
      'a failure of before that is doubtful, which is allowed',
      [pass, doubt],
      { failedBefore: true, allowInconclusive: true },
      'undetermined',
      3,
    ],
    ['advice of before that is open', [pass, advice('untested')], { failedBefore: true }, 'conformant', 0],
    ['a failure of before that remains', [fail, open], { failedBefore: true }, 'nonconformant', 1],
  ])('%s', (_, results, scope, outcome, exitCode) => {
    const decided = decide(results, scope);
    expect([decided.outcome, decided.exitCode]).toEqual([outcome, exitCode]);
    expect(decided.reason === undefined).toBe(exitCode === 0);
  });
});

describe('the reason is one sentence', () => {
  test.each<[string, Result[], Partial<OutcomeOptions>, string]>([
    ['of one failure', [fail], {}, '1 gating check failed'],
    ['of several', [fail, fail], {}, '2 gating checks failed'],
    ['of doubt', [pass, doubt], {}, '1 gating check is inconclusive, first rule.inconclusive: the control failed'],
    ['of more doubt', [doubt, doubt], {}, '2 gating checks are inconclusive, first rule.inconclusive'],
    ['of no proof', [open], {}, 'nothing was proved: 1 gating check stayed untested, first rule.untested: not filled'],
    ['of no proof beside advice', [open, advice('pass')], {}, 'not filled; advisory checks: 1 passed, 0 failed'],
    ['of an empty selection', [], {}, 'no check was selected'],
    ['of an empty scope', [foreign], {}, 'nothing was proved: 1 selected check does not apply, first rule.not-app'],
    ['of all that does not apply', [foreign, advice('not-applicable')], {}, '2 selected checks do not apply'],
    ['of advice alone', [advice('pass'), advice('pass')], {}, 'only advisory rules were selected: 2 passed, 0 failed'],
    ['of advice that failed', [advice('fail'), advice('pass')], {}, 'rules were selected: 1 passed, 1 failed'],
    ['of undecided advice', [advice('untested')], {}, 'rules were selected: 0 passed, 0 failed, 1 untested'],
    ['of advice where no gating check applies', [foreign, advice('pass')], {}, 'no gating check applies'],
    ['of openness', [pass, open], { requireConformant: true }, '1 gating check stayed untested, and --require'],
    [
      'of allowed doubt where all is demanded',
      [pass, doubt],
      { allowInconclusive: true, requireConformant: true },
      '1 gating check is inconclusive, and --require conformant',
    ],
    ['of our own error', [broken], {}, 'rule.error on GET /PLATFORMAPI/prodRef/v1/allProducts: the rule broke'],
  ])('%s', (_, results, scope, says) => {
    const { reason = '' } = decide(results, scope);
    expect(reason).toContain(says);
    expect(reason).not.toMatch(/undefined|\n/);
  });
});

describe('fractions', () => {
  test('count units, advisory ones too, and leave out what does not apply', () => {
    expect(fractionsOf([pass, pass, fail, doubt, open, foreign, advice('pass'), broken])).toEqual({
      provable: [6, 7],
      proved: [3, 6],
      unproved: 2,
    });
  });

  test('of nothing are nothing', () => {
    expect(fractionsOf([])).toEqual({ provable: [0, 0], proved: [0, 0], unproved: 0 });
    expect(fractionsOf([foreign, open])).toEqual({ provable: [0, 1], proved: [0, 0], unproved: 0 });
  });
});

describe('an interrupted run', () => {
  test.each([
    ['SIGINT', 130, 'interrupted by SIGINT (Ctrl-C): this is partial, of 2 gating checks 1 passed and 1 failed'],
    ['SIGTERM', 143, 'interrupted by SIGTERM: this is partial, of 2 gating checks 1 passed and 1 failed'],
  ] as const)('by %s is no verdict, whatever was proved by then', (interrupted, exitCode, reason) => {
    const scope = { strict: false, allowInconclusive: false, requireConformant: false, interrupted };
    expect(decideOutcome([pass, fail, advice('pass')], scope)).toEqual({ outcome: 'interrupted', exitCode, reason });
  });
});

test('of several exit codes the first of the order counts', () => {
  const order = [78, 6, 130, 143, 70, 2, 1, 3, 4, 5, 0];
  for (const [at, code] of order.entries()) expect(firstToCount(...order.slice(at).reverse())).toBe(code);
  expect(order.toSorted()).toEqual(Object.values(EXIT).toSorted());
});

test.each(['README.md', 'docs/verdicts.md'])('%s lists every exit code in a table', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
  const listed = [...text.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed.toSorted()).toEqual(Object.values(EXIT).toSorted());
});
