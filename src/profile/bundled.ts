/** The bundled profiles: files in a folder, and `empty`, which leaves everything open. */
import { join } from 'node:path';
import { compileBodySchemas } from './body-schema/index.ts';
import { ProfileError } from './profile-error.ts';
import type { Profile, ProfileData } from './schema.ts';

export const BUNDLED_PROFILES = join(import.meta.dirname, 'bundled');

/**
 * Returns a bundled profile. The schema is not loaded for it: `empty` needs no check, the build checks the others.
 * @param lineOf returns `:LINE` of a location in the file
 */
export function bundledProfile(
  data: ProfileData,
  source: string,
  lineOf: (path: readonly PropertyKey[]) => string = () => '',
): Profile {
  return {
    data,
    source,
    secrets: [],
    variables: [],
    unset: [],
    bodySchemas: compileBodySchemas(
      data,
      join(BUNDLED_PROFILES, source.slice('bundled:'.length)),
      (_, why) => new ProfileError(why),
    ),
    lineOf,
  };
}

/** The profile that fills no opening. */
export const emptyProfile = (): Profile => bundledProfile({ name: 'empty' }, 'bundled:empty');
