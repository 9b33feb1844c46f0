/** A worker thread of the selftest: receives trials and posts their results. */
import { parentPort } from 'node:worker_threads';
import { RULES } from '../../suites/index.ts';
import { performTrial, type Trial } from './perform-trial.ts';
import type { TrialMessage } from './worker-pool.ts';

parentPort?.on('message', async ({ id, trial }: { readonly id: number; readonly trial: Trial }) => {
  const message = await performTrial(trial, RULES).then(
    (result): TrialMessage => ({ result }),
    (error: Error): TrialMessage => ({ error: error.stack ?? error.message }),
  );
  parentPort?.postMessage({ id, ...message });
});
