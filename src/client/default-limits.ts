/** What bounds a run where the profile’s `limits` say nothing. */
export const DEFAULT_LIMITS = {
  timeoutMs: 30_000,
  maxRequests: 10_000,
  maxBodyBytes: 1 << 30,
  minBytesPerSecond: 100,
} as const;
