/** The profiles of trials. */

import { apply } from 'json-merge-patch';
import { checkProfile } from '../profile/check-profile.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';

/** Does not change the target. @example mergePatch({ a: { b: 1, c: 2 } }, { a: { b: null } }) // { a: { c: 2 } } */
export const mergePatch = <T extends object>(target: T, patch: { readonly [member: string]: unknown }): T =>
  apply(structuredClone(target), patch) as T;

const bundled = new Map<string, Promise<Profile>>();

/** A bundled profile, loaded and checked once in a process. */
function bundledOnce(name: string): Promise<Profile> {
  const loaded = bundled.get(name) ?? loadProfile(name);
  bundled.set(name, loaded);
  return loaded;
}

/**
 * A bundled profile with a merge patch (RFC 7396) applied, checked like any profile.
 * @param patch the facts that a fault or an oddity needs; absent: the profile as it is
 * @example await patchedProfile('reference', faultNamed('jobs-never-final').profile)
 */
export async function patchedProfile(
  name: string,
  patch?: { readonly [member: string]: unknown },
  source?: string,
): Promise<Profile> {
  const profile = await bundledOnce(name);
  if (!patch) return profile;
  return checkProfile(mergePatch(profile.data, patch), source ?? profile.source, { env: {}, unset: 'refuse' });
}
