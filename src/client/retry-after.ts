/** Reads when to repeat a request (section 8 shows no rate limits, so the rules of HTTP apply). */
import { firstHeader } from '../exchange/headers.ts';
import { isTooMany } from '../exchange/refused-status.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { Statuses } from '../profile/schema.ts';

const FIRST_BACK_OFF_MS = 500;

/**
 * How long to wait before a repeat, in ms; undefined: the response is final. A 429 without Retry-After is repeated after
 * a growing delay; a 503 without one is final, because it may last forever.
 * @param tries requests sent so far, from 1
 * @example retryDelay({ status: 429, reasonPhrase: '', headers: [['retry-after', '2']] }, 1) // 2000
 */
export function retryDelay(head: ResponseHead, tries: number, statuses?: Statuses): number | undefined {
  const isLimited = isTooMany(head.status, statuses);
  if (!isLimited && head.status !== 503) return undefined;
  return retryAfter(head) ?? (isLimited ? FIRST_BACK_OFF_MS * 2 ** (tries - 1) : undefined);
}

/**
 * The delay in the Retry-After header, in ms, whatever the status; undefined: there is none.
 * @example retryAfter({ status: 202, reasonPhrase: '', headers: [['retry-after', '2']] }) // 2000
 */
export function retryAfter({ headers }: Pick<ResponseHead, 'headers'>): number | undefined {
  const value = firstHeader(headers, 'retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  // The server's clock may be wrong, so the delay is measured from its own Date.
  const now = Date.parse(firstHeader(headers, 'date') ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
