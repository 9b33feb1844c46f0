import { expect, test } from 'vitest';
import { type Call, type CallTexts, judgeCalls } from './repeated-calls.ts';

const CODINGS = ['gzip', 'identity', 'br'] as const;

/** Three calls of each of fifteen subjects, each with another coding first; those with gzip get an older copy. */
const calls: readonly Call[] = Array.from({ length: 45 }, (_, at): Call => {
  const [subject, nth] = [at % 15, Math.floor(at / 15)];
  const coding = CODINGS[(subject + nth) % 3] as string;
  const content = 2 * subject + Number(coding === 'gzip');
  const operation = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
  const reading = { exchange: `#${at}`, operation, inputs: {}, acceptEncoding: coding, folds: {} } as const;
  return { reading, subject: `s${subject}`, nth: nth + 1, content, isFound: true, asOf: undefined };
});
const texts: CallTexts = {
  difference: () => 'one row, then another',
  kind: () => 'changed',
  expected: 'the same content',
  nothing: 'nothing is found',
};
const judge = (of: readonly Call[], more: Partial<CallTexts> = {}) =>
  judgeCalls(of, { ...texts, ...more }, { exchanges: of.length, rows: of.length, distinct: 15 });

test('a copy of one coding that lags explains what a reload changes', () => {
  expect(judge(calls)).toMatchObject({ verdict: 'inconclusive' });
});

test('no lag explains that all contents depend on the coding if a reload changes few of them', () => {
  expect(judge(calls, { isRarelyReloaded: true })).toMatchObject({
    verdict: 'fail',
    findings: expect.arrayContaining([expect.objectContaining({ kind: 'changed-by-coding' })]),
  });
});

test('one as-of date excludes a lag', () => {
  expect(judge(calls.map((call) => ({ ...call, asOf: 20_000 })))).toMatchObject({ verdict: 'fail' });
});
