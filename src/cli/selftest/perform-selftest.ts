/** The whole selftest: trials performed, faults that a dialect could not prove tried in the others, all of it weighed. */
import type { DialectName } from '../../../simulator/dialects/index.ts';
import type { Rule } from '../../rule/index.ts';
import type { Trial, TrialResult } from './perform-trial.ts';
import { otherDialects, type Scope, trialsOf } from './trials.ts';
import { isCaught, tellTrial, type Weighed, weigh } from './weigh.ts';

export interface Selftest extends Weighed {
  readonly scope: Scope;
  readonly results: readonly TrialResult[];
}

export interface SelftestOptions {
  readonly scope: Scope;
  readonly rules: readonly Rule[];
  readonly perform: (trial: Trial) => Promise<TrialResult>;
  readonly onProgress?: (count: number, what: string) => void;
}

/** Rejects with an error of our own only: whatever the rules do is a result. */
export async function performSelftest({ scope, rules, perform, onProgress }: SelftestOptions): Promise<Selftest> {
  const results: TrialResult[] = [];
  const performAll = async (trials: readonly Trial[]): Promise<TrialResult[]> => {
    const done = await Promise.all(
      trials.map(async (trial) => {
        const result = await perform(trial);
        onProgress?.(results.push(result), tellTrial(trial));
        return result;
      }),
    );
    return done;
  };
  const first = await performAll(trialsOf(scope));
  const tried = Map.groupBy(
    first.filter((each) => each.trial.kind === 'fault') as (TrialResult & {
      trial: Extract<Trial, { kind: 'fault' }>;
    })[],
    ({ trial }) => trial.name,
  );
  const again = [...tried].flatMap(([name, each]) => {
    if (each.some(isCaught)) return [];
    const dialects: readonly DialectName[] = otherDialects(each.map(({ trial }) => trial.dialect));
    return dialects.map((dialect): Trial => ({ kind: 'fault', name, dialect }));
  });
  const second = await performAll(again);
  const all = [...first, ...second];
  return { scope, results: all, ...weigh(all, rules, scope.only === undefined) };
}
