/** From results to one outcome and one exit code (design: exit codes). */
import type { Fractions, Outcome, Result } from './types.ts';

/** Every way the command can end, by meaning. When several hold, the first of PRECEDENCE counts. */
export const EXIT = {
  ok: 0,
  nonconformity: 1,
  usage: 2,
  undetermined: 3,
  drift: 5,
  secrecy: 6,
  ownError: 70,
  oldNode: 78,
} as const;

export interface Scope {
  readonly strict: boolean;
  readonly allowInconclusive: boolean;
  /** Demands full proof: what stayed untested then leaves the run undetermined. */
  readonly requireConformant: boolean;
}

const counts = (results: readonly Result[], verdict: Result['verdict']): number =>
  results.filter((each) => each.verdict === verdict).length;

/** The outcome over the gating results, with the exit code and the sentence that explains it. */
export function decideOutcome(
  results: readonly Result[],
  scope: Scope,
): { outcome: Outcome; exitCode: number; reason?: string } {
  const gating = results.filter((each) => each.gating && each.verdict !== 'not-applicable');
  const broken = results.find((each) => each.verdict === 'error');
  const failed = counts(gating, 'fail');
  const outcome: Outcome =
    failed > 0
      ? 'nonconformant'
      : counts(gating, 'pass') === 0 || (counts(gating, 'inconclusive') > 0 && !scope.allowInconclusive)
        ? 'undetermined'
        : counts(gating, 'untested') + counts(gating, 'inconclusive') > 0
          ? 'partial'
          : 'conformant';
  if (broken)
    return { outcome, exitCode: EXIT.ownError, reason: `${broken.rule} on ${broken.operation}: ${broken.note}` };
  if (outcome === 'nonconformant')
    return {
      outcome,
      exitCode: EXIT.nonconformity,
      reason: `${failed} gating ${failed === 1 ? 'check' : 'checks'} failed`,
    };
  if (outcome === 'undetermined') return { outcome, exitCode: EXIT.undetermined, reason: whyUndetermined(gating) };
  if (outcome === 'partial' && scope.requireConformant)
    return {
      outcome,
      exitCode: EXIT.undetermined,
      reason: `${counts(gating, 'untested')} gating checks stayed untested`,
    };
  return { outcome, exitCode: EXIT.ok };
}

function whyUndetermined(gating: readonly Result[]): string {
  const doubtful = gating.filter((each) => each.verdict === 'inconclusive');
  const [first] = doubtful;
  if (first)
    return `${doubtful.length} gating ${doubtful.length === 1 ? 'check is' : 'checks are'} inconclusive, first ${first.rule}: ${first.note}`;
  if (gating.length === 0) return 'nothing in the scope of this run applies to the service';
  return 'nothing was proved: every check stayed untested';
}

/** The three fractions of a report; never one percentage. */
export function fractionsOf(results: readonly Result[]): Fractions {
  const inScope = results.filter((each) => each.verdict !== 'not-applicable');
  const provable = inScope.filter((each) => each.verdict !== 'untested');
  const passed = counts(provable, 'pass');
  return {
    provable: [provable.length, inScope.length],
    proved: [passed, provable.length],
    unproved: provable.length - passed - counts(provable, 'fail'),
  };
}
