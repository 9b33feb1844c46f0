/** Statuses with which a service refuses a client, whatever it requests. */
import type { Statuses } from '../profile/schema.ts';

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a status refuses the client, as HTTP defines it or as the profile states its meaning. */
export function isRefusedStatus(status: number, statuses: Statuses = {}): boolean {
  const { unknown = [], malformed = [], unauthorized = [], tooMany = [] } = statuses;
  if (unauthorized.includes(status) || tooMany.includes(status)) return true;
  return REFUSALS.has(status) && !unknown.includes(status) && !malformed.includes(status);
}
