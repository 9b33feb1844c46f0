/** Even spacing of requests. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A function that resolves when the next request may go out; at once when no rate is given or the run is interrupted. */
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
