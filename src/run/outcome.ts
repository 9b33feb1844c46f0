/** From results to one outcome, one exit code and the reason for it. */

import { isStaleWaiver } from './apply-waivers.ts';
import { EXIT, firstToCount, interruptedExitCode } from './exit-codes.ts';
import { type InterruptSignal, interruptedBy } from './interruption.ts';
import type { Outcome } from './outcome-names.ts';
import type { Fractions, Result } from './types.ts';
import type { RunWaiver } from './waiver-types.ts';

export interface OutcomeOptions {
  readonly strict: boolean;
  readonly allowInconclusive: boolean;
  /** Requires full proof: a run with untested checks is then undetermined. */
  readonly requireConformant: boolean;
}

/** The options of an outcome, the signal that interrupted the run, and the waivers applied to its results, if any. */
type RunEnd = OutcomeOptions & {
  readonly interrupted?: InterruptSignal | undefined;
  readonly waivers?: readonly RunWaiver[] | undefined;
  /** The checks failed in an earlier run: one that is not decided now may still fail. */
  readonly failedBefore?: boolean;
};

const countOf = (results: readonly Result[], verdict: Result['verdict']): number =>
  results.filter((each) => each.verdict === verdict).length;

interface DecidedOutcome {
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly reason?: string;
}

/** The outcome over the gating results, with the exit code and the sentence that explains it. */
export function decideOutcome(results: readonly Result[], options: RunEnd): DecidedOutcome {
  const decided = decideByResults(results, options);
  const stale = (options.waivers ?? []).filter(isStaleWaiver).map(({ message }) => message ?? '');
  if (stale.length === 0 || options.interrupted) return decided;
  const shown = [...stale.slice(0, MAX_SHOWN_WAIVERS), ...(stale.length > MAX_SHOWN_WAIVERS ? ['…'] : [])].join('; ');
  return {
    outcome: decided.outcome,
    exitCode: firstToCount(decided.exitCode, EXIT.staleWaiver),
    reason: decided.reason ? `${decided.reason}; ${shown}` : shown,
  };
}

const MAX_SHOWN_WAIVERS = 5;

const end = (outcome: Outcome, exitCode: number, reason?: string): DecidedOutcome => ({
  outcome,
  exitCode,
  ...(reason !== undefined && { reason }),
});

function decideByResults(results: readonly Result[], options: RunEnd): DecidedOutcome {
  const gating = results.filter((each) => each.gating && each.verdict !== 'not-applicable');
  if (options.interrupted)
    return end(
      'interrupted',
      interruptedExitCode(options.interrupted),
      `${interruptedBy(options.interrupted)}: ${summariseDecided(gating)}`,
    );
  const suiteError = results.find((each) => each.verdict === 'error');
  const waived = gating.filter((each) => each.waived).length;
  const unwaived = gating.filter((each) => !each.waived);
  const failed = countOf(unwaived, 'fail');
  const inconclusive = countOf(unwaived, 'inconclusive');
  const outcome: Outcome =
    failed > 0
      ? 'nonconformant'
      : countOf(gating, 'pass') + countOf(gating, 'fail') === 0 || (inconclusive > 0 && !options.allowInconclusive)
        ? 'undetermined'
        : countOf(gating, 'untested') + inconclusive > 0
          ? 'partial'
          : waived > 0
            ? 'conformant-with-waivers'
            : 'conformant';
  if (suiteError)
    return end(outcome, EXIT.ownError, `${suiteError.rule} on ${suiteError.operation}: ${suiteError.note}`);
  if (outcome === 'nonconformant')
    return end(outcome, EXIT.nonconformity, `${failed} gating ${failed === 1 ? 'check' : 'checks'} failed`);
  const [left, ...more] = options.failedBefore ? results.filter(isLeftUndecided) : [];
  if (left)
    return end(
      'undetermined',
      EXIT.undetermined,
      `${checks(1 + more.length, 'gating')} failed in the earlier run and ${more.length === 0 ? 'is' : 'are'} not decided now, ${formatFirst(left)}`,
    );
  if (outcome === 'undetermined') return end(outcome, EXIT.undetermined, whyUndetermined(results));
  if (outcome === 'partial' && options.requireConformant)
    return end(outcome, EXIT.undetermined, `${summariseUndecided(gating)}, and --require conformant is given`);
  return end(outcome, EXIT.ok);
}

