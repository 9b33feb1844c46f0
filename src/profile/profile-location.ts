/** Formats a location in a profile or configuration for messages. */

import type { ProfileError } from './profile-error.ts';

/**
 * @param whole what an empty path is
 * @example formatLocation(['auth', 0, 'token']) // 'auth[0].token'
 */
export const formatLocation = (path: readonly PropertyKey[], whole = 'the profile'): string =>
  path.length === 0
    ? whole
    : path
        .map((part, at) =>
          typeof part === 'number'
            ? `[${part}]`
            : /^[\w-]+$/.test(String(part))
              ? `${at > 0 ? '.' : ''}${String(part)}`
              : `["${String(part)}"]`,
        )
        .join('');

/** Reduces a message to one line of at most 300 characters. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);

/** Creates the error for a location in one profile: file, line and key before the problem. `at`: the location whose line is shown, if it differs. */
export type FailAt = (path: readonly PropertyKey[], problem: string, at?: readonly PropertyKey[]) => ProfileError;

/** The source of a profile that is an object of the program. */
export const PROFILE_OBJECT = 'the profile';
