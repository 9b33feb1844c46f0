/** The bundled profiles: files in a folder, and `empty`, which leaves everything open. */
import { builtinModule } from '../builtin-module.ts';
import { compileBodySchemas } from './body-schema/index.ts';
import { ProfileError } from './profile-error.ts';
import type { Profile, ProfileData } from './schema.ts';

/** The path of a file among the bundled profiles, or of their folder. */
export const bundledPath = (file = ''): string => builtinModule('node:path').join(import.meta.dirname, 'bundled', file);

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
      () => bundledPath(source.slice('bundled:'.length)),
      (_, why) => new ProfileError(why),
    ),
    lineOf,
  };
}

/** The profile that fills no opening. */
export const emptyProfile = (): Profile => bundledProfile({ name: 'empty' }, 'bundled:empty');
