/** Spaces requests evenly. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns a function that resolves when the next request may be sent; at once without a rate, or after an interrupt. */
export function createThrottle(requestsPerSecond: number | undefined, signal?: AbortSignal): () => Promise<void> {
  if (requestsPerSecond === undefined) return async () => undefined;
  const spacing = 1000 / requestsPerSecond;
  let next = 0;
  return async () => {
    const now = performance.now();
    const slot = Math.max(now, next);
    next = slot + spacing;
    if (slot > now) await sleep(slot - now, undefined, signal && { signal }).catch(() => undefined);
  };
}
