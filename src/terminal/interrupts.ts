/** Ends a command early: on Ctrl-C, and on the signal that CI sends before it kills a process. */
import { INTERRUPT_SIGNALS, type InterruptSignal, interruptedBy } from '../run/interruption.ts';

/** A parent process may forward the terminal’s Ctrl-C: two signals within this time count as one. */
const REPEAT_WINDOW_MS = 500;

/** Ends a command that has no partial result to report. */
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
 * Listens for the signals that end a command. The second signal ends even a busy process at once, because the listeners are
 * removed shortly after the first.
 */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const end = (): void => {
    for (const signal of INTERRUPT_SIGNALS) process.removeListener(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      setTimeout(end, REPEAT_WINDOW_MS).unref();
      controller.abort(signal);
    } else if (performance.now() - firstAt > REPEAT_WINDOW_MS) {
      end();
      process.kill(process.pid, signal);
    }
  };
  for (const signal of INTERRUPT_SIGNALS) process.on(signal, onSignal);
  return { signal: controller.signal, end };
}
