/** Performs trials in worker threads: one judges while the other waits for nothing but the processor. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Trial, TrialResult } from './perform-trial.ts';

/** What a worker is told: its answer is a `TrialResult`, or the text of an error of our own. */
export type Answered = { readonly result: TrialResult } | { readonly error: string };

export interface Pool {
  /** Rejects with an error of our own, or when the pool was closed. */
  perform(trial: Trial): Promise<TrialResult>;
  close(): Promise<void>;
}

/** Trials a worker has under way: some do nothing but wait for a time-out. */
const AT_ONCE = 3;

/** A pool of so many threads, each of which loads the suites once. */
export function createPool(threads: number): Pool {
  interface Task {
    readonly trial: Trial;
    readonly done: (answered: Answered) => void;
  }
  const waiting: Task[] = [];
  let closed = false;
  // The file is TypeScript in the checkout and JavaScript in the package.
  const source = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(source);
    const underWay = new Map<number, Task>();
    let count = 0;
    const next = (): void => {
      while (underWay.size < AT_ONCE) {
        const task = waiting.shift();
        if (!task) return;
        underWay.set(++count, task);
        worker.postMessage({ id: count, trial: task.trial });
      }
    };
    worker.on('message', ({ id, ...answered }: Answered & { readonly id: number }) => {
      underWay.get(id)?.done(answered);
      underWay.delete(id);
      next();
    });
    const end = (error: string) => {
      for (const task of underWay.values()) task.done({ error });
      underWay.clear();
    };
    worker.on('error', (error) => end(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    worker.on('exit', () => end('the selftest was ended'));
    return { worker, next };
  });
  return {
    perform: (trial) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the selftest was ended'));
        const done = (answered: Answered) =>
          'result' in answered ? resolve(answered.result) : reject(new Error(answered.error));
        waiting.push({ trial, done });
        for (const { next } of workers) next();
      }),
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.done({ error: 'the selftest was ended' });
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}
