/** Starts the simulator in the dialect of a profile. */
import { isDialectName } from '../../simulator/dialects/names.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { loadProfile } from '../profile/load.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Starts a simulator in a built-in dialect, or in the dialect of a profile file.
 *
 * @param profile the name of a dialect, or the path of a profile; default: the reference dialect
 * @throws UsageError that names every part of the profile that the simulator does not support
 */
export async function startDialectSimulator(profile = 'reference', options: SimulatorOptions = {}): Promise<Simulator> {
  if (isDialectName(profile)) return startSimulator({ ...options, dialect: profile });
  const { dialectOf, UnsupportedProfileError } = await import('../../simulator/dialects/from-profile/dialect.ts');
  try {
    return await startSimulator({ ...options, dialect: dialectOf(await loadProfile(profile)) });
  } catch (error) {
    if (error instanceof UnsupportedProfileError) throw new UsageError(error.message);
    throw error;
  }
}
