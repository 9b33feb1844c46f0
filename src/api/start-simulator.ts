/** Starting the simulator in the dialect of a profile. */
import { isDialectName } from '../../simulator/dialects/names.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { loadProfile } from '../profile/load.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Starts a simulator that speaks a dialect of ours, or one made of a profile.
 *
 * @param profile a dialect’s name, or what names a profile; default: the reference dialect
 * @throws UsageError naming every part of the profile that cannot be spoken
 */
export async function startDialectSimulator(profile = 'reference', options: SimulatorOptions = {}): Promise<Simulator> {
  if (isDialectName(profile)) return startSimulator({ ...options, dialect: profile });
  const { dialectOf, OutsideSubset } = await import('../../simulator/dialects/from-profile/dialect.ts');
  try {
    return await startSimulator({ ...options, dialect: dialectOf(await loadProfile(profile)) });
  } catch (error) {
    if (error instanceof OutsideSubset) throw new UsageError(error.message);
    throw error;
  }
}
