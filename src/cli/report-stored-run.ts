/** Reports runs that were read from files. */
import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';
import { reportToSummary } from '../report/summary.ts';
import { EXIT, firstToCount } from '../run/exit-codes.ts';
import type { Run } from '../run/types.ts';
import { notify } from '../terminal/notify.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

export const STORED_REPORT_FLAGS = {
  report: { type: 'string', multiple: true },
  summary: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

interface StoredReportValues {
  readonly report?: string[] | undefined;
  readonly summary?: boolean | undefined;
}

/**
 * Writes the reports of a run and shows it.
 * @param textOf the report for people in a terminal
 * @returns the exit code: that of the run, or `EXIT.usage` if a report could not be written
 */
export async function reportStoredRun(
  command: string,
  run: Run,
  values: StoredReportValues,
  textOf: (run: Run) => string,
): Promise<number> {
  const reports = reportFilesOf(values.report, FORMAT_NAMES);
  const failures = await writeReports(reports, (format) => FORMATS[format](run));
  if (!usesStandardOutput(reports)) process.stdout.write(values.summary ? reportToSummary(run) : textOf(run));
  if (run.reason) notify(command, run.reason);
  for (const each of failures) notify(command, each);
  return failures.length > 0 ? firstToCount(run.exitCode, EXIT.usage) : run.exitCode;
}
