/** The depth of a run and the seed of its draws, from options. */
import { randomInt } from 'node:crypto';
import type { SettingValues } from '../config/settings.ts';
import { DEFAULT_SAMPLING, DEPTHS, type Depth, type Sampling } from '../contract/index.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

export type SamplingValues = NamedOptions & Pick<SettingValues, 'depth' | 'sample-seed'>;

export const AUTO_SEED = 'auto';
export const MAX_SEED = 4_294_967_295;

const isDepth = (text: string): text is Depth => (DEPTHS as readonly string[]).includes(text);

/**
 * Returns the sampling of these options; `auto` draws a seed.
 * @param defaults the values of absent options
 * @throws UsageError for another depth, or a seed that is no whole number
 * @example samplingOf({ depth: 'quick' }) // { depth: 'quick', seed: 1 }
 */
export function samplingOf(
  { depth = '', 'sample-seed': seed, nameOf = flagName }: SamplingValues,
  defaults: Sampling = DEFAULT_SAMPLING,
): Sampling {
  if (depth !== '' && !isDepth(depth))
    throw new UsageError(`${nameOf('depth')} ${depth}: allowed are ${DEPTHS.join(', ')}`);
  return { depth: isDepth(depth) ? depth : defaults.depth, seed: seedOf(seed, defaults.seed, nameOf('sample-seed')) };
}

function seedOf(given: string | number | undefined, defaultSeed: number, option: string): number {
  if (given === undefined) return defaultSeed;
  if (given === AUTO_SEED) return randomInt(1, MAX_SEED);
  const seed = Number(given);
  if (!/^\d+$/.test(String(given)) || seed > MAX_SEED)
    throw new UsageError(`${option} ${given}: a whole number from 0 to ${MAX_SEED}, or ${AUTO_SEED}, is needed`);
  return seed;
}
