/** Interruption of a command by a signal: its results so far are reported and marked partial. */

export const INTERRUPT_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type InterruptSignal = (typeof INTERRUPT_SIGNALS)[number];

/** The reason of an abort signal that ends a run at `limits.maxDurationMs`, and the beginning of a sentence. */
export const DURATION_OVER = 'the run has reached its longest duration';

/** Whether a run ended because of its duration: it is not interrupted, but lacks requests. */
export const isDurationOver = (signal: AbortSignal | undefined): boolean => signal?.reason === DURATION_OVER;

/** The signal that interrupted a command, from its abort signal; undefined if none did. */
export function interruptionOf(signal: AbortSignal | undefined): InterruptSignal | undefined {
  if (!signal?.aborted || isDurationOver(signal)) return undefined;
  return INTERRUPT_SIGNALS.find((each) => each === signal.reason) ?? 'SIGINT';
}

/** The beginning of a sentence about an interruption. */
export const interruptedBy = (signal: InterruptSignal): string =>
  `interrupted by ${signal}${signal === 'SIGINT' ? ' (Ctrl-C)' : ''}`;
