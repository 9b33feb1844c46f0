/** The flags that compare a run with an earlier one. */
import { existsSync } from 'node:fs';
import type { Run } from '../run/types.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';

export const COMPARISON_FLAGS = {
  baseline: { type: 'string' },
  'fail-on-new': { type: 'boolean' },
} as const;

export interface ComparisonValues {
  readonly baseline?: string | undefined;
  readonly 'fail-on-new'?: boolean | undefined;
  /** The baseline is from the configuration, which also holds for the first run, when there is none yet. */
  readonly isBaselineOptional?: boolean | undefined;
}

/**
 * Reads the baseline before anything is sent.
 * @returns the comparison of a run with it
 * @throws UsageError if the baseline cannot be read
 */
export async function comparisonOf(values: ComparisonValues, command: string): Promise<(run: Run) => Run> {
  const { baseline } = values;
  const failsOnNew = values['fail-on-new'] ?? false;
  if (baseline === undefined) {
    if (failsOnNew)
      throw new UsageError(
        '--fail-on-new needs a run to compare with: --baseline FILE, or baseline in the configuration',
      );
    return (run) => run;
  }
  if (values.isBaselineOptional && !existsSync(baseline)) {
    notify(command, `there is no baseline ${baseline} yet: every failure sets the exit code`);
    return (run) => run;
  }
  const { readRun } = await import('../comparison/read-run.ts');
  const before = readRun(baseline);
  const { compareWithBaseline } = await import('../comparison/fail-on-new.ts');
  return (run) => compareWithBaseline(before, run, baseline, failsOnNew);
}
