/** `mdwi judge`: judges the traffic of other clients with a service. Sends nothing. */
import { RULES } from '../../suites/index.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { openReplay, profileOfRecording, recordingsFolderOf } from '../commands/open-replay.ts';
import { baseUrlOf, type SamplingValues, selectionOf, withFailedChecks } from '../commands/selection.ts';
import { TemporaryBodies } from '../exchange/body.ts';
import { printable } from '../exchange/printable.ts';
import { loadOffline } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { RECORDED_ORIGIN } from '../recording/format/origin.ts';
import { recordingOptionsOf } from '../recording/format/recording-options.ts';
import { RecordingError } from '../recording/format/schema.ts';
import {
  credentialsInTraffic,
  findTraffic,
  type LoadedTraffic,
  loadTraffic,
  type TrafficSource,
} from '../recording/import/load-traffic.ts';
import { judgeTraffic, type TrafficSummary } from '../recording/observe/judge-traffic.ts';
import type { Run, Selection } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { startProgress } from '../terminal/progress.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { type Command, needed, parse } from './parse-flags.ts';
import { isOneLine, reportingOf } from './report-options.ts';
import { JUDGE_FLAGS } from './usage/recordings.ts';

export const judge: Command = async (args) => {
  const { values, positionals } = parse(args, JUDGE_FLAGS, 1);
  const argument = needed(
    positionals[0],
    'mdwi judge FILE.har|FOLDER|NAME: the file, folder or recording to judge is missing',
  );
  const reporting = await reportingOf(values, 'judge');
  const selection = selectionOf({ ...(await withFailedChecks(values)), safety: 'all' });
  const baseUrl = values['base-url'] === undefined ? undefined : baseUrlOf(values['base-url']);
  const bodies = new TemporaryBodies();
  const progress = startProgress({ noun: 'exchanges' });
  const interrupts = listenForInterrupts();
  try {
    const { traffic, profile, source } = await openTraffic(argument, { ...values, baseUrl }, bodies, interrupts.signal);
    const suiteRun = interrupts.signal.aborted ? undefined : await judgeAsRun(source, values, selection);
    const { run, summary } = await judgeTraffic({
      rules: RULES,
      selection,
      profile,
      traffic,
      target: traffic.name,
      suiteVersion: version(),
      ...(!values.quiet && { onProgress: progress.update }),
      signal: interrupts.signal,
      ...reporting.scope,
      // The results of an interrupted run are not used.
      ...(suiteRun && !suiteRun.manifest.interrupted && { suiteRun }),
    });
    progress.end();
    const secrets = secretValuesOf(profile, values.secret, credentialsInTraffic(traffic));
    if (!reporting.toStandardOutput && !isOneLine(values))
      process.stdout.write(redactor(secrets)(describeTraffic(traffic, summary)));
    return await reporting.report(run, secrets);
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  } finally {
    progress.end();
    interrupts.end();
    await bodies.close();
  }
};

interface OpenValues {
  readonly baseUrl: string | undefined;
  readonly profile?: string | undefined;
  readonly recordings?: string | undefined;
}

async function openTraffic(
  argument: string,
  { baseUrl, profile: name, recordings = 'recordings' }: OpenValues,
  bodies: TemporaryBodies,
  signal: AbortSignal,
): Promise<{ traffic: LoadedTraffic; profile: Profile; source: TrafficSource }> {
  const source: TrafficSource = findTraffic(argument, recordingsFolderOf(argument, recordings));
  const profile = await ('files' in source || name !== undefined
    ? loadOffline(name ?? 'empty')
    : profileOfRecording(source.recording));
  return { source, profile, traffic: await loadTraffic(source, profile, bodies, baseUrl, signal) };
}

/**
 * Judges a recording by `mdwi record` as `mdwi run` does: its exchanges have no times that show which belong together, but
 * they are in the order of the rules.
 */
async function judgeAsRun(
  source: TrafficSource,
  values: SamplingValues & { readonly profile?: string | undefined },
  selection: Selection,
): Promise<Run | undefined> {
  if (!('recording' in source)) return undefined;
  const { dir, name, about } = source.recording;
  if (about.source === 'import' || recordingOptionsOf(about).some(({ command }) => command !== 'record'))
    return undefined;
  const { close, ...target } = await openReplay(name, {
    'recordings-dir': dir,
    profile: values.profile,
    depth: values.depth,
    'sample-seed': values['sample-seed'],
  });
  try {
    const { sampling } = target.selection;
    const run = await judgeTarget({ ...target, selection: { ...selection, ...(sampling && { sampling }) } });
    // The temporary address no longer exists.
    return JSON.parse(JSON.stringify(run).replaceAll(new URL(target.base).origin, RECORDED_ORIGIN)) as Run;
  } finally {
    await close();
  }
}

const MAX_REASONS = 8;

/** Describes how many exchanges there were, and how many were judged. */
function describeTraffic(
  { entries, skipped: left, otherBases, base }: LoadedTraffic,
  { exchanges, mapped, read, unread }: TrafficSummary,
): string {
  const count = ([why, times]: readonly [string, number]) => `    ${times} ${printable(why)}\n`;
  const byCount = [...left].sort(([, x], [, y]) => y - x);
  const unmappedCount = exchanges - mapped;
  return [
    `  ${entries} exchanges: ${exchanges} with ${printable(base)}, ${mapped} for operations of the interface, ${read} read back completely\n`,
    otherBases.length > 0 ? `  not judged: ${printable(otherBases.join(', '))}\n` : '',
    byCount.length > 0 ? `  left out\n${byCount.map(count).join('')}` : '',
    unmappedCount > 0 ? `  for no operation (another path or method): ${unmappedCount}\n` : '',
    unread.length > 0 ? `  not read back, and so not judged\n${unread.slice(0, MAX_REASONS).map(count).join('')}` : '',
    unread.length > MAX_REASONS ? `    and ${unread.length - MAX_REASONS} more reasons\n` : '',
    '\n',
  ].join('');
}
