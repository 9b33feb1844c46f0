/** A place in a profile, as messages name it. */

import type { ProfileError } from './profile-error.ts';

/** @example showPlace(['auth', 0, 'token']) // 'auth[0].token' */
export const formatLocation = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the profile'
    : path
        .map((part, at) =>
          typeof part === 'number'
            ? `[${part}]`
            : /^[\w-]+$/.test(String(part))
              ? `${at > 0 ? '.' : ''}${String(part)}`
              : `["${String(part)}"]`,
        )
        .join('');

/** The text of a message on one line of at most 300 characters. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);

/** Makes the error about a place in one profile: file, line and key before what is wrong. `at`: whose line it is, where that is another place. */
export type FailAt = (path: readonly PropertyKey[], wrong: string, at?: readonly PropertyKey[]) => ProfileError;
