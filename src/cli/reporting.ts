/** Telling a run: the console, the reports asked for, vitest’s reporters. */
import { createRequire } from 'node:module';
import { redactor } from '../exchange/redact.ts';
import { reportToConsole } from '../report/console.ts';
import { FORMAT_NAMES, FORMATS, type Format } from '../report/formats.ts';
import { mapTexts } from '../report/map-texts.ts';
import { writeWhole } from '../report/write.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from './options.ts';

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
   * reports and the reason why the exit code is not 0.
   */
  tell(result: Run, secrets: readonly string[], quietly?: boolean): Promise<void>;
}

/** Members of a run whose values are words of closed sets: a secret that equals one of them is not hidden there. */
const RUN_WORDS: ReadonlySet<string> = new Set([
  ...['outcome', 'outcomeInScope', 'rule', 'operation', 'statement', 'section', 'basis', 'verdict', 'openings'],
  ...['safety', 'groups', 'opening', 'rules', 'startedAt', 'id', 'exchange'],
]);

const reportOf = (text: string): { format: Format; file: string } => {
  const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!(FORMAT_NAMES as string[]).includes(format) || file === '')
    throw new UsageError(`--report ${text}: write FORMAT=FILE, with a format of ${FORMAT_NAMES.join(', ')}`);
  return { format: format as Format, file };
};

/**
 * How a command line wants a run told, checked before anything is done.
 * @param command for what is said on standard error
 */
export function reportingOf(values: ReportValues, command: string): Reporting {
  const reports = (values.report ?? []).map(reportOf);
  if (values.require !== undefined && values.require !== 'conformant')
    throw new UsageError(`--require ${values.require}: only conformant can be required`);
  if (values.vitest !== undefined) checkVitest();
  return {
    scope: {
      strict: values.strict ?? false,
      allowInconclusive: values['allow-inconclusive'] ?? false,
      requireConformant: values.require === 'conformant',
    },
    async tell(result, secrets, quietly = false) {
      // Before it is formatted: a format escapes characters, and what hides secrets does not know how.
      const shown = mapTexts(result, redactor(secrets), RUN_WORDS);
      for (const { format, file } of reports) await writeReport(file, FORMATS[format](shown));
      if (values.vitest !== undefined)
        await (await import('./present-in-vitest.ts')).presentInVitest(shown, values.vitest);
      else if (!quietly)
        process.stdout.write(
          reportToConsole(shown, {
            colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
            verbose: values.verbose ?? false,
          }),
        );
      if (shown.reason) process.stderr.write(`mdwi ${command}: ${shown.reason}\n`);
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

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text);
  } catch (error) {
    throw new UsageError(`--report …=${file}: cannot be written: ${(error as Error).message}`);
  }
}
