/** Loads a profile for use without a service. */
import { loadProfile } from '../profile/load.ts';
import type { Profile, ProfileInput } from '../profile/schema.ts';

/**
 * Loads a profile whose environment variables may be unset, because no request with credentials is sent.
 * @param profile the name of a bundled profile, the path of a file, or the profile itself
 */
export const loadOffline = (profile: string | ProfileInput): Promise<Profile> =>
  loadProfile(profile, process.env, 'keep');
