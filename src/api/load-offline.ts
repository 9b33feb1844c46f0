/** Loads a profile for use without a service. */
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';

/**
 * Loads a profile whose environment variables may be unset, because no request with credentials is sent.
 * @param profile the name of a bundled profile, or the path of a file
 */
export const loadOffline = (profile: string): Promise<Profile> => loadProfile(profile, process.env, 'keep');
