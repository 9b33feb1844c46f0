/** `mdwi profile check`: what a valid profile describes, and what of it nothing will read. */
import { printable } from '../../exchange/printable.ts';
import type { Profile } from '../../profile/schema.ts';
import { tellUnset } from './unset.ts';

/** The summary of a valid profile. */
export function describeProfile(profile: Profile): string {
  const { source, data, variables = [], unset = [] } = profile;
  const operations = Object.keys(data.operations ?? {}).length;
  const named = new Set([...variables, ...unset].map(({ name }) => name)).size;
  const what = printable(`${source}: a valid profile of ${data.name}`);
  return `${what}; ${operations} operations described, ${named} environment variables named\n${tellUnset(profile)}`;
}
