/** `mdwi profile check`: summarises a valid profile, and lists its keys that no rule reads. */

import { printable } from '../../exchange/printable.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';
import { findUnusedKeys } from '../../profile/unused-keys.ts';
import { formatRules } from './openings.ts';
import { reportUnset } from './unset-variables.ts';

/** Summarises a valid profile. */
export function describeProfile(profile: Profile): string {
  const { source, data, variables = [], unset = [] } = profile;
  const operations = Object.keys(data.operations ?? {}).length;
  const named = new Set([...variables, ...unset].map(({ name }) => name)).size;
  const what = printable(`${source}: a valid profile of ${data.name}`);
  return `${what}; ${operations} operations described, ${named} environment variables named\n${reportUnset(profile)}${describeUnread(profile)}`;
}

/** Formats a line for each key that nothing reads, with the rules that need another key. */
function describeUnread(profile: Profile): string {
  const { source, lineOf = () => '' } = profile;
  return findUnusedKeys(profile)
    .map(
      ({ path, why, opening }) =>
        `${printable(`${source}${lineOf(path)}: ${formatLocation(path)}: not read: ${why}${formatRules(opening)}`)}\n`,
    )
    .join('');
}
