/** The profiles that come with the suite: files in a folder, and one that leaves everything open. */
import { join } from 'node:path';
import { compileBodySchemas } from './body-schema/index.ts';
import { ProfileError } from './profile-error.ts';
import type { Profile } from './schema.ts';

export const BUNDLED_PROFILES = join(import.meta.dirname, 'bundled');

/** The profile that fills nothing. There is nothing in it to check, so the schema of profiles is not loaded for it. */
export function emptyProfile(): Profile {
  const data = { name: 'empty' };
  return {
    data,
    source: 'bundled:empty',
    secrets: [],
    variables: [],
    unset: [],
    bodySchemas: compileBodySchemas(data, join(BUNDLED_PROFILES, 'empty'), (_, why) => new ProfileError(why)),
    lineOf: () => '',
  };
}
