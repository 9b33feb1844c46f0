/** When a server asks to come back later (section 8: rate limits are not shown, so HTTP's own words are listened to). */
import { firstHeader } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';

const FIRST_BACK_OFF_MS = 500;

/**
 * How long to wait before asking again, in ms; undefined where the answer is to be taken as it is. A 429 without
 * Retry-After backs off by itself, a 503 without one may last for ever. `tries`: requests sent so far, from 1. `tooMany`:
 * statuses that mean here what 429 means.
 * @example retryDelay({ status: 429, reason: '', headers: [['retry-after', '2']] }, 1) // 2000
 */
export function retryDelay(head: ResponseHead, tries: number, tooMany: readonly number[] = []): number | undefined {
  const isTooMany = head.status === 429 || tooMany.includes(head.status);
  if (!isTooMany && head.status !== 503) return undefined;
  return retryAfter(head) ?? (isTooMany ? FIRST_BACK_OFF_MS * 2 ** (tries - 1) : undefined);
}

/**
 * How long an answer asks to wait before asking again, in ms, whatever its status; undefined where it does not say.
 * @example retryAfter({ status: 202, reason: '', headers: [['retry-after', '2']] }) // 2000
 */
export function retryAfter({ headers }: Pick<ResponseHead, 'headers'>): number | undefined {
  const value = firstHeader(headers, 'retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  // The server's clock may be wrong: its own Date tells how long it means.
  const now = Date.parse(firstHeader(headers, 'date') ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
