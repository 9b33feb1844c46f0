/** Runs regular expressions of unbounded time in a thread that can be terminated. */
import type { MessagePort, Worker } from 'node:worker_threads';
import { builtinModule } from '../../builtin-module.ts';

export type TextSpan = readonly [start: number, end: number];

/** The positions of a match and each of its groups; undefined for a group that did not match. */
export type MatchSpans = readonly [TextSpan, ...(TextSpan | undefined)[]];

const IDLE = 1;
const BUSY = 2;

/** The thread's source is inline, so that it needs neither a path in the package nor a loader. */
const CODE = `
const { workerData: { port, state } } = require('node:worker_threads');
const { receiveMessageOnPort } = require('node:worker_threads');
for (;;) {
  Atomics.store(state, 0, ${IDLE});
  Atomics.notify(state, 0);
  Atomics.wait(state, 0, ${IDLE});
  const { source, flags, text } = receiveMessageOnPort(port).message;
  let response;
  try {
    const { indices } = new RegExp(source, flags + 'd').exec(text) ?? {};
    response = { spans: indices && [...indices] };
  } catch (error) {
    response = { error: String(error.message) };
  }
  port.postMessage(response);
}`;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** The time limit starts after the thread has started, which may be slow on a busy machine. */
const START_MS = 60_000;

let thread: Thread | undefined;

function start(): Thread {
  const { MessageChannel, Worker } = builtinModule('node:worker_threads');
  const { port1: port, port2 } = new MessageChannel();
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(CODE, {
    eval: true,
    execArgv: [],
    workerData: { port: port2, state },
    transferList: [port2],
  });
  worker.on('error', () => end());
  worker.unref();
  Atomics.wait(state, 0, 0, START_MS);
  return { worker, port, state };
}

function end(): void {
  thread?.port.close();
  void thread?.worker.terminate();
  thread = undefined;
}

/**
 * Finds the position of a match. Blocks the calling thread for at most `limitMs`; signals are handled after that.
 *
 * @returns null if it does not match, undefined on timeout
 */
export function findWithin(
  limitMs: number,
  source: string,
  flags: string,
  text: string,
): MatchSpans | null | undefined {
  thread ??= start();
  const { port, state } = thread;
  port.postMessage({ source, flags, text });
  Atomics.store(state, 0, BUSY);
  Atomics.notify(state, 0);
  const isLate = Atomics.wait(state, 0, BUSY, limitMs) === 'timed-out';
  const response = isLate
    ? undefined
    : (builtinModule('node:worker_threads').receiveMessageOnPort(port)?.message as {
        spans?: MatchSpans;
        error?: string;
      });
  if (response && response.error === undefined) return response.spans ?? null;
  end();
  return undefined;
}
