/** Starts simulators in the dialect of a profile. It uses no module of Node. */
import { isDialectName } from '../../simulator/dialects/names.ts';
import type { Dialect } from '../../simulator/dialects/types.ts';
import type { Profile, ProfileInput } from '../profile/schema.ts';

/**
 * Starts a simulator in a built-in dialect, or in one that is built from a profile.
 *
 * @param load returns the checked profile, if it is not the name of a built-in dialect
 */
export async function startInDialect<P extends string | ProfileInput, S>(
  profile: P,
  load: (profile: P) => Promise<Profile>,
  start: (dialect: string | Dialect) => Promise<S>,
): Promise<S> {
  if (typeof profile === 'string' && isDialectName(profile)) return start(profile);
  const checked = await load(profile);
  const { dialectOf } = await import('../../simulator/dialects/from-profile/dialect.ts');
  return start(dialectOf(checked));
}
