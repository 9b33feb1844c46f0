/** Variables that a profile names and the environment lacks. */
import { printable } from '../../exchange/printable.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';

/** A line for each place where a variable is named that is not set; empty where all are. */
export const reportUnset = ({ source, unset = [], lineOf = () => '' }: Profile): string =>
  unset
    .map(
      ({ name, path }) =>
        `${printable(`${source}${lineOf(path)}: ${formatLocation(path)}`)}: the environment variable ${name} is not set; set it before a request is sent\n`,
    )
    .join('');
