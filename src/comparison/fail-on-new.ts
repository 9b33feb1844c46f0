/** The exit code of a compared run under `--fail-on-new`. */
import { counted } from '../format-values.ts';
import { isGatingFailure } from '../report/describe-run.ts';
import type { CheckChange } from '../run/comparison-types.ts';
import { EXIT, firstToCount, knownCode } from '../run/exit-codes.ts';
import { decideOutcome } from '../run/outcome.ts';
import type { Result, Run } from '../run/types.ts';
import { checkKey, compareRuns, isKnownFailure, resultsByCheck } from './compare-runs.ts';

/** Codes that say that a run has no complete result; no comparison changes them. */
const INCOMPLETE: ReadonlySet<number> = new Set([
  EXIT.interrupted,
  EXIT.terminated,
  EXIT.ownError,
  EXIT.usage,
  EXIT.secrecy,
]);

const firstOf = (checks: readonly Pick<Result, 'rule' | 'operation'>[]): string =>
  checks.length === 0 ? '' : `${checks.length > 1 ? 'first ' : ''}${checks[0]?.rule} on ${checks[0]?.operation}`;

/** The exit code that the run would have without its known failures. */
function withoutKnown(run: Run, known: ReadonlySet<Result>): ReturnType<typeof decideOutcome> {
  const results = run.results.map((each) => (known.has(each) ? { ...each, verdict: 'pass' as const } : each));
  const { strict, allowInconclusive = false, requireConformant = false } = run.manifest;
  const decided = decideOutcome(results, { strict, allowInconclusive, requireConformant, waivers: run.waivers });
  // The results do not show that a part of a report is missing or proved nothing.
  const ofParts = (run.parts ?? []).map(({ exitCode = EXIT.undetermined }) => knownCode(exitCode));
  const exitCode = firstToCount(decided.exitCode, ...ofParts.filter((code) => code !== EXIT.nonconformity));
  return exitCode === decided.exitCode ? decided : { ...decided, exitCode, ...(run.reason && { reason: run.reason }) };
}

/**
 * Returns the compared run with the exit code of `--fail-on-new`: 1 for a failure that the baseline does not have, 3 for
 * a lost proof of a gating check. A failure that the baseline has does not set the exit code; the outcome is not changed.
 * All other codes are as always.
 */
function failOnNew(before: Run, after: Run & Required<Pick<Run, 'comparison'>>): Run {
  if (INCOMPLETE.has(after.exitCode)) return after;
  const earlier = resultsByCheck(before);
  const failures = after.results.filter(isGatingFailure);
  const known = new Set(failures.filter((each) => isKnownFailure(earlier.get(checkKey(each)), each)));
  const newFailures = failures.filter((each) => !known.has(each));
  const lost = after.comparison.lostProofs.filter(({ advisory }: CheckChange) => !advisory);
  const { baseline } = after.comparison;
  // A comparison of nothing is no proof that nothing is lost.
  const comparesNothing = !after.results.some((each) => earlier.has(checkKey(each)));
  const rest =
    after.exitCode === EXIT.nonconformity
      ? withoutKnown(after, known)
      : { exitCode: after.exitCode, reason: after.reason };
  const exitCode = firstToCount(
    ...(newFailures.length > 0 ? [EXIT.nonconformity] : []),
    ...(lost.length > 0 || comparesNothing ? [EXIT.undetermined] : []),
    rest.exitCode,
  );
  const reason = [
    ...(newFailures.length > 0
      ? [
          `${counted(newFailures.length, 'gating check')} failed that did not fail like this in ${baseline}, ${firstOf(newFailures)}`,
        ]
      : []),
    ...(lost.length > 0
      ? [
          `${counted(lost.length, 'gating check')} of ${baseline} ${lost.length === 1 ? 'is' : 'are'} not decided any more, ${firstOf(lost)}`,
        ]
      : []),
    ...(comparesNothing ? [`no check is in this run and in ${baseline}, so that nothing is compared`] : []),
    ...(newFailures.length === 0 && rest.exitCode !== EXIT.ok && rest.reason ? [rest.reason] : []),
    ...(known.size > 0
      ? [
          `${counted(known.size, 'failure')} of ${baseline} ${known.size === 1 ? 'remains and does' : 'remain and do'} not set the exit code`,
        ]
      : []),
  ].join('; ');
  const { reason: _, ...run } = after;
  return { ...run, exitCode, ...(reason && { reason }) };
}

/**
 * Compares a run with an earlier one.
 * @param baseline the name of the earlier run, for reports
 * @param failsOnNew whether the exit code is that of `--fail-on-new`
 */
export function compareWithBaseline(before: Run, after: Run, baseline: string, failsOnNew: boolean): Run {
  const comparison = compareRuns(before, after, baseline);
  if (!failsOnNew) return { ...after, comparison };
  return failOnNew(before, { ...after, comparison: { ...comparison, failOnNew: true } });
}
