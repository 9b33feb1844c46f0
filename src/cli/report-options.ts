/** Telling a run: the console, the reports asked for, vitest’s reporters. */
import { createRequire } from 'node:module';
import { redactRun } from '../api/redact-run.ts';
import { reportToConsole } from '../report/console.ts';
import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';
import { EXIT, firstToCount } from '../run/outcome.ts';
import type { Run } from '../run/types.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

export const REPORT_FLAGS = {
  strict: { type: 'boolean' },
  'allow-inconclusive': { type: 'boolean' },
  require: { type: 'string' },
  report: { type: 'string', multiple: true },
  vitest: { type: 'string' },
  verbose: { type: 'boolean' },
} as const;

export interface ReportValues {
  readonly strict?: boolean | undefined;
  readonly 'allow-inconclusive'?: boolean | undefined;
  readonly require?: string | undefined;
  readonly report?: string[] | undefined;
  readonly vitest?: string | undefined;
  readonly verbose?: boolean | undefined;
}

export interface Reporting {
  readonly scope: {
    readonly strict: boolean;
    readonly allowInconclusive: boolean;
    readonly requireConformant: boolean;
  };
  /**
   * Writes the reports and shows the run; these secrets are hidden in all of it. `quietly`: nothing but the
   * reports and the reason why the exit code is not 0. Returns the exit code: that of the run, unless a report could
   * not be written.
   */
  tell(result: Run, secrets: readonly string[], quietly?: boolean): Promise<number>;
  /** Whether a report goes to standard output, where nothing else may then stand. */
  readonly toStandardOutput: boolean;
}

/**
 * How a command line wants a run told, checked before anything is done.
 * @param command for what is said on standard error
 */
export async function reportingOf(values: ReportValues, command: string): Promise<Reporting> {
  const reports = reportFilesOf(values.report, FORMAT_NAMES);
  if (values.require !== undefined && values.require !== 'conformant')
    throw new UsageError(`--require ${values.require}: only conformant can be required`);
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
    },
    async tell(result, secrets, quietly = false) {
      const shown = redactRun(result, secrets);
      const refusals = await writeReports(reports, (format) => FORMATS[format](shown));
      const { presentInVitest } = reporter === undefined ? {} : await import('./present-in-vitest.ts');
      const failure = await presentInVitest?.(shown, reporter as string);
      if (failure !== undefined) refusals.push(failure);
      if ((reporter === undefined || failure !== undefined) && !quietly && !toStandardOutput)
        process.stdout.write(
          reportToConsole(shown, {
            colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
            verbose: values.verbose ?? false,
          }),
        );
      if (shown.reason) notify(command, shown.reason);
      for (const each of refusals) notify(command, each);
      return refusals.length > 0 ? firstToCount(shown.exitCode, EXIT.usage) : shown.exitCode;
    },
  };
}

/** The first version of vitest whose interface is used. */
const LEAST_VITEST = 5;

/** vitest is an optional peer of this package: users of its reporters install it. */
function checkVitest(): void {
  const needed = `--vitest needs the package vitest, version ${LEAST_VITEST} or newer`;
  let version: string;
  try {
    ({ version } = createRequire(import.meta.url)('vitest/package.json') as { version: string });
  } catch {
    throw new UsageError(`${needed}, which is not installed: npm install --save-dev vitest`);
  }
  if (Number.parseInt(version, 10) < LEAST_VITEST)
    throw new UsageError(`${needed}, and ${version} is installed: npm install --save-dev vitest@${LEAST_VITEST}`);
}

/** The reporter as vitest is to be given it; refused where vitest is not installed or does not know it. */
async function reporterOf(name: string): Promise<string> {
  checkVitest();
  return (await import('./present-in-vitest.ts')).findReporter(name);
}
