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
