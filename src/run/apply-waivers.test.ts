import { describe, expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../contract/index.ts';
import { applyWaivers, waivedText } from './apply-waivers.ts';
import { fingerprintOf } from './fingerprint.ts';
import { decideOutcome } from './outcome.ts';
import type { Result } from './types.ts';
import type { Waiver } from './waiver-types.ts';

const RULE = 'C.upc-12-digits';

const result = (verdict: Result['verdict'], kinds: string[] = [], over: Partial<Result> = {}): Result => ({
  rule: RULE,
  operation: ALL_PRODUCTS,
  statement: 'C.upc-12',
  section: '8',
  basis: 'stated',
  gating: true,
  verdict,
  waived: false,
  evidence: { exchanges: 1, rows: 1, distinct: 1 },
  findings: kinds.map((kind) => ({
    expected: 'a',
    actual: 'b',
    fingerprint: fingerprintOf(over.rule ?? RULE, over.operation ?? ALL_PRODUCTS, kind),
  })),
  ...over,
});
const print = (kind: string, operation: Result['operation'] = ALL_PRODUCTS) => fingerprintOf(RULE, operation, kind);
const waiver = (over: Partial<Waiver> = {}): Waiver => ({ source: 'w.yaml:1', rule: RULE, reason: 'known', ...over });

/** The rule passes on every operation. */
const passes = RULES.filter(({ id }) => id === RULE).flatMap(({ subjects }) =>
  subjects.map((operation) => result('pass', [], { operation })),
);

const NOW = Date.parse('2026-11-22T23:30:00Z');
const apply = (results: Result[], waivers: Waiver[], isObserved = false) => {
  const applied = applyWaivers(results, waivers, { rules: RULES, now: NOW, isObserved });
  const options = { strict: false, allowInconclusive: false, requireConformant: false };
  return { ...applied, ...decideOutcome(applied.results, { ...options, waivers: applied.waivers }) };
};

describe('a waiver', () => {
  test('covers the failure that it names, which is still a failure', () => {
    const { results, waivers, outcome, exitCode } = apply(
      [result('fail', ['upc-too-few-digits']), result('pass', [], { operation: PRODUCT_LOOKUP })],
      [
        waiver({
          operation: ALL_PRODUCTS,
          owner: 'ann',
          expires: '2026-11-30',
          fingerprints: [print('upc-too-few-digits')],
        }),
      ],
    );
    expect(results[0]).toMatchObject({
      verdict: 'fail',
      waived: true,
      waiver: { source: 'w.yaml:1', reason: 'known', owner: 'ann', expires: '2026-11-30' },
    });
    expect(waivers).toMatchObject([
      { state: 'covers', daysLeft: 8, covers: [{ rule: RULE, fingerprints: [print('upc-too-few-digits')] }] },
    ]);
    expect([outcome, exitCode]).toEqual(['conformant-with-waivers', 0]);
    expect(waivedText(results, waivers)).toBe('1 waived, 8 days left');
  });

  test('does not cover a different failure of the check', () => {
    const known = waiver({ fingerprints: [print('upc-too-few-digits')] });
    const both = apply([result('fail', ['upc-too-few-digits', 'upc-missing'])], [known]);
    expect(both).toMatchObject({ outcome: 'nonconformant', exitCode: 1, waivers: [{ state: 'covers' }] });
    expect(both.results[0]?.waived).toBe(false);
    const other = apply([result('fail', ['upc-missing'])], [known]);
    expect(other).toMatchObject({ exitCode: 1, waivers: [{ state: 'not-asked', covers: [] }] });
    expect(other.waivers[0]?.message).toContain('in another way');
    const mistyped = apply([result('fail', ['upc-missing'])], [waiver({ fingerprints: [print('upc-mising')] })]);
    expect(mistyped.waivers[0]?.message).toContain(`(did you mean “${print('upc-missing')}”?)`);
  });

  test('covers together with others', () => {
    const two = ['upc-too-few-digits', 'upc-missing'].map((kind) => waiver({ fingerprints: [print(kind)] }));
    expect(apply([result('fail', ['upc-too-few-digits', 'upc-missing'])], two).outcome).toBe('conformant-with-waivers');
  });

  test('without a fingerprint covers every failure that it matches, and lists them', () => {
    const { waivers, outcome } = apply(
      [
        result('fail', ['upc-missing', 'upc-null']),
        result('fail', ['status-404'], { rule: 'C.upc-something', operation: UPDATE_PRODUCTS }),
        result('pass', [], { operation: PRODUCT_LOOKUP }),
      ],
      [waiver({ rule: 'C.upc-*' })],
    );
    expect(outcome).toBe('conformant-with-waivers');
    expect(waivers[0]?.covers.map(({ operation, fingerprints }) => [operation, fingerprints.length])).toEqual([
      [ALL_PRODUCTS, 2],
      [UPDATE_PRODUCTS, 1],
    ]);
  });

  test.each([
    ['its rule', { rule: 'C.upc-13-digits' }, 'there is no rule “C.upc-13-digits” (did you mean “C.upc-12-digits”?)'],
    ['a rule that matches', { rule: 'X.*' }, 'there is no rule “X.*”'],
    ['its operation', { operation: 'GET /nothing' }, 'there is no operation “GET /nothing”'],
    ['an operation of the rule', { operation: 'GET /webservices/testService' }, 'does not judge'],
    [
      'a mistyped fingerprint',
      { fingerprints: ['C.upc-12-digit/allProducts/upc-missing'] },
      'is of another check (did you mean “C.upc-12-digits/allProducts/upc-missing”?)',
    ],
    ['a fingerprint of the check', { fingerprints: ['C.bulk-unique/allProducts/repeated'] }, 'is of another check'],
  ])('that does not find %s ends with 4', (_, over, says) => {
    const { waivers, exitCode, reason, outcome } = apply([result('pass')], [waiver(over)]);
    expect(waivers).toMatchObject([{ state: 'unknown' }]);
    expect([outcome, exitCode]).toEqual(['conformant', 4]);
    expect(reason).toContain(says);
    expect(reason).toContain('delete w.yaml:1');
  });

  test('is valid to the end of its last day, and covers nothing after it', () => {
    const failure = [result('fail', ['upc-missing'])];
    expect(apply(failure, [waiver({ expires: '2026-11-22' })])).toMatchObject({
      exitCode: 0,
      waivers: [{ state: 'covers', daysLeft: 0 }],
    });
    const expired = apply(failure, [waiver({ expires: '2026-11-21' })]);
    expect(expired).toMatchObject({
      outcome: 'nonconformant',
      exitCode: 1,
      waivers: [{ state: 'expired', daysLeft: -1 }],
    });
    expect(expired.reason).toBe(
      `1 gating check failed; the waiver of ${RULE} expired on 2026-11-21: delete w.yaml:1, or extend it`,
    );
    expect(apply([result('pass')], [waiver({ expires: '2026-11-21' })]).exitCode).toBe(4);
    expect(apply([], [waiver({ expires: '2026-11-21' })]).waivers[0]?.state).toBe('expired');
  });

  test.each<[string, Result[], Partial<Waiver>, string, number]>([
    ['passes now', passes, {}, 'gone', 4],
    ['passes now, in a run that leaves out an operation', passes.slice(1), {}, 'not-asked', 0],
    [
      'passes now, but now and then only',
      [result('pass')],
      { intermittent: true, expires: '2026-12-01' },
      'not-asked',
      0,
    ],
    ['is not in the scope', [result('pass', [], { rule: 'C.bulk-unique' })], {}, 'not-asked', 0],
    ['is untested', [result('pass', [], { rule: 'C.bulk-unique' }), result('untested')], {}, 'not-asked', 0],
    ['is inconclusive', [result('inconclusive')], {}, 'not-asked', 3],
    ['does not apply', [result('pass', [], { rule: 'C.bulk-unique' }), result('not-applicable')], {}, 'not-asked', 0],
    [
      'passes on one operation only',
      [result('pass'), result('untested', [], { operation: PRODUCT_LOOKUP })],
      {},
      'not-asked',
      0,
    ],
    [
      'passes on the operation of its fingerprint',
      [
        result('pass'),
        result('pass', [], { operation: PRODUCT_LOOKUP }),
        result('untested', [], { operation: UPDATE_PRODUCTS }),
      ],
      { fingerprints: [print('upc-missing', PRODUCT_LOOKUP)] },
      'gone',
      4,
    ],
  ])('whose check %s', (_, results, over, state, exitCode) => {
    const applied = apply(results, [waiver(over)]);
    expect(applied.waivers[0]?.state).toBe(state);
    expect(applied.exitCode).toBe(exitCode);
    if (state === 'gone') expect(applied.reason).toBe(`${RULE} passes now: delete w.yaml:1`);
  });

  test('says that an intermittent check passes in this run', () => {
    const { waivers } = apply([result('pass')], [waiver({ intermittent: true, expires: '2026-12-01' })]);
    expect(waivers[0]?.message).toBe(`${RULE} passes in this run; the waiver stays because it is intermittent`);
  });

  test('is not gone because traffic of others does not show the failure', () => {
    expect(apply([result('pass')], [waiver()], true)).toMatchObject({ exitCode: 0, waivers: [{ state: 'not-asked' }] });
  });
});

describe('a waiver of an inconclusive check', () => {
  const check = { rule: 'C.filter-complete' };
  const covering = waiver({
    source: 'w.yaml:9',
    ...check,
    fingerprints: [fingerprintOf(check.rule, ALL_PRODUCTS, 'inconclusive')],
  });
  const known = result('fail', ['upc-11-digits']);
  const both = [waiver(), covering];

  test('covers it, so that a known defect of another check leaves the gate green', () => {
    const { results, waivers, outcome, exitCode } = apply([known, result('inconclusive', [], check)], both);
    expect(results.map(({ waived }) => waived)).toEqual([true, true]);
    expect(waivers.map(({ state }) => state)).toEqual(['covers', 'covers']);
    expect([outcome, exitCode]).toEqual(['conformant-with-waivers', 0]);
    expect(waivedText(results, waivers)).toBe('2 waived');
  });

  test('covers no failure, no other check, and no result that a cause of the run explains', () => {
    expect(apply([known, result('fail', ['lost-row'], check)], both)).toMatchObject({ exitCode: 1 });
    expect(apply([known, result('inconclusive', [], check), result('inconclusive')], both)).toMatchObject({
      exitCode: 3,
      reason: expect.stringContaining('1 gating check is inconclusive, first C.upc-12-digits'),
    });
    expect(apply([known, result('inconclusive', [], { ...check, cause: 0 })], both)).toMatchObject({ exitCode: 3 });
  });

  test('is gone when the check passes', () => {
    expect(apply([known, result('pass', [], check)], both)).toMatchObject({
      exitCode: 4,
      reason: 'C.filter-complete passes now: delete w.yaml:9',
    });
  });

  test('is no proof: a run that proves nothing else is undetermined', () => {
    expect(apply([result('inconclusive', [], check)], [covering])).toMatchObject({
      outcome: 'undetermined',
      exitCode: 3,
      reason: expect.stringContaining('1 gating check is inconclusive'),
    });
  });

  test('needs its fingerprint: a waiver without one covers failures only', () => {
    expect(apply([known, result('inconclusive', [], check)], [waiver(), waiver(check)])).toMatchObject({ exitCode: 3 });
  });
});

test('a failure outweighs a stale waiver', () => {
  const other = result('fail', ['repeated'], { rule: 'C.bulk-unique' });
  expect(apply([result('pass'), other], [waiver()])).toMatchObject({ outcome: 'nonconformant', exitCode: 1 });
});
