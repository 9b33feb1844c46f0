/** Ending a command early: Ctrl-C, and what CI sends before it kills. */
import { INTERRUPT_SIGNALS, type InterruptSignal, interruptedBy } from '../run/interruption.ts';

/** What starts us may hand the terminal’s own Ctrl-C on: two so close together are one. */
const ONE_WITHIN_MS = 500;

/** Ends a command that can tell nothing of what it did by the time it is interrupted. */
export class Interrupted extends Error {
  readonly received: InterruptSignal;

  constructor(received: InterruptSignal) {
    super(interruptedBy(received));
    this.received = received;
  }
}

export interface Interrupts {
  /** Aborts at the first signal; its reason is the name of that signal. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  end(): void;
}

/**
 * Listens for the signals that end a command. The second one ends the process at once, even a busy one: shortly after the
 * first, signals have their usual effect again.
 */
export function listenForInterrupts(): Interrupts {
  const stop = new AbortController();
  let first: number | undefined;
  const end = (): void => {
    for (const signal of INTERRUPT_SIGNALS) process.removeListener(signal, act);
  };
  const act = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      setTimeout(end, ONE_WITHIN_MS).unref();
      stop.abort(signal);
    } else if (performance.now() - first > ONE_WITHIN_MS) {
      end();
      process.kill(process.pid, signal);
    }
  };
  for (const signal of INTERRUPT_SIGNALS) process.on(signal, act);
  return { signal: stop.signal, end };
}

/** Waits for the signal that is the normal end of a server. */
export async function untilInterrupted(): Promise<void> {
  const { signal } = listenForInterrupts();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
