/** The flags that concern the way to a service. */
import type { LimitValues } from '../api/configured-values.ts';
import { UsageError } from '../usage-error.ts';

export const NETWORK_FLAGS = {
  proxy: { type: 'string' },
  ca: { type: 'string' },
  'follow-to': { type: 'string', multiple: true },
} as const;

export const LIMIT_FLAGS = {
  'max-requests': { type: 'string' },
  'max-requests-per-second': { type: 'string' },
  'max-subjects': { type: 'string' },
  'max-duration': { type: 'string' },
  'retry-for': { type: 'string' },
} as const;

const MS = { s: 1000, m: 60_000, h: 3_600_000 };

/** A duration such as `90s`, `20m` or `2h` in ms. Throws UsageError. */
function durationOf(flag: string, text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  const ms = Number(number) * MS[unit as keyof typeof MS];
  if (!(ms > 0 && ms <= 24 * MS.h))
    throw new UsageError(`--${flag} ${text}: a duration up to 24h is needed, e.g. 60s or 20m`);
  return ms;
}

/** The limits that flags set. Throws UsageError. */
export function limitsOf(
  values: { readonly [F in keyof typeof LIMIT_FLAGS]?: string | undefined },
): LimitValues | undefined {
  const { 'max-requests': requests, 'max-requests-per-second': rate, 'max-subjects': subjects } = values;
  const { 'max-duration': duration, 'retry-for': retryFor } = values;
  if ((requests ?? rate ?? subjects ?? duration ?? retryFor) === undefined) return undefined;
  for (const [flag, text] of Object.entries({ 'max-requests': requests, 'max-subjects': subjects }))
    if (text !== undefined && !(/^\d+$/.test(text) && Number(text) > 0))
      throw new UsageError(`--${flag} ${text}: a whole number from 1 is needed`);
  if (rate !== undefined && !(/^\d+(?:\.\d+)?$/.test(rate) && Number(rate) > 0))
    throw new UsageError(`--max-requests-per-second ${rate}: a number above 0 is needed, e.g. 5 or 0.5`);
  return {
    ...(requests !== undefined && { maxRequests: Number(requests) }),
    ...(subjects !== undefined && { maxSubjects: Number(subjects) }),
    ...(rate !== undefined && { requestsPerSecond: Number(rate) }),
    ...(duration !== undefined && { maxDurationMs: durationOf('max-duration', duration) }),
    ...(retryFor !== undefined && { retryForMs: durationOf('retry-for', retryFor) }),
  };
}
