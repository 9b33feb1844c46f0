/** Performs trials in worker threads. */
import { extname } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Depth } from '../contract/index.ts';
import type { Trial, TrialResult } from './perform-trial.ts';

export interface Pool {
  /** Rejects for an error of the selftest itself, or if the pool is closed. */
  perform(trial: Trial): Promise<TrialResult>;
  /** Ends the threads, also those whose trial hangs. */
  close(): Promise<void>;
}

/** Concurrent trials of a worker: some only wait for a time-out. */
const CONCURRENCY = 3;

/**
 * Creates a pool of threads, each of which loads the suites once.
 * @param depth the depth of each trial
 */
export function createPool(threads: number, depth: Depth): Pool {
  const pool = new Tinypool({
    // The file is TypeScript in the checkout and JavaScript in the package.
    filename: new URL(`./worker${extname(import.meta.url)}`, import.meta.url),
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: CONCURRENCY,
    // Trials wait for sockets, which a thread that blocks would not serve.
    useAtomics: false,
  });
  let closed: Promise<void> | undefined;
  return {
    async perform(trial) {
      // A closed pool would start a thread again.
      if (closed) throw new Error('the selftest was stopped');
      return pool.run({ trial, depth });
    },
    close() {
      closed ??= pool.destroy();
      return closed;
    },
  };
}
