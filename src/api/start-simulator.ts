/** Starts the simulator in the dialect of a profile. */
import { isDialectName } from '../../simulator/dialects/names.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { loadProfile } from '../profile/load.ts';
import type { ProfileInput } from '../profile/schema.ts';
import { UsageError } from '../usage-error.ts';

/** The data of a simulator, and its one deliberate fault or oddity. */
export type SimulatorModel = Pick<SimulatorOptions, 'seed' | 'asOf' | 'products' | 'fault' | 'oddity' | 'basePath'>;

/**
 * Starts a simulator in a built-in dialect, or in the dialect of a profile file.
 *
 * @param profile the name of a dialect, the path of a profile, or a profile; default: the reference dialect
 * @throws UsageError that names every part of the profile that the simulator does not support
 */
export async function startDialectSimulator(
  profile: string | ProfileInput = 'reference',
  options: SimulatorOptions = {},
): Promise<Simulator> {
  if (typeof profile === 'string' && isDialectName(profile)) return startSimulator({ ...options, dialect: profile });
  const { dialectOf, UnsupportedProfileError } = await import('../../simulator/dialects/from-profile/dialect.ts');
  try {
    return await startSimulator({ ...options, dialect: dialectOf(await loadProfile(profile)) });
  } catch (error) {
    if (error instanceof UnsupportedProfileError) throw new UsageError(error.message);
    throw error;
  }
}
