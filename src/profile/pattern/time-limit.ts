/** Regular expressions that may take forever run in a thread that can be ended. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export type TextSpan = readonly [start: number, end: number];

/** Where a match and each of its groups stand; a group that took no part has no place. */
export type Places = readonly [TextSpan, ...(TextSpan | undefined)[]];

const IDLE = 1;
const BUSY = 2;

/** The thread starts without a file, so that it needs neither a path in the package nor a loader. */
const CODE = `
const { workerData: { port, state } } = require('node:worker_threads');
const { receiveMessageOnPort } = require('node:worker_threads');
for (;;) {
  Atomics.store(state, 0, ${IDLE});
  Atomics.notify(state, 0);
  Atomics.wait(state, 0, ${IDLE});
  const { source, flags, text } = receiveMessageOnPort(port).message;
  let answer;
  try {
    const { indices } = new RegExp(source, flags + 'd').exec(text) ?? {};
    answer = { places: indices && [...indices] };
  } catch (error) {
    answer = { refused: String(error.message) };
  }
  port.postMessage(answer);
}`;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** The thread starts on a busy machine, too, before the time of a pattern counts. */
const START_MS = 60_000;

let thread: Thread | undefined;

function start(): Thread {
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
 * Where a pattern matches. The calling thread waits, for `limitMs` at most; signals are handled after that.
 *
 * @returns null where it does not match, undefined where that is not found out in time
 */
export function findWithin(limitMs: number, source: string, flags: string, text: string): Places | null | undefined {
  thread ??= start();
  const { port, state } = thread;
  port.postMessage({ source, flags, text });
  Atomics.store(state, 0, BUSY);
  Atomics.notify(state, 0);
  const isLate = Atomics.wait(state, 0, BUSY, limitMs) === 'timed-out';
  const answer = isLate ? undefined : (receiveMessageOnPort(port)?.message as { places?: Places; refused?: string });
  if (answer && answer.refused === undefined) return answer.places ?? null;
  end();
  return undefined;
}
