/** A worker thread of the selftest: performs trials. */
import { RULES } from '../../suites/index.ts';
import { performTrial, type Trial, type TrialResult } from './perform-trial.ts';

/** Called by the pool with each trial. */
export default (trial: Trial): Promise<TrialResult> => performTrial(trial, RULES);
