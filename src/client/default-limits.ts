/** The limits of a run that the profile’s `limits` do not set. */
export const DEFAULT_LIMITS = {
  timeoutMs: 30_000,
  maxRequests: 10_000,
  maxBodyBytes: 1 << 30,
  minBytesPerSecond: 100,
} as const;
