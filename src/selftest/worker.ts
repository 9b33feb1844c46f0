/** A worker thread of the selftest: performs trials. */
import { RULES } from '../../suites/index.ts';
import type { Depth } from '../contract/index.ts';
import { performTrial, type Trial, type TrialResult } from './perform-trial.ts';

/** Called by the pool with each trial. */
export default ({ trial, depth }: { readonly trial: Trial; readonly depth: Depth }): Promise<TrialResult> =>
  performTrial(trial, RULES, { depth });
