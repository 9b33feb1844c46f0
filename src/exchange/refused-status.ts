/** Statuses with which a service refuses a client, as HTTP defines them or as the profile states their meaning. */
import type { Statuses } from '../profile/schema.ts';

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

export const isUnauthorized = (status: number, { unauthorized = [] }: Statuses = {}): boolean =>
  status === 401 || unauthorized.includes(status);

export const isTooMany = (status: number, { tooMany = [] }: Statuses = {}): boolean =>
  status === 429 || tooMany.includes(status);

/** Whether a status refuses the client, whatever it requests. @param refusals those of HTTP */
export function isRefusedStatus(status: number, statuses: Statuses = {}, refusals = REFUSALS): boolean {
  const { unknown = [], malformed = [], unauthorized = [], tooMany = [] } = statuses;
  if (unauthorized.includes(status) || tooMany.includes(status)) return true;
  return refusals.has(status) && !unknown.includes(status) && !malformed.includes(status);
}
