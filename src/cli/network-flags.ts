/** The flags that concern the way to a service. */
import type { LimitValues } from '../api/configured-values.ts';
import { UsageError } from '../usage-error.ts';

export const NETWORK_FLAGS = { proxy: { type: 'string' }, ca: { type: 'string' } } as const;

export const LIMIT_FLAGS = {
  'max-requests': { type: 'string' },
  'max-requests-per-second': { type: 'string' },
} as const;

/** The limits that flags set. Throws UsageError. */
export function limitsOf(
  values: { readonly [F in keyof typeof LIMIT_FLAGS]?: string | undefined },
): LimitValues | undefined {
  const { 'max-requests': requests, 'max-requests-per-second': rate } = values;
  if (requests === undefined && rate === undefined) return undefined;
  if (requests !== undefined && !(/^\d+$/.test(requests) && Number(requests) > 0))
    throw new UsageError(`--max-requests ${requests}: a whole number from 1 is needed`);
  if (rate !== undefined && !(/^\d+(?:\.\d+)?$/.test(rate) && Number(rate) > 0))
    throw new UsageError(`--max-requests-per-second ${rate}: a number above 0 is needed, e.g. 5 or 0.5`);
  return {
    ...(requests !== undefined && { maxRequests: Number(requests) }),
    ...(rate !== undefined && { requestsPerSecond: Number(rate) }),
  };
}
