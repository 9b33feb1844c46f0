/** A command that a signal ends early: what it found by then is told, and marked partial. */

export const INTERRUPT_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
export type InterruptSignal = (typeof INTERRUPT_SIGNALS)[number];

/** The signal that ended a command early, from the abort signal it was handed on with; undefined where none came. */
export function interruptionOf(signal: AbortSignal | undefined): InterruptSignal | undefined {
  if (!signal?.aborted) return undefined;
  return INTERRUPT_SIGNALS.find((each) => each === signal.reason) ?? 'SIGINT';
}

/** How a sentence about an interruption begins. */
export const interruptedBy = (signal: InterruptSignal): string =>
  `interrupted by ${signal}${signal === 'SIGINT' ? ' (Ctrl-C)' : ''}`;
