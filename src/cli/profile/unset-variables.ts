/** Reports environment variables that a profile names and that are not set. */
import { printable } from '../../exchange/printable.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';

/** Formats a line for each use of an unset variable; empty if all are set. */
export const reportUnset = ({ source, unset = [], lineOf = () => '' }: Profile): string =>
  unset
    .map(
      ({ name, path }) =>
        `${printable(`${source}${lineOf(path)}: ${formatLocation(path)}`)}: the environment variable ${name} is not set; set it before a request is sent\n`,
    )
    .join('');
