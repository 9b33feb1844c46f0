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

/** The deepest nesting of a YAML or JSON file that a user writes. */
export const MAX_FILE_DEPTH = 200;

export const TOO_DEEP = `is nested deeper than ${MAX_FILE_DEPTH} levels`;

/** What a parser of YAML found wrong, in one line, without the excerpt of the file. */
export const yamlProblem = ({ code, message }: { readonly code?: string; readonly message: string }): string =>
  code === 'RESOURCE_EXHAUSTION' ? TOO_DEEP : oneLine(message.split('\n', 1)[0] ?? '');

/** Creates the error for a location in one profile: file, line and key before the problem. `at`: the location whose line is shown, if it differs. */
export type FailAt = (path: readonly PropertyKey[], problem: string, at?: readonly PropertyKey[]) => ProfileError;

/** The source of a profile that is an object of the program. */
export const PROFILE_OBJECT = 'the profile';
