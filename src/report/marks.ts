/** How verdicts look in reports for people: a sign and a word. */
import type { Verdict } from '../rule/index.ts';
import type { Result } from '../run/types.ts';

export const MARKS = {
  fail: { sign: '✗', word: 'failed' },
  error: { sign: '!', word: 'defect of mdwi' },
  waived: { sign: '~', word: 'waived' },
  advice: { sign: '✗', word: 'failed as advice' },
  inconclusive: { sign: '?', word: 'inconclusive' },
  untested: { sign: '○', word: 'untested' },
  pass: { sign: '✓', word: 'passed' },
  'not-applicable': { sign: '–', word: 'not applicable' },
} as const satisfies Record<Verdict | 'waived' | 'advice', { sign: string; word: string }>;

/** A verdict, with waived results and advisory failures apart. Worst first. */
export type Mark = keyof typeof MARKS;
export const MARK_NAMES = Object.keys(MARKS) as Mark[];

export const markOf = ({ verdict, gating, waived }: Result): Mark =>
  waived ? 'waived' : verdict !== 'fail' ? verdict : gating ? 'fail' : 'advice';

/** The worst mark of some results. */
export const worstOf = (results: readonly Result[]): Mark => {
  const marks = new Set(results.map(markOf));
  return MARK_NAMES.find((each) => marks.has(each)) ?? 'not-applicable';
};
