import type { SettingValues } from '../config/settings.ts';
import type { Selection } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

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
