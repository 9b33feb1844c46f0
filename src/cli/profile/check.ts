/** `mdwi profile check`: summarises a valid profile, and lists its keys that no rule reads or judges, and keys that it could gain. */

import { RULES } from '../../../suites/index.ts';
import { printable } from '../../exchange/printable.ts';
import type { DeclaredVerdict } from '../../learn/types.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { Profile } from '../../profile/schema.ts';
import { findUnreadKeys } from '../../run/unread-keys.ts';
import { describeNewKeys } from './new-keys.ts';
import { formatRules, rulesNeeding } from './openings.ts';
import { reportUnset } from './unset-variables.ts';

/** One sentence about a key of the profile. `unbound`: it fills an opening; `unread`: no rule reads it. */
export interface Remark extends Omit<DeclaredVerdict, 'kind'> {
  readonly kind: DeclaredVerdict['kind'] | 'unbound' | 'unread';
  /** The rules that the opening would add. */
  readonly rules?: readonly string[];
}

/** Summarises a valid profile. */
export function describeProfile(profile: Profile): string {
  const { source, data, variables = [], unset = [] } = profile;
  const operations = Object.keys(data.operations ?? {}).length;
  const named = new Set([...variables, ...unset].map(({ name }) => name)).size;
  const what = printable(`${source}: a valid profile of ${data.name}`);
  return `${what}; ${operations} operations described, ${named} environment variables named\n${reportUnset(profile)}${describeUnread(profile)}${describeNewKeys(profile)}`;
}

/** The keys without effect, as remarks. */
export const findUnread = (profile: Profile): Remark[] =>
  findUnreadKeys(profile, RULES).map(({ path, why, opening }) => ({
    kind: 'unread',
    path,
    sentence: why,
    ...(opening && { rules: rulesNeeding(opening) }),
  }));

const MAX_NAMED = 8;

/**
 * Names further keys at the end of a sentence about the first one; empty if there are none.
 * @example likewise(profile, [['delta', 'dates']]) // '; likewise delta.dates (line 7)'
 */
export function likewise({ lineOf = () => '' }: Profile, paths: readonly (readonly PropertyKey[])[]): string {
  const named = paths.map((path) => `${formatLocation(path)}${lineOf(path).replace(/^:(.*)/, ' (line $1)')}`);
  const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  return named.length === 0 ? '' : `; likewise ${named.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Formats a line for each reason why keys have no effect. */
function describeUnread(profile: Profile): string {
  const { source, lineOf = () => '' } = profile;
  const reasons = Map.groupBy(findUnreadKeys(profile, RULES), ({ why, opening }) => `${why}${formatRules(opening)}`);
  return [...reasons]
    .map(([reason, keys]) => {
      const [first, ...others] = keys.map(({ path }) => path);
      if (!first) return '';
      return `${printable(`${source}${lineOf(first)}: ${formatLocation(first)}: ${reason}${likewise(profile, others)}`)}\n`;
    })
    .join('');
}
