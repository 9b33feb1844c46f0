/** Learns from the service or the recorded traffic that a command line names. */
import { configure } from '../../commands/configure.ts';
import { type Network, networkOf, simulatorNetwork } from '../../commands/network.ts';
import { recordingsFolderOf } from '../../commands/open-replay.ts';
import { targetBaseUrl } from '../../commands/selection.ts';
import { refuseUnattended } from '../../commands/unattended.ts';
import type { FlagValues } from '../../config/flag.ts';
import { SETTING_KEYS, type SettingKey } from '../../config/settings.ts';
import { TemporaryBodies } from '../../exchange/body.ts';
import type { Learned } from '../../learn/types.ts';
import { RecordingError } from '../../recording/format/schema.ts';
import { credentialsInTraffic, findTraffic, loadTraffic } from '../../recording/import/load-traffic.ts';
import { secretValuesOf } from '../../secrets/declared-secrets.ts';
import { listenForInterrupts } from '../../terminal/interrupts.ts';
import { isInteractive, startProgress } from '../../terminal/progress.ts';
import { oneOf, UsageError } from '../../usage-error.ts';
import { printConfig } from '../print-config.ts';
import { LEARN_FLAGS, type WHY_FLAGS } from '../usage/profile.ts';
import { descriptionOf, readStart, type Start } from './learn-start.ts';

const USED_SETTINGS: readonly SettingKey[] = [
  'baseUrl',
  'simulator',
  'profile',
  'limits',
  'secrets',
  'proxy',
  'ca',
  'followTo',
  'allowHosts',
];
const SAFETY = ['read', 'job'] as const;

type Values = FlagValues<typeof WHY_FLAGS> & { readonly out?: string; readonly force?: boolean };

interface LearnedFrom {
  readonly learned: Learned;
  readonly start: Start;
  /** The address, as a command line names it. */
  readonly target: string;
  /** The signal that interrupted it. */
  readonly signal: AbortSignal;
  /** What must not be printed. */
  readonly secrets: readonly string[];
  /** What a request gets, if no operation answered. */
  readonly why?: string;
}

/** Learns from the service that the flags name. Returns the exit code of `--print-config`, if that is given. */
export async function learnFrom(flags: Values, file: string | undefined): Promise<LearnedFrom | number> {
  const configured = await configure(flags, {
    flags: LEARN_FLAGS,
    omit: SETTING_KEYS.filter((key) => !USED_SETTINGS.includes(key)),
  });
  if (flags['print-config']) return printConfig(configured);
  const { values } = configured;
  const { recordings } = flags;
  if (values['base-url'] === undefined && !values.simulator && recordings === undefined)
    throw new UsageError(
      '--base-url URL is missing: the address of the service, --recordings NAME|FILE for recorded traffic, or --simulator for the built-in simulator',
    );
  if (recordings !== undefined && values.simulator)
    throw new UsageError('--recordings and --simulator: only one of them can be learned from');
  const base = targetBaseUrl({ 'base-url': values['base-url'], simulator: values.simulator });
  const safety = oneOf('--safety', flags.safety ?? 'read', SAFETY);
  if (base !== undefined && recordings === undefined)
    refuseUnattended({ base, safety, allowHosts: values['allow-target-host'] });
  const network = networkOf(values);
  const description = descriptionOf(file);
  const start = await readStart({
    out: flags.force ? undefined : flags.out,
    given: values.profile,
    description,
    isOffline: recordings !== undefined,
  });
  const { learnProfile } = await import('../../learn/index.ts');
  const bodies = new TemporaryBodies();
  const progress = isInteractive(process.stderr) ? startProgress() : undefined;
  const interrupts = listenForInterrupts();
  let simulator: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    const traffic =
      recordings === undefined
        ? undefined
        : await loadTraffic(
            findTraffic(recordings, recordingsFolderOf(recordings)),
            start.profile,
            bodies,
            base,
            interrupts.signal,
          );
    if (!traffic && base === undefined)
      simulator = await (await import('../../commands/start-simulator.ts')).startSimulatorServer();
    const url = traffic?.base ?? base ?? (simulator?.url as string);
    const { maxRequests, requestsPerSecond } = values.limits ?? {};
    const used: Network = simulator ? simulatorNetwork(url) : network;
    const learned = await learnProfile({
      base: url,
      start: start.tree,
      description,
      network: used,
      recorded: traffic?.exchanges.map(({ exchange }) => exchange),
      safety,
      maxRequests,
      requestsPerSecond,
      signal: interrupts.signal,
      onProgress: (requests, operation) => progress?.update(requests, operation),
    });
    const received = [...learned.received, ...(traffic ? credentialsInTraffic(traffic) : [])];
    const secrets = secretValuesOf(start.profile, [...(values.secret ?? []), ...network.secrets], received);
    const isSilent = learned.answered.length === 0 && !interrupts.signal.aborted;
    const { whyUnanswered } = await import('./learn-unanswered.ts');
    return {
      ...(isSilent && {
        why: traffic
          ? `${traffic.name} contains no response to an operation that can be read`
          : await whyUnanswered(url, start.profile, used),
      }),
      learned,
      start,
      target: targetText(base, recordings),
      signal: interrupts.signal,
      secrets,
    };
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  } finally {
    interrupts.end();
    progress?.end();
    await simulator?.close();
    await bodies.close();
  }
}

/** What was learned from, as a command line names it. */
function targetText(base: string | undefined, recordings: string | undefined): string {
  if (recordings !== undefined) return `--recordings ${recordings}`;
  return base === undefined ? '--simulator' : `--base-url ${base}`;
}
