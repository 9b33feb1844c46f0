/** How verdicts look: a sign, a word and a class of the style sheet. */
import type { Verdict } from '../../rule/index.ts';
import type { Result } from '../../run/types.ts';
import { type Html, html } from './markup.ts';

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

/** A verdict, with waived and advisory failures apart. Worst first. */
export type Mark = keyof typeof MARKS;
export const MARK_NAMES = Object.keys(MARKS) as Mark[];

export const markOf = ({ verdict, gating, waived }: Result): Mark =>
  verdict !== 'fail' ? verdict : waived ? 'waived' : gating ? 'fail' : 'advice';

/** The worst mark of some results. */
export const worstOf = (results: readonly Result[]): Mark => {
  const marks = new Set(results.map(markOf));
  return MARK_NAMES.find((each) => marks.has(each)) ?? 'not-applicable';
};

/** The sign of a mark; readers of the screen get the word. */
export const signOf = (mark: Mark): Html =>
  html`<span class="sign ${mark}" aria-hidden="true">${MARKS[mark].sign}</span><span class="unseen">${MARKS[mark].word}: </span>`;

/** A path that may break after each slash, with the target in a report of several runs. */
export const operationMarkup = (operation: string, target?: string): Html => {
  const [method = '', path = ''] = operation.split(' ');
  const parts = path.split('/').map((part, at) => (at === 0 ? html`${part}` : html`/<wbr>${part}`));
  return html`<span class="method">${method}</span> <span class="path">${parts}</span>${target !== undefined && html` <span class="badge">${target}</span>`}`;
};
