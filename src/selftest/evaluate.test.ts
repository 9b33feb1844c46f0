import { describe, expect, test } from 'vitest';
import { RULES, ruleOf } from '../../suites/index.ts';
import type { Rule } from '../rule/index.ts';
import { evaluate, type SelftestGate } from './evaluate.ts';
import { performTrial, type Trial, type TrialResult, type TrialVerdict } from './perform-trial.ts';
import { RELATED_STATEMENTS } from './related-statements.ts';

const mark = (rule: string, over: Partial<TrialVerdict> = {}): TrialVerdict => ({
  rule,
  operation: 'GET /PLATFORMAPI/prodRef/v1/allProducts',
  statement: ruleOf(rule)?.statement ?? '',
  basis: 'stated',
  gating: true,
  says: 'expected: actual',
  ...over,
});
const result = (trial: Trial, over: Partial<TrialResult> = {}): TrialResult => ({
  trial,
  outcome: 'conformant',
  failed: [],
  errors: [],
  passed: [],
  ms: 1,
  ...over,
});
const dialect = 'reference';
const FAULT: Trial = { kind: 'fault', name: 'bulk-upc-letter', dialect };
const ODDITY: Trial = { kind: 'oddity', name: 'coded-gzip', dialect };
const PLAIN: Trial = { kind: 'plain', dialect };
const DEGENERATE: Trial = { kind: 'degenerate', name: 'object', dialect };

const caught = result(FAULT, { failed: [mark('C.upc-12-digits')] });
const some: readonly Rule[] = [ruleOf('C.upc-12-digits') as Rule];
const gatesOf = (results: readonly TrialResult[], whole = true): SelftestGate[] =>
  evaluate(results, some, whole).problems.map(({ gate }) => gate);

describe('each gate by itself', () => {
  test('all of them hold', () => {
    const weighed = evaluate([caught, result(PLAIN), result(ODDITY), result(DEGENERATE)], some, true);
    expect(weighed.problems).toEqual([]);
    expect(weighed.ok).toBe(true);
    expect(weighed.says).toContain('rules 1/1 seen failing · faults 1/1 caught · false alarms 0');
    expect(weighed.kills).toEqual([
      {
        fault: 'bulk-upc-letter',
        statement: 'C.upc-12',
        strict: false,
        dialects: [dialect],
        caughtIn: [dialect],
        rules: ['C.upc-12-digits'],
      },
    ]);
  });

  test('a fault that nothing catches, or only an advisory rule, or only one of another statement', () => {
    expect(gatesOf([caught, result({ ...FAULT, name: 'bulk-upc-empty' })])).toEqual(['fault-missed']);
    const advisory = mark('C.upc-12-digits', { basis: 'plausible', gating: false });
    expect(gatesOf([result(FAULT, { failed: [advisory] })])).toEqual(['fault-missed']);
    expect(gatesOf([result(FAULT, { failed: [mark('D.market')] })], false)).toEqual(['fault-missed', 'unrelated-rule']);
  });

  test('a fault of a plausible interpretation is caught by an advisory rule', () => {
    const failed = [mark('C.delta-fresh', { basis: 'plausible', gating: false })];
    expect(gatesOf([result({ kind: 'fault', name: 'delta-stale', dialect }, { failed })], false)).toEqual([]);
  });

  test('one dialect in which a fault is caught is enough', () => {
    expect(gatesOf([result({ ...FAULT, dialect: 'xml' }), caught])).toEqual([]);
  });

  test('a rule that no fault makes fail, where all faults were tried', () => {
    expect(evaluate([caught], RULES, true).problems.length).toBe(RULES.length - 1);
    expect(evaluate([caught], RULES, false).ok).toBe(true);
  });

  test('a failure on an oddity gates, advice does not; of the plain simulator both do', () => {
    const advisory = mark('C.delta-fresh', { basis: 'plausible', gating: false });
    expect(gatesOf([caught, result(ODDITY, { outcome: 'nonconformant', failed: [mark('D.market')] })])).toEqual([
      'false-alarm',
    ]);
    expect(gatesOf([caught, result(ODDITY, { failed: [advisory] })])).toEqual([]);
    expect(gatesOf([caught, result(PLAIN, { failed: [advisory] })])).toEqual(['false-alarm']);
  });

  test('an oddity may leave as little as its dialect, or as its literal excuses', () => {
    expect(gatesOf([caught, result(PLAIN), result(ODDITY, { outcome: 'undetermined' })])).toEqual(['evidence-lost']);
    const partial = result(PLAIN, { outcome: 'partial' });
    expect(gatesOf([caught, partial, result(ODDITY, { outcome: 'partial' })])).toEqual([]);
    const untyped: Trial = { kind: 'oddity', name: 'content-type-absent', dialect };
    expect(gatesOf([caught, result(PLAIN), result(untyped, { outcome: 'undetermined' })])).toEqual([]);
  });

  test('a pass on a degenerate server, and a rule that breaks', () => {
    expect(gatesOf([caught, result(DEGENERATE, { passed: [mark('D.market')] })])).toEqual(['undue-pass']);
    expect(gatesOf([caught, result(PLAIN, { errors: [mark('D.market')] })])).toEqual(['own-error']);
  });
});

test('no statement is related to itself, and each relation is told once', () => {
  const pairs = Object.entries(RELATED_STATEMENTS).flatMap(([broken, [also]]) =>
    also.map((each) => `${broken} ${each}`),
  );
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(pairs.filter((pair) => pair.split(' ')[0] === pair.split(' ')[1])).toEqual([]);
});

describe('a rule that always passes is found out', () => {
  const passing = (rule: Rule): Rule => ({
    ...rule,
    judge: () => ({ verdict: 'pass', evidence: { exchanges: 1 } }),
  });
  test.each([
    ['C.filter-sound', 'filter-leaks-one'],
    ['C.malformed-upc', 'lookup-trims'],
    ['D.five-figures', 'figure-missing-in-one-row'],
    ['every.served', 'not-found-all-categories'],
  ])('%s', async (id, name) => {
    const rule = ruleOf(id) as Rule;
    const trial: Trial = { kind: 'fault', name, dialect };
    expect(evaluate([await performTrial(trial, [rule])], [rule], true).problems).toEqual([]);
    const weak = passing(rule);
    const gates = evaluate([await performTrial(trial, [weak])], [weak], true).problems.map(({ gate }) => gate);
    expect(gates).toEqual(['rule-never-fails', 'fault-missed']);
  });
});
