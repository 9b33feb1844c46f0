/** Compares a run with an earlier one. */
import { existsSync } from 'node:fs';
import type { SettingValues } from '../config/settings.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { flagName, type NamedOptions } from './option-names.ts';

export interface ComparisonValues extends NamedOptions, Pick<SettingValues, 'baseline' | 'fail-on-new'> {
  /** The baseline is from the configuration, which also holds for the first run, when there is none yet. */
  readonly isBaselineOptional?: boolean | undefined;
}

/**
 * Reads the baseline before anything is sent.
 * @param onMissing receives the sentence that an optional baseline does not exist yet
 * @returns the comparison of a run with it
 * @throws UsageError if the baseline cannot be read
 */
export async function baselineComparison(
  { baseline, 'fail-on-new': failsOnNew = false, isBaselineOptional = false, nameOf = flagName }: ComparisonValues,
  onMissing: (sentence: string) => void = () => undefined,
): Promise<(run: Run) => Run> {
  if (baseline === undefined) {
    if (failsOnNew)
      throw new UsageError(
        `${nameOf('fail-on-new')} needs a run to compare with: ${nameOf('baseline')}, or baseline in the configuration`,
      );
    return (run) => run;
  }
  if (isBaselineOptional && typeof baseline === 'string' && !existsSync(baseline)) {
    onMissing(`there is no baseline ${baseline} yet: every failure sets the exit code`);
    return (run) => run;
  }
  const { givenRun } = await import('../comparison/read-run.ts');
  const before = givenRun(baseline, nameOf('baseline'));
  const { compareWithBaseline } = await import('../comparison/fail-on-new.ts');
  const name = typeof baseline === 'string' ? baseline : `the run of ${before.manifest.startedAt}`;
  return (run) => compareWithBaseline(before, run, name, failsOnNew);
}