const isLeftUndecided = ({ gating, waived, verdict }: Result): boolean =>
  gating && !waived && verdict !== 'pass' && verdict !== 'fail';

/** The progress of an interrupted run. */
function summariseDecided(gating: readonly Result[]): string {
  const passed = countOf(gating, 'pass');
  const failed = gating.filter(({ verdict, waived }) => verdict === 'fail' && !waived).length;
  return `this is partial, of ${checks(gating.length, 'gating')} ${passed} passed and ${failed} failed`;
}

const checks = (count: number, kind: string): string => `${count} ${kind} ${count === 1 ? 'check' : 'checks'}`;

/** Why a partial outcome is not conformant. */
function summariseUndecided(gating: readonly Result[]): string {
  const [untested, inconclusive] = [
    countOf(gating, 'untested'),
    countOf(
      gating.filter((each) => !each.waived),
      'inconclusive',
    ),
  ];
  return [
    ...(untested > 0 ? [`${checks(untested, 'gating')} stayed untested`] : []),
    ...(inconclusive > 0
      ? [`${checks(inconclusive, 'gating')} ${inconclusive === 1 ? 'is' : 'are'} inconclusive`]
      : []),
  ].join(' and ');
}

/** The results of the advisory checks, undecided ones only if there are any. */
function summariseAdvisory(advisory: readonly Result[]): string {
  const undecided = (['inconclusive', 'untested'] as const).flatMap((verdict) => {
    const count = countOf(advisory, verdict);
    return count > 0 ? [`, ${count} ${verdict}`] : [];
  });
  return `${countOf(advisory, 'pass')} passed, ${countOf(advisory, 'fail')} failed${undecided.join('')}`;
}

const formatFirst = ({ rule, note }: Result): string => `first ${rule}${note ? `: ${note}` : ''}`;

function whyUndetermined(results: readonly Result[]): string {
  const applicable = results.filter((each) => each.verdict !== 'not-applicable');
  const gating = applicable.filter((each) => each.gating);
  const advisory = applicable.filter((each) => !each.gating);
  const doubts = gating.filter((each) => each.verdict === 'inconclusive');
  const unwaived = doubts.filter((each) => !each.waived);
  const inconclusive = unwaived.length > 0 ? unwaived : doubts;
  const [first] = inconclusive;
  if (first)
    return `${checks(inconclusive.length, 'gating')} ${inconclusive.length === 1 ? 'is' : 'are'} inconclusive, ${formatFirst(first)}`;
  const [firstUntested] = gating;
  if (firstUntested)
    return `nothing was proved: ${checks(gating.length, 'gating')} stayed untested, ${formatFirst(firstUntested)}${advisory.length > 0 ? `; advisory checks: ${summariseAdvisory(advisory)}` : ''}`;
  const [selected] = results;
  if (!selected) return 'nothing was proved: no check was selected';
  if (advisory.length === 0)
    return `nothing was proved: ${checks(results.length, 'selected')} ${results.length === 1 ? 'does' : 'do'} not apply, ${formatFirst(selected)}`;
  return results.every((each) => !each.gating)
    ? `only advisory rules were selected: ${summariseAdvisory(advisory)}`
    : `no gating check applies to the service; advisory checks: ${summariseAdvisory(advisory)}`;
}

/** The three fractions of a report, which no percentage replaces. */
export function fractionsOf(results: readonly Result[]): Fractions {
  const inScope = results.filter((each) => each.verdict !== 'not-applicable');
  const provable = inScope.filter((each) => each.verdict !== 'untested');
  const passed = countOf(provable, 'pass');
  return {
    provable: [provable.length, inScope.length],
    proved: [passed, provable.length],
    unproved: provable.length - passed - countOf(provable, 'fail'),
  };
}
