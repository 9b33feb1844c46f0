import type { Run, Selection } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

export interface FailedValues extends NamedOptions {
  /** The file of an earlier run, or the run: only the checks that failed in it are judged. */
  readonly failed?: string | Run | undefined;
}

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
