/** Compares the verdicts of two runs against the same service. */
import type { Result, Run } from '../../run/types.ts';
import { type DifferenceKind, type DriftDifference, driftClassOf, short } from './classes.ts';

const REACHED: readonly string[] = ['pass', 'fail', 'inconclusive'];

/** The kind of a change of verdict. */
function kindOf(was: Result, is: Result): DifferenceKind {
  // No inputs, nothing recorded or an empty list: not a statement about the service.
  if (!REACHED.includes(was.verdict) || !REACHED.includes(is.verdict))
    return is.verdict === 'fail' ? gated(was, is, 'verdict') : 'not decided';
  return gated(was, is, 'verdict');
}

const gated = (was: Result, is: Result, kind: DifferenceKind): DifferenceKind =>
  was.gating || is.gating ? kind : 'advisory';

const reasonOf = ({ verdict, findings, note }: Result): string => {
  const why = findings[0]?.actual ?? note;
  return why === undefined ? verdict : `${verdict}: ${why}`;
};

/** Combines the undecided checks of one operation to one difference: there may be dozens. */
function combine(undecided: readonly DriftDifference[]): DriftDifference[] {
  return [...Map.groupBy(undecided, ({ operation }) => operation).values()].map((each) => ({
    ...(each[0] as DriftDifference),
    path: 'verdicts',
    count: `${each.length} ${each.length === 1 ? 'check' : 'checks'}`,
  }));
}

/**
 * The differences between two runs, check by check.
 * @example compareVerdicts(judgedBefore, judgedNow) // [{ kind: 'verdict', path: 'D.market', was: 'pass', is: 'fail: …' }]
 */
export function compareVerdicts(was: Run, is: Run): DriftDifference[] {
  const before = new Map(was.results.map((each) => [`${each.rule}\n${each.operation}`, each]));
  const differences = is.results.flatMap((now): DriftDifference[] => {
    const then = before.get(`${now.rule}\n${now.operation}`);
    if (!then || then.verdict === now.verdict) return [];
    const kind = kindOf(then, now);
    return [
      {
        class: driftClassOf(kind),
        kind,
        operation: now.operation,
        path: now.rule,
        count: '1',
        was: then.verdict,
        is: kind === 'not decided' ? now.verdict : short(reasonOf(now), 120),
      },
    ];
  });
  const isUndecided = ({ kind }: DriftDifference): boolean => kind === 'not decided';
  return [...differences.filter((each) => !isUndecided(each)), ...combine(differences.filter(isUndecided))];
}
