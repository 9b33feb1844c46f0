/** Limits of a run that replace those of the profile. */
import type { Profile } from '../profile/schema.ts';
import type { LimitValues } from './configured-values.ts';

/** Returns the profile with these limits, each in place of the profile's own. */
export const withLimits = (profile: Profile, limits: LimitValues | undefined): Profile =>
  limits === undefined
    ? profile
    : { ...profile, data: { ...profile.data, limits: { ...profile.data.limits, ...limits } } };
