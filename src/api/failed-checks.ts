/** The checks that failed in an earlier run, for `--failed`. */
import type { Selection } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Adds the checks that failed in the run.json that the values name, whether they gate or not.
 * @throws UsageError if the file is no run.json, or nothing failed in it
 */
export async function withFailedChecks<V extends { readonly failed?: string | undefined }>(
  values: V,
): Promise<V & Pick<Selection, 'checks'>> {
  const { failed } = values;
  if (failed === undefined) return values;
  const { readRun } = await import('../comparison/read-run.ts');
  const checks = readRun(failed)
    .results.filter(({ verdict }) => verdict === 'fail')
    .map(({ rule, operation }) => ({ rule, operation }));
  if (checks.length === 0) throw new UsageError(`--failed ${failed}: no check failed in this run`);
  return { ...values, checks };
}
