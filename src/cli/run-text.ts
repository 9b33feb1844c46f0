/** What standard output shows of a run: the console report, one line, or the outcome only. */
import type { SettingValues } from '../config/settings.ts';
import { type ConsoleOptions, reportOutcome, reportToConsole, reportToSummary } from '../report/console.ts';
import type { Run } from '../run/types.ts';
import { usesColour } from '../terminal/colour.ts';
import { UsageError } from '../usage-error.ts';

export type TextValues = Pick<SettingValues, 'summary' | 'quiet' | 'verbose'>;

/** Throws UsageError if `--quiet` is given with a flag that shows more. */
export function checkTextFlags({ quiet, summary, verbose }: TextValues): void {
  const other = summary ? '--summary' : verbose ? '--verbose' : undefined;
  if (quiet && other !== undefined) throw new UsageError(`--quiet and ${other}: only one of them can be given`);
}

/** Colours and width of standard output. */
export const outputOptions = (): Pick<ConsoleOptions, 'colour' | 'columns'> => ({
  colour: usesColour(),
  columns: process.stdout.isTTY ? process.stdout.columns || 80 : undefined,
});

/** Whether one line is shown in place of the report. */
export const isOneLine = ({ summary, quiet }: TextValues): boolean => (summary || quiet) ?? false;

/**
 * The text of a run that the flags select.
 * @param whole the text without `--summary` and `--quiet`; default: the console report
 */
export function runText(run: Run, values: TextValues, whole?: (run: Run) => string): string {
  if (values.summary) return reportToSummary(run);
  if (values.quiet) return reportOutcome(run, usesColour());
  return whole?.(run) ?? reportToConsole(run, { ...outputOptions(), verbose: values.verbose ?? false });
}

/**
 * Whether the reader sees the reason of the exit code on standard output already, so that standard error need not repeat
 * it: `--quiet` shows nothing but the outcome, and a terminal shows both streams.
 */
export const showsReason = ({ quiet, summary }: TextValues): boolean =>
  quiet === true || (!summary && process.stdout.isTTY === true && process.stderr.isTTY === true);
