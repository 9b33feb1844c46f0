/** `mdwi record`: judges a service through the recording gateway. */

import { configure } from '../commands/configure.ts';
import { networkOf } from '../commands/network.ts';
import { openGateway } from '../commands/open-gateway.ts';
import { samplingOf, selectionOf, targetBaseUrl } from '../commands/selection.ts';
import { refuseUnattended } from '../commands/unattended.ts';
import { withLimits } from '../commands/with-limits.ts';
import type { Sampling } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { recordedSampling } from '../recording/format/recording-options.ts';
import { RecordingError } from '../recording/format/schema.ts';
import { firstToCount, interruptedExitCode } from '../run/exit-codes.ts';
import { interruptionOf } from '../run/interruption.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, numberOf, parse } from './parse-flags.ts';
import { printConfig } from './print-config.ts';
import { failRecording, scrubFlags } from './recording-flags.ts';
import { judgeAndReport, runValuesOf, withDrawnSeed } from './run.ts';
import { RECORD_FLAGS } from './usage/recordings.ts';

/** Flags of `run` that select the requests, and so the expected content of the recording. */
const SELECTING_FLAGS = ['group', 'operation', 'rule', 'skip-rule'] as const;

/** The depth and the seed of a recording of which a part is recorded again, so that a replay finds all its draws. */
async function samplingOfRecording(name: string, folder = 'recordings'): Promise<Sampling | undefined> {
  const { openRecording } = await import('../recording/store/open-recording.ts');
  try {
    return recordedSampling(openRecording(folder, name).about);
  } catch (error) {
    // There is none yet, or the recorder reports that it is damaged.
    if (error instanceof RecordingError) return undefined;
    throw error;
  }
}

export const record: Command = async (args) => {
  const { values: flags, positionals } = parse(args, RECORD_FLAGS, 1);
  // Here `--recordings` is the folder of all recordings.
  const { recordings: folder, ...view } = flags;
  const configured = await configure(
    { ...view, 'recordings-dir': folder },
    {
      target: positionals[0],
      flags: RECORD_FLAGS,
      omit: ['recording'],
    },
  );
  if (flags['print-config']) return printConfig(configured);
  const values = withDrawnSeed(runValuesOf(configured), 'record');
  const { name, 'recordings-dir': recordings, secret, scrub, ca, ...judged } = values;
  const base = targetBaseUrl(values);
  const profileName = values.profile ?? (base === undefined ? 'reference' : 'empty');
  const safety = values.safety ?? (base === undefined ? 'all' : 'read');
  const isPart = SELECTING_FLAGS.some((flag) => values[flag] !== undefined);
  const { depth, seed } = samplingOf(
    values,
    isPart && name !== undefined ? await samplingOfRecording(name, recordings) : undefined,
  );
  const profile = withLimits(await loadProfile(profileName), values.limits);
  if (base !== undefined)
    refuseUnattended({ base, safety: selectionOf({ safety }).safety, allowHosts: values['allow-target-host'] });
  if (base !== undefined && values.products !== undefined)
    throw new UsageError('--products is for the built-in simulator only');
  const products = numberOf('products', values.products, 100, 1, 10_000_000);
  const simulatorName = `the built-in simulator with ${products} products`;
  const simulator =
    base === undefined
      ? await (await import('../commands/start-simulator.ts')).startSimulatorServer({ profile: profileName, products })
      : undefined;
  const interrupts = listenForInterrupts();
  try {
    // The simulator runs in this process: no proxy leads to it.
    const network = base === undefined ? {} : { ca, proxy: values.proxy };
    const gatewayValues = { name, recordings, secret, scrub };
    const gateway = await openGateway(gatewayValues, {
      upstream: base ?? (simulator?.url as string),
      ...(base !== undefined && { network: networkOf(network) }),
      profile,
      source: base === undefined ? 'simulator' : 'live',
      safety,
      command: {
        command: 'record',
        flags: [
          ...['--safety', safety, '--depth', depth, '--sample-seed', `${seed}`],
          ...SELECTING_FLAGS.flatMap((flag) => (values[flag] ?? []).flatMap((each) => [`--${flag}`, each])),
          ...(base === undefined ? ['--products', `${products}`] : []),
          ...scrubFlags(scrub),
        ],
      },
      signal: interrupts.signal,
      sendsTwice: !values['ask-once'],
      onNotRecorded: (why) => notify('record', `not recorded: ${why}`),
      ...(base === undefined && { upstreamName: simulatorName }),
    });
    let exitCode: number;
    try {
      const target = { 'base-url': gateway.url, simulator: false, profile: profileName, safety, depth, secret, ca };
      exitCode = await judgeAndReport(
        { ...judged, ...target, 'sample-seed': seed },
        {
          command: 'record',
          name: base ?? simulatorName,
          onCredential: gateway.protect,
          temporaryOrigin: new URL(gateway.url).origin,
          reportedOrigin: new URL(base ?? (simulator?.url as string)).origin,
          ...(simulator && { simulator: simulator.url }),
        },
      );
    } catch (error) {
      await gateway.close({ atOnce: true }).catch(() => undefined);
      throw error;
    }
    try {
      await gateway.close({ atOnce: interrupts.signal.aborted });
    } catch (error) {
      return firstToCount(exitCode, failRecording('record', error));
    }
    process.stderr.write(`mdwi record: ${gateway.recordedCount()} exchanges recorded\n`);
    const received = interruptionOf(interrupts.signal);
    return received === undefined ? exitCode : firstToCount(exitCode, interruptedExitCode(received));
  } finally {
    interrupts.end();
    await simulator?.close();
  }
};
