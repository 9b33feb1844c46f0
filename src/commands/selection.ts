/** The flags that select the target and the rules. */

import { randomInt } from 'node:crypto';
import { RULES } from '../../suites/index.ts';
import { flagName, type NamedOptions, type SettingValues } from '../config/settings.ts';
import {
  DEFAULT_SAMPLING,
  DEPTHS,
  GROUPS,
  isOperationKey,
  SAFETY_LADDER,
  type Safety,
  type Sampling,
} from '../contract/index.ts';
import { checkBaseUrl } from '../exchange/url.ts';
import { didYouMeanOperation } from '../profile/did-you-mean.ts';
import { bundledProfiles } from '../profile/load.ts';
import type { Selection } from '../run/types.ts';
import { selectUnits } from '../run/units.ts';
import { oneOf, UsageError } from '../usage-error.ts';
import { rulesMatching } from './rule-patterns.ts';

export type SelectionValues = SamplingValues &
  Pick<SettingValues, 'base-url' | 'group' | 'operation' | 'rule' | 'skip-rule' | 'safety'> & {
    /** Only these checks: `withFailedChecks`. */
    readonly checks?: Selection['checks'];
    /** The sampling where the values have none, such as that of a recording. */
    readonly sampling?: Sampling | undefined;
  };

export type TargetValues = Pick<SettingValues, 'base-url' | 'simulator' | 'profile' | 'safety'>;

/**
 * Returns the base address of the service, or undefined for the built-in simulator. A profile file or a safety class needs a
 * target: without one, the simulator would be judged in place of the service.
 *
 * @param ways the ways to name a target, for the sentence of the refusal
 * @throws UsageError if no target is named, or two are
 */
export function targetBaseUrl(
  { 'base-url': base, simulator, profile, safety }: TargetValues,
  ways = '--base-url URL, or --simulator for the built-in simulator',
): string | undefined {
  if (base !== undefined && simulator)
    throw new UsageError('--base-url and --simulator: only one of them can be judged');
  if (base?.trim() === '') throw new UsageError(`the base address is empty: give ${ways}`);
  if (base !== undefined) return baseUrlOf(base);
  if (simulator) return undefined;
  if (profile !== undefined && !bundledProfiles().includes(profile))
    throw new UsageError(`the profile ${profile} is given without a target: give ${ways}`);
  if (safety !== undefined) throw new UsageError(`the safety class ${safety} is given without a target: give ${ways}`);
  return undefined;
}

/** Returns the selection of these options. Without a base address it is for the simulator, to which everything may be sent. */
export function selectionOf(values: SelectionValues): Selection {
  const { nameOf = flagName } = values;
  const given = values.safety ?? (values['base-url'] === undefined ? 'all' : 'read');
  const safety = oneOf(nameOf('safety'), given, Object.keys(SAFETY_LADDER) as Safety[]);
  const groups = values.group
    ?.flatMap((each) => each.split(','))
    .map((each) => oneOf(nameOf('group'), each.trim(), Object.keys(GROUPS)));
  const operations = (values.operation ?? []).map((key) => {
    if (!isOperationKey(key))
      throw new UsageError(
        `${nameOf('operation')} “${key}”: there is no such operation${didYouMeanOperation(key)}; write it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
      );
    return key;
  });
  const selection = {
    safety,
    sampling: samplingOf(values, values.sampling),
    ...(groups && { groups }),
    ...(operations.length > 0 && { operations }),
    ...(values.rule && { rules: rulesMatching(values.rule, nameOf('rule')) }),
    ...(values['skip-rule'] && { skipRules: rulesMatching(values['skip-rule'], nameOf('skip-rule')) }),
    ...(values.checks && { checks: values.checks }),
  };
  if (selectUnits(RULES, selection).length === 0) throw new UsageError(whyNothing(values));
  return selection;
}

/** Why a selection has no check. */
function whyNothing({ nameOf = flagName, ...values }: SelectionValues): string {
  const flags = (['group', 'operation', 'rule', 'skip-rule'] as const)
    .filter((flag) => values[flag])
    .map((flag) => nameOf(flag));
  const given = [...flags, ...(values.checks ? [nameOf('failed')] : [])];
  const listed = given.length > 1 ? `${given.slice(0, -1).join(', ')} and ${given.at(-1)}` : given.join('');
  return `${listed} select no check together: no such rule judges such an operation (mdwi explain RULE)`;
}

/** Checks a base address. */
export function baseUrlOf(text: string): string {
  try {
    return checkBaseUrl(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export type SamplingValues = NamedOptions & Pick<SettingValues, 'depth' | 'sample-seed'>;

export const AUTO_SEED = 'auto';
const MAX_SEED = 4_294_967_295;

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
  return {
    depth: depth === '' ? defaults.depth : oneOf(nameOf('depth'), depth, DEPTHS),
    seed: seedOf(seed, defaults.seed, nameOf('sample-seed')),
  };
}

function seedOf(given: string | number | undefined, defaultSeed: number, option: string): number {
  if (given === undefined) return defaultSeed;
  if (given === AUTO_SEED) return randomInt(1, MAX_SEED);
  const seed = Number(given);
  if (!/^\d+$/.test(String(given)) || seed > MAX_SEED)
    throw new UsageError(`${option} ${given}: a whole number from 0 to ${MAX_SEED}, or ${AUTO_SEED}, is needed`);
  return seed;
}

export type FailedValues = NamedOptions & Pick<SettingValues, 'failed'>;

/**
 * Adds the checks that failed in the run that the values name, whether they gate or not.
 * @throws UsageError if that is no run, or nothing failed in it
 */
export async function withFailedChecks<V extends FailedValues>(values: V): Promise<V & Pick<Selection, 'checks'>> {
  const { failed, nameOf = flagName } = values;
  if (failed === undefined) return values;
  const { givenRun } = await import('../comparison/read-run.ts');
  const name = nameOf('failed');
  const checks = givenRun(failed, name)
    .results.filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, operation }) => ({ rule, operation }));
  if (checks.length === 0)
    throw new UsageError(`${typeof failed === 'string' ? `${name} ${failed}` : name}: no check failed in this run`);
  return { ...values, checks };
}
