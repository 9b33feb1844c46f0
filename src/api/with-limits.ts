/** Limits of a run that replace those of the profile. */
import { MAX_REQUESTS } from '../client/default-limits.ts';
import { DEFAULT_SAMPLING } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import type { Selection } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import type { LimitValues } from './configured-values.ts';

/** Returns the profile with these limits, each in place of the profile's own. */
export const withLimits = (profile: Profile, limits: LimitValues | undefined): Profile =>
  limits === undefined
    ? profile
    : { ...profile, data: { ...profile.data, limits: { ...profile.data.limits, ...limits } } };

/** The most requests of a run: those that the profile states, or those of the depth. */
export const maxRequestsOf = ({ data }: Profile, { sampling = DEFAULT_SAMPLING }: Selection): number =>
  data.limits?.maxRequests ?? MAX_REQUESTS[sampling.depth];

/** Checks limits that a program gives. Throws UsageError. */
export async function checkLimits(given: LimitValues | undefined): Promise<LimitValues | undefined> {
  if (given === undefined) return undefined;
  const { limits } = await import('../profile/schema/limits.ts');
  const checked = limits.safeParse(given, { reportInput: true });
  if (checked.success) return checked.data;
  const { describeIssue } = await import('../profile/first-issue.ts');
  const { formatLocation } = await import('../profile/profile-location.ts');
  const { path, sentence } = describeIssue(limits, checked.error.issues);
  throw new UsageError(`${formatLocation(['limits', ...path])}: ${sentence}`);
}
