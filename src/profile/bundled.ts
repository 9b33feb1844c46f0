/** The bundled profiles: files in a folder, and `empty`, which leaves everything open. */
import { join } from 'node:path';
import { compileBodySchemas } from './body-schema/index.ts';
import { ProfileError } from './profile-error.ts';
import type { Profile } from './schema.ts';

export const BUNDLED_PROFILES = join(import.meta.dirname, 'bundled');

/** Returns the profile that fills no opening. It needs no check, so the profile schema is not loaded for it. */
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
