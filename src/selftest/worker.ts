/** A thread of the selftest: takes trials, answers with their results. */
import { parentPort } from 'node:worker_threads';
import { RULES } from '../../suites/index.ts';
import { performTrial, type Trial } from './perform-trial.ts';
import type { Answered } from './worker-pool.ts';

parentPort?.on('message', async ({ id, trial }: { readonly id: number; readonly trial: Trial }) => {
  const answered = await performTrial(trial, RULES).then(
    (result): Answered => ({ result }),
    (error: Error): Answered => ({ error: error.stack ?? error.message }),
  );
  parentPort?.postMessage({ id, ...answered });
});
