/** `mdwi run`: judges a live server, a recording, or the built-in simulator. */
import { redactor } from '../exchange/redact.ts';
import { loadProfile } from '../profile/load.ts';
import { reportToConsole } from '../report/console.ts';
import { FORMAT_NAMES, FORMATS, type Format } from '../report/formats.ts';
import { writeWhole } from '../report/write.ts';
import type { Run } from '../run/types.ts';
import type { Command } from './command.ts';
import { judgeTarget, type Target } from './judge-target.ts';
import { baseUrlOf, parse, SELECTION_FLAGS, SELECTION_USAGE, selectionOf, UsageError } from './options.ts';
import { presentInVitest } from './present-in-vitest.ts';
import { openReplay, type TargetValues } from './replaying.ts';
import { startSpeaking } from './start-speaking.ts';

const FLAGS = {
  ...SELECTION_FLAGS,
  recordings: { type: 'string' },
  'recordings-dir': { type: 'string' },
  strict: { type: 'boolean' },
  'allow-inconclusive': { type: 'boolean' },
  require: { type: 'string' },
  report: { type: 'string', multiple: true },
  vitest: { type: 'string' },
  verbose: { type: 'boolean' },
} as const;

const reportOf = (text: string): { format: Format; file: string } => {
  const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!(FORMAT_NAMES as string[]).includes(format) || file === '')
    throw new UsageError(`--report ${text}: write FORMAT=FILE, with a format of ${FORMAT_NAMES.join(', ')}`);
  return { format: format as Format, file };
};

export const run: Command = {
  says: 'judges a live server, a recording, or the built-in simulator',
  usage: `mdwi run [--base-url URL | --recordings NAME] [--profile NAME|FILE] [flags]

${SELECTION_USAGE}
  --recordings NAME    judges a recording, offline; profile and safety are those it was recorded with unless given;
                       what it does not hold is untested
  --recordings-dir DIR where recordings are (default recordings)
  --strict             advisory checks (http, plausible) gate too
  --allow-inconclusive an inconclusive gating check does not end the run with 3
  --require conformant a partial outcome ends the run with 3
  --report FORMAT=FILE writes a report: ${FORMAT_NAMES.join(', ')} (may be repeated)
  --vitest REPORTER    presents the verdicts as tests through vitest’s reporter (tree, verbose, tap, …)
  --verbose            lists every check

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage or profile · 3 undetermined · 70 our own error`,
  async run(args) {
    const { values } = parse(args, FLAGS);
    const reports = (values.report ?? []).map(reportOf);
    if (values.require !== undefined && values.require !== 'conformant')
      throw new UsageError(`--require ${values.require}: only conformant can be required`);
    const target = await openTarget(values);
    const { profile } = target;
    let result: Run;
    try {
      result = await judgeTarget({
        ...target,
        strict: values.strict ?? false,
        allowInconclusive: values['allow-inconclusive'] ?? false,
        requireConformant: values.require === 'conformant',
      });
    } finally {
      await target.close?.();
    }
    const redact = redactor(profile.secrets);
    for (const { format, file } of reports) await writeReport(file, redact(FORMATS[format](result)));
    // Of a service that never answered there is nothing to report but that.
    const silent =
      result.exchanges.length > 0 && result.exchanges.every((each) => each.status === undefined && !each.notRecorded);
    if (values.vitest !== undefined)
      await presentInVitest(JSON.parse(redact(JSON.stringify(result))) as Run, values.vitest);
    else if (!silent)
      process.stdout.write(
        redact(
          reportToConsole(result, {
            colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
            verbose: values.verbose ?? false,
          }),
        ),
      );
    if (result.reason) process.stderr.write(`mdwi run: ${redact(result.reason)}\n`);
    return result.exitCode;
  },
};

type Opened = Pick<Target, 'base' | 'profile' | 'selection' | 'name' | 'wait'> & {
  readonly close?: () => Promise<void>;
};

/** What is to be judged: a live server, a recording, or the simulator. */
async function openTarget(values: TargetValues): Promise<Opened> {
  if (values.recordings !== undefined) return openReplay(values.recordings, values);
  if (values['recordings-dir'] !== undefined) throw new UsageError('--recordings-dir goes with --recordings NAME');
  const selection = selectionOf(values);
  if (values['base-url'] !== undefined) {
    const base = baseUrlOf(values['base-url']);
    return { base, profile: await loadProfile(values.profile ?? 'empty'), selection };
  }
  // Without a server the simulator is judged, speaking what the profile says.
  const name = values.profile ?? 'reference';
  const profile = await loadProfile(name);
  const simulator = await startSpeaking(name);
  return { base: simulator.url, profile, selection, close: () => simulator.close() };
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text);
  } catch (error) {
    throw new UsageError(`--report …=${file}: cannot be written: ${(error as Error).message}`);
  }
}
