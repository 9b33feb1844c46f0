/** The selftest: performs the trials, tries faults that were missed in other dialects, and evaluates all results. */
import { faultNamed } from '../../simulator/faults/index.ts';
import type { Rule } from '../rule/index.ts';
import { type InterruptSignal, interruptedBy, interruptionOf } from '../run/interruption.ts';
import {
  describeTrial,
  type Evaluation,
  evaluate,
  type FaultResult,
  isCaught,
  isOfFault,
  neverFailingRules,
} from './evaluate.ts';
import type { Trial, TrialResult } from './perform-trial.ts';
import { otherDialects, type SelftestScope, trialsOf } from './trials.ts';

export interface Selftest extends Evaluation {
  readonly scope: SelftestScope;
  readonly results: readonly TrialResult[];
  /** The signal that interrupted it; the result is then partial. */
  readonly interrupted?: InterruptSignal;
}

export interface SelftestOptions {
  readonly scope: SelftestScope;
  readonly rules: readonly Rule[];
  readonly perform: (trial: Trial) => Promise<TrialResult>;
  readonly onProgress?: (count: number, what: string) => void;
  /** Once it aborts, `perform` rejects, and the result contains the trials so far. */
  readonly signal?: AbortSignal;
}

/** Rejects only for an error of the selftest itself: failures of rules are results. */
export async function performSelftest({
  scope,
  rules,
  perform,
  onProgress,
  signal,
}: SelftestOptions): Promise<Selftest> {
  let count = 0;
  const performAll = async (trials: readonly Trial[]): Promise<TrialResult[]> => {
    const results = await Promise.all(
      trials.map(async (trial) => {
        try {
          const result = await perform(trial);
          onProgress?.(++count, describeTrial(trial));
          return [result];
        } catch (error) {
          if (signal?.aborted) return [];
          throw error;
        }
      }),
    );
    return results.flat();
  };
  const all = await performAll(trialsOf(scope));
  const evaluated = (isComplete: boolean): Selftest => ({ scope, results: all, ...evaluate(all, rules, isComplete) });
  const received = interruptionOf(signal);
  if (received) return interruptedResult(evaluated(false), received);
  // A quick run sends too few requests to demand that it catches every fault.
  if (scope.depth === 'quick') return withoutDemands(evaluated(false));
  /** Tries faults in one more dialect each time, until none of them is wanted or each was tried in all dialects. */
  const tryInOtherDialects = async (isWanted: (result: FaultResult) => boolean): Promise<void> => {
    for (let more = inNextDialects(all, isWanted); more.length > 0; more = inNextDialects(all, isWanted)) {
      all.push(...(await performAll(more)));
      if (signal?.aborted) return;
    }
  };
  // A fault may not be provable in one dialect, so a missed one is tried in the others.
  await tryInOtherDialects(({ trial }) => !resultsOfFault(all, trial.name).some(isCaught));
  const isOfNeverFailingRule = ({ trial }: FaultResult): boolean =>
    neverFailingRules(all, rules).some(({ statement }) => statement === faultNamed(trial.name).statement);
  if (!scope.only) await tryInOtherDialects(isOfNeverFailingRule);
  const receivedLater = interruptionOf(signal);
  if (receivedLater) return interruptedResult(evaluated(false), receivedLater);
  return evaluated(scope.only === undefined);
}

/** A result without missed faults among its problems. */
function withoutDemands(tested: Selftest): Selftest {
  const problems = tested.problems.filter(({ gate }) => gate !== 'fault-missed');
  return { ...tested, ok: problems.length === 0, problems };
}

/** The result of an interrupted selftest, without missed faults: another dialect may catch these. */
function interruptedResult(tested: Selftest, interrupted: InterruptSignal): Selftest {
  const says = `${interruptedBy(interrupted)}: this is partial, after ${tested.results.length} trials · ${tested.says}`;
  return { ...withoutDemands(tested), ok: false, says, interrupted };
}

const resultsOfFault = (results: readonly TrialResult[], name: string): FaultResult[] =>
  results.filter(isOfFault).filter(({ trial }) => trial.name === name);

/** The trials of faults in the next dialect in which they were not tried. */
function inNextDialects(results: readonly TrialResult[], isWanted: (result: FaultResult) => boolean): Trial[] {
  const wanted = results.filter(isOfFault).filter(isWanted);
  const names = new Set(wanted.map(({ trial }) => trial.name));
  return [...names].flatMap((name): Trial[] => {
    const tried = resultsOfFault(results, name).map(({ trial }) => trial.dialect);
    const [dialect] = otherDialects(name, tried);
    return dialect === undefined ? [] : [{ kind: 'fault', name, dialect }];
  });
}
