/** The history of targets, for people in a terminal. */
import { counted, dateText } from '../format-values.ts';
import type { RunHistory } from '../run/comparison-types.ts';

/** Number of runs of the trend that are shown. */
const MAX_RUNS = 20;

type Check = RunHistory['checks'][number];

const checkLines = (title: string, checks: readonly Check[], since: (check: Check) => string | undefined): string[] =>
  checks.length === 0
    ? []
    : [
        `  ${title} (${checks.length})`,
        ...checks.map((each) => `    ${dateText(since(each) ?? '')}  ${each.rule} on ${each.operation}`),
      ];

function targetLines({ target, groups, trend, checks, notes }: TargetHistory): string[] {
  const shown = trend.slice(-MAX_RUNS);
  const width = Math.max(...shown.map(({ outcome }) => outcome.length));
  return [
    `${target}${groups === undefined ? '' : ` (${groups})`}: ${counted(trend.length, 'run')}`,
    ...shown.map(
      ({ startedAt, outcome, failed, proved, provable }) =>
        `    ${startedAt.slice(0, 16).replace('T', ' ')}  ${outcome.padEnd(width)}  ${failed} failed, ${proved} of ${provable} proved`,
    ),
    ...(notes.length > 0 ? ['  seen across runs', ...notes.map((each) => `    ${each}`)] : []),
    ...checkLines(
      'flaky since',
      checks.filter((each) => each.flakySince !== undefined),
      (each) => each.flakySince,
    ),
    ...checkLines(
      'first failed on',
      checks.filter((each) => each.firstFailedOn !== undefined),
      (each) => each.firstFailedOn,
    ),
  ];
}

/** The history of one target, of the runs that selected the same operations and safety class. */
export interface TargetHistory extends RunHistory {
  readonly target: string;
  /** The groups of these runs, if other runs of the target selected others. */
  readonly groups?: string;
}

/** The trend, notes, flaky checks and failures of each target. */
export const historyText = (histories: readonly TargetHistory[]): string =>
  histories.map((each) => `${targetLines(each).join('\n')}\n`).join('\n');
