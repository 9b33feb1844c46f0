/** Spaces requests evenly. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Returns a function that resolves when the next request may be sent. It resolves immediately if there is no rate limit
 * or the signal is aborted.
 */
export function createThrottle(requestsPerSecond: number | undefined, signal?: AbortSignal): () => Promise<void> {
  if (requestsPerSecond === undefined) return async () => undefined;
  const spacing = 1000 / requestsPerSecond;
  let nextFreeAt = 0;
  return async () => {
    const now = performance.now();
    const slot = Math.max(now, nextFreeAt);
    nextFreeAt = slot + spacing;
    if (slot > now) await sleep(slot - now, undefined, signal && { signal }).catch(() => undefined);
  };
}
