/** What changed since a baseline, as lines for people in a terminal. */
import { counted } from '../format-values.ts';
import type { CheckChange, RunComparison } from '../run/comparison-types.ts';
import { placeOf } from './describe-run.ts';

const MAX_SHOWN = 20;

const checkText = (check: Pick<CheckChange, 'target' | 'rule' | 'operation'>): string =>
  `${check.rule} on ${placeOf(check)}`;

function changeText(change: CheckChange): string {
  const { was, is, why, advisory } = change;
  const states = was === undefined && is === undefined ? '' : `: ${was ?? 'unknown'} → ${is ?? 'unknown'}`;
  return `${checkText(change)}${advisory ? ' (advisory)' : ''}${states}${why === undefined ? '' : ` (${why})`}`;
}

function listed<T>(title: string, changes: readonly T[], textOf: (change: T) => string, max: number): string[] {
  if (changes.length === 0) return [];
  const more = changes.length - max;
  return [
    `  ${title} (${changes.length})`,
    ...changes.slice(0, max).map((each) => `    ${textOf(each)}`),
    ...(more > 0 ? [`    and ${more} more; --verbose lists all`] : []),
  ];
}

/** The lines of a comparison: failures and lost proofs first, and one line per reason for what is not comparable. */
export function comparisonText(comparison: RunComparison, { verbose = false } = {}): string[] {
  const { baseline, newFailures, fixed, lostProofs, changedEvidence, notComparable } = comparison;
  const max = verbose ? Number.POSITIVE_INFINITY : MAX_SHOWN;
  const changes = newFailures.length + fixed.length + lostProofs.length + changedEvidence.length;
  const reasons = Map.groupBy(notComparable, ({ why }) => why);
  return [
    `  compared with ${baseline}${changes === 0 ? ': no change in what both runs judged' : ''}`,
    ...listed('changed evidence', changedEvidence, changeText, verbose ? max : 5),
    ...listed('fixed', fixed, changeText, max),
    ...listed('no longer decided', lostProofs, changeText, max),
    ...listed('new failures', newFailures, changeText, max),
    ...(notComparable.length > 0 ? [`  not comparable (${notComparable.length})`] : []),
    ...(verbose
      ? notComparable.map((each) => `    ${checkText(each)}: ${each.why}`)
      : [...reasons].map(([why, checks]) => `    ${counted(checks.length, 'check')}: ${why}`)),
  ];
}
