/** Performs trials in worker threads. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Trial, TrialResult } from './perform-trial.ts';

/** The message of a worker: a `TrialResult`, or the text of an error of the selftest itself. */
export type TrialMessage = { readonly result: TrialResult } | { readonly error: string };

export interface Pool {
  /** Rejects for an error of the selftest itself, or if the pool is closed. */
  perform(trial: Trial): Promise<TrialResult>;
  close(): Promise<void>;
}

/** Concurrent trials of a worker: some only wait for a time-out. */
const CONCURRENCY = 3;

/** Creates a pool of threads, each of which loads the suites once. */
export function createPool(threads: number): Pool {
  interface Task {
    readonly trial: Trial;
    readonly done: (message: TrialMessage) => void;
  }
  const waiting: Task[] = [];
  let closed = false;
  // The file is TypeScript in the checkout and JavaScript in the package.
  const source = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(source);
    const running = new Map<number, Task>();
    let count = 0;
    const next = (): void => {
      while (running.size < CONCURRENCY) {
        const task = waiting.shift();
        if (!task) return;
        running.set(++count, task);
        worker.postMessage({ id: count, trial: task.trial });
      }
    };
    worker.on('message', ({ id, ...message }: TrialMessage & { readonly id: number }) => {
      running.get(id)?.done(message);
      running.delete(id);
      next();
    });
    const end = (error: string) => {
      for (const task of running.values()) task.done({ error });
      running.clear();
    };
    worker.on('error', (error) => end(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    worker.on('exit', () => end('the selftest was stopped'));
    return { worker, next };
  });
  return {
    perform: (trial) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the selftest was stopped'));
        const done = (message: TrialMessage) =>
          'result' in message ? resolve(message.result) : reject(new Error(message.error));
        waiting.push({ trial, done });
        for (const { next } of workers) next();
      }),
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.done({ error: 'the selftest was stopped' });
      await Promise.all(workers.map(({ worker }) => worker.terminate()));
    },
  };
}
