/** Reports a run: console, report files, vitest reporters. */
import { createRequire } from 'node:module';
import type { Target } from '../commands/judge-target.ts';
import { ruleSetOf, waiversOf } from '../commands/known-failures.ts';
import { redactRun } from '../commands/redact-run.ts';
import type { SettingValues } from '../config/settings.ts';
import { type ConsoleOptions, reportOutcome, reportToConsole, reportToSummary } from '../report/console.ts';
import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';
import { EXIT, firstToCount, knownCode } from '../run/exit-codes.ts';
import type { OutcomeOptions } from '../run/outcome.ts';
import type { Run } from '../run/types.ts';
import { usesColour } from '../terminal/colour.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

export type ReportValues = Pick<
  SettingValues,
  'strict' | 'allow-inconclusive' | 'require' | 'waivers' | 'rule-set' | 'report' | 'vitest' | keyof TextValues
>;

interface ShownText {
  /** Shows only why the exit code is not 0. */
  readonly isReasonEnough?: boolean;
  /** The text without `--summary` and `--quiet`; default: the console report. */
  readonly textOf?: (run: Run) => string;
}

export interface Reporting {
  readonly scope: OutcomeOptions & Pick<Target, 'waivers' | 'ruleSet'>;
  /**
   * Writes the reports and shows the run, with these secrets hidden. Returns the exit code: that of the run, or `EXIT.usage` if
   * a report could not be written.
   */
  report(result: Run, secrets?: readonly string[], shows?: ShownText): Promise<number>;
  /** Whether a report goes to standard output; nothing else may be written there then. */
  readonly toStandardOutput: boolean;
}

/**
 * Reads and checks the report flags of a command line.
 * @param command the name of the command, for messages on standard error
 */
export async function reportingOf(values: ReportValues, command: string): Promise<Reporting> {
  checkTextFlags(values);
  const reports = reportFilesOf(values.report, FORMAT_NAMES);
  if (values.require !== undefined && values.require !== 'conformant')
    throw new UsageError(`--require ${values.require}: only conformant can be required`);
  const waivers = await waiversOf(values.waivers);
  const ruleSet = ruleSetOf(values['rule-set'], '--rule-set');
  const reporter = values.vitest === undefined ? undefined : await reporterOf(values.vitest);
  const toStandardOutput = usesStandardOutput(reports);
  if (reporter !== undefined && toStandardOutput)
    throw new UsageError('--vitest and --report FORMAT=-: standard output can hold only one of them');
  return {
    toStandardOutput,
    scope: {
      strict: values.strict ?? false,
      allowInconclusive: values['allow-inconclusive'] ?? false,
      requireConformant: values.require === 'conformant',
      waivers,
      ruleSet,
    },
    async report(result, secrets = [], { isReasonEnough = false, textOf } = {}) {
      const shown = redactRun(result, secrets);
      const failures = await writeReports(reports, (format) => FORMATS[format](shown));
      const { presentInVitest } = reporter === undefined ? {} : await import('./present-in-vitest.ts');
      const failure = await presentInVitest?.(shown, reporter as string);
      if (failure !== undefined) failures.push(failure);
      const isShown =
        !toStandardOutput &&
        (isOneLine(values) || ((reporter === undefined || failure !== undefined) && !isReasonEnough));
      if (isShown) process.stdout.write(runText(shown, values, textOf));
      if (shown.reason && !(isShown && showsReason(values))) notify(command, shown.reason);
      for (const each of failures) notify(command, each);
      // A process would end with 0 if the file of a run says 256.
      const exitCode = knownCode(shown.exitCode);
      return failures.length > 0 ? firstToCount(exitCode, EXIT.usage) : exitCode;
    },
  };
}

/** The lowest version of vitest with the interface that is used here. */
const MIN_VITEST = 5;

/** Checks that vitest, an optional peer dependency, is installed. */
function checkVitest(): void {
  const requirement = `--vitest needs the package vitest, version ${MIN_VITEST} or newer`;
  let version: string;
  try {
    ({ version } = createRequire(import.meta.url)('vitest/package.json') as { version: string });
  } catch {
    throw new UsageError(`${requirement}, which is not installed: npm install --save-dev vitest`);
  }
  if (Number.parseInt(version, 10) < MIN_VITEST)
    throw new UsageError(`${requirement}, and ${version} is installed: npm install --save-dev vitest@${MIN_VITEST}`);
}

/** Returns the reporter for vitest. Throws UsageError if vitest is not installed or has no such reporter. */
async function reporterOf(name: string): Promise<string> {
  checkVitest();
  return (await import('./present-in-vitest.ts')).findReporter(name);
}

type TextValues = Pick<SettingValues, 'summary' | 'quiet' | 'verbose'>;

/** Throws UsageError if `--quiet` is given with a flag that shows more. */
function checkTextFlags({ quiet, summary, verbose }: TextValues): void {
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
function runText(run: Run, values: TextValues, whole?: (run: Run) => string): string {
  if (values.summary) return reportToSummary(run);
  if (values.quiet) return reportOutcome(run, usesColour());
  return whole?.(run) ?? reportToConsole(run, { ...outputOptions(), verbose: values.verbose ?? false });
}

/**
 * Whether the reader sees the reason of the exit code on standard output already, so that standard error need not repeat
 * it: `--quiet` shows nothing but the outcome, and a terminal shows both streams.
 */
const showsReason = ({ quiet, summary }: TextValues): boolean =>
  quiet === true || (!summary && process.stdout.isTTY === true && process.stderr.isTTY === true);
