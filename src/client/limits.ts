/** The limits of a source that its options do not set, and the spacing of its requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Depth } from '../contract/index.ts';

/** The limits of a source that its options do not set. */
export const DEFAULT_LIMITS = {
  timeoutMs: 30_000,
  maxRequests: 10_000,
  maxBodyBytes: 1 << 30,
  minBytesPerSecond: 100,
} as const;

/** The most requests of a run at each depth, unless `limits.maxRequests` states another number. */
export const MAX_REQUESTS: { readonly [D in Depth]: number } = {
  quick: DEFAULT_LIMITS.maxRequests,
  standard: DEFAULT_LIMITS.maxRequests,
  thorough: 20 * DEFAULT_LIMITS.maxRequests,
};

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
