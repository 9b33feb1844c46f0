/** Ending a command early: Ctrl-C, and what CI sends before it kills. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What starts us may hand the terminal’s own Ctrl-C on: two so close together are one. */
const ONE_WITHIN_MS = 500;

/**
 * Calls `stop` at the first signal; the second one ends the process at once, as it would have without us.
 * @returns what stops listening
 */
export function onInterrupt(stop: () => void): () => void {
  let first: number | undefined;
  const ignore = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, act);
  };
  const act = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = performance.now();
      stop();
    } else if (performance.now() - first > ONE_WITHIN_MS) {
      ignore();
      process.kill(process.pid, signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, act);
  return ignore;
}
