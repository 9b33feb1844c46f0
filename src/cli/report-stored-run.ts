/** Reports runs that were read from files. */
import type { SettingValues } from '../config/settings.ts';
import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';
import { EXIT, firstToCount, knownCode } from '../run/exit-codes.ts';
import type { Run } from '../run/types.ts';
import { notify } from '../terminal/notify.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';
import { checkTextFlags, runText, showsReason, type TextValues } from './run-text.ts';

/**
 * Writes the reports of a run and shows it.
 * @param textOf the report for people in a terminal
 * @returns the exit code: that of the run, or `EXIT.usage` if a report could not be written
 */
export async function reportStoredRun(
  command: string,
  run: Run,
  values: TextValues & Pick<SettingValues, 'report'>,
  textOf: (run: Run) => string,
): Promise<number> {
  checkTextFlags(values);
  const reports = reportFilesOf(values.report, FORMAT_NAMES);
  const failures = await writeReports(reports, (format) => FORMATS[format](run));
  const isShown = !usesStandardOutput(reports);
  if (isShown) process.stdout.write(runText(run, values, textOf));
  if (run.reason && !(isShown && showsReason(values))) notify(command, run.reason);
  for (const each of failures) notify(command, each);
  // A process would end with 0 if the file says 256.
  const exitCode = knownCode(run.exitCode);
  return failures.length > 0 ? firstToCount(exitCode, EXIT.usage) : exitCode;
}
