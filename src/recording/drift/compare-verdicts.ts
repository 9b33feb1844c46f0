/** Compares the verdicts of two runs against the same service. */
import { counted } from '../../format-values.ts';
import type { Result, Run } from '../../run/types.ts';
import { type DifferenceKind, type DriftDifference, driftClassOf, shorten } from './classes.ts';

const DECIDED: readonly string[] = ['pass', 'fail', 'inconclusive'];

/** The kind of a change of verdict. No inputs, nothing recorded or an empty list are not a statement about the service. */
function kindOf(recorded: Result, current: Result): DifferenceKind {
  const isDecided = [recorded, current].every(({ verdict }) => DECIDED.includes(verdict));
  if (!isDecided && current.verdict !== 'fail') return 'not decided';
  return recorded.gating || current.gating ? 'verdict' : 'advisory';
}

const reasonOf = ({ verdict, findings, note }: Result): string => {
  const reason = findings[0]?.actual ?? note;
  return reason === undefined ? verdict : `${verdict}: ${reason}`;
};

/** Combines the undecided checks of one operation to one difference: there may be dozens. */
function combine(undecided: readonly DriftDifference[]): DriftDifference[] {
  return [...Map.groupBy(undecided, ({ operation }) => operation).values()].map((each) => ({
    ...(each[0] as DriftDifference),
    path: 'verdicts',
    count: counted(each.length, 'check'),
  }));
}

/**
 * The differences between two runs, check by check.
 * @example compareVerdicts(judgedBefore, judgedNow) // [{ kind: 'verdict', path: 'D.market', was: 'pass', is: 'fail: …' }]
 */
export function compareVerdicts(recorded: Run, current: Run): DriftDifference[] {
  const before = new Map(recorded.results.map((each) => [`${each.rule}\n${each.operation}`, each]));
  const differences = current.results.flatMap((currentResult): DriftDifference[] => {
    const recordedResult = before.get(`${currentResult.rule}\n${currentResult.operation}`);
    if (!recordedResult || recordedResult.verdict === currentResult.verdict) return [];
    const kind = kindOf(recordedResult, currentResult);
    return [
      {
        class: driftClassOf(kind),
        kind,
        operation: currentResult.operation,
        path: currentResult.rule,
        count: '1',
        was: recordedResult.verdict,
        is: kind === 'not decided' ? currentResult.verdict : shorten(reasonOf(currentResult), 120),
      },
    ];
  });
  const isUndecided = ({ kind }: DriftDifference): boolean => kind === 'not decided';
  return [...differences.filter((each) => !isUndecided(each)), ...combine(differences.filter(isUndecided))];
}
