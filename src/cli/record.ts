/** `mdwi record`: judges a service through the recording gateway. */

import { openGateway } from '../api/open-gateway.ts';
import { targetBaseUrl } from '../api/selection.ts';
import { loadProfile } from '../profile/load.ts';
import { firstToCount, interruptedExitCode } from '../run/exit-codes.ts';
import { interruptionOf } from '../run/interruption.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command-type.ts';
import { numberOf, refuseRepeated } from './parse-flags.ts';
import { failRecording, RECORDING_FLAGS, scrubFlags, UPSTREAM_FLAGS } from './recording-flags.ts';
import { judgeAndReport } from './run.ts';

/** Flags of this command; all others are flags of `run`. */
const OWN_FLAGS = [...Object.keys(RECORDING_FLAGS), ...Object.keys(UPSTREAM_FLAGS), 'products'];
/** Flags that take no value. */
const ASK_ONCE = '--ask-once';
const SIMULATOR = '--simulator';
/** Flags of `run` that this command reads, too. */
const READ_FLAGS = ['base-url', 'profile', 'safety'];

/** Flags of `run` that select the requests, and so the expected content of the recording. */
const SELECTING_FLAGS = ['group', 'operation', 'rule'];

/** Separates flags (`--flag value` or `--flag=value`) from the rest of a command line. */
function extractFlags(args: readonly string[], names: readonly string[]) {
  const extracted = new Map<string, string[]>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name = '', , value] = /^--([a-z-]+)(=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (!names.includes(name)) {
      rest.push(args[at] as string);
      continue;
    }
    const argument = value ?? args[++at];
    if (argument === undefined) throw new UsageError(`--${name} needs a value`);
    extracted.set(name, [...(extracted.get(name) ?? []), argument]);
  }
  return { extracted, rest };
}

export const record: Command = {
  async run(args) {
    const { extracted, rest } = extractFlags(args, [...OWN_FLAGS, ...READ_FLAGS]);
    const runArgs = rest.filter((each) => each !== ASK_ONCE && each !== SIMULATOR);
    const sendsTwice = !rest.includes(ASK_ONCE);
    const single = (name: string): string | undefined => {
      const [value, ...more] = extracted.get(name) ?? [];
      refuseRepeated(name, 1 + more.length);
      return value;
    };
    const base = targetBaseUrl({
      'base-url': single('base-url'),
      simulator: rest.includes(SIMULATOR),
      profile: single('profile'),
      safety: single('safety'),
    });
    const profileName = single('profile') ?? (base === undefined ? 'reference' : 'empty');
    const safety = single('safety') ?? (base === undefined ? 'all' : 'read');
    const profile = await loadProfile(profileName);
    if (base !== undefined && extracted.has('products'))
      throw new UsageError('--products is for the built-in simulator only');
    const products = numberOf('products', single('products'), 100, 1, 10_000_000);
    const simulatorName = `the built-in simulator with ${products} products`;
    const simulator =
      base === undefined
        ? await (await import('../api/start-simulator.ts')).startDialectSimulator(profileName, { products })
        : undefined;
    const interrupts = listenForInterrupts();
    try {
      const [secret, scrub] = [extracted.get('secret'), extracted.get('scrub')];
      const values = { name: single('name'), recordings: single('recordings'), secret, scrub, ca: single('ca') };
      const gateway = await openGateway(values, {
        upstream: base ?? (simulator?.url as string),
        profile,
        source: base === undefined ? 'simulator' : 'live',
        safety,
        command: {
          command: 'record',
          flags: [
            ...['--safety', safety],
            ...[...extractFlags(runArgs, SELECTING_FLAGS).extracted].flatMap(([name, all]) =>
              all.flatMap((each) => [`--${name}`, each]),
            ),
            ...(base === undefined ? ['--products', `${products}`] : []),
            ...scrubFlags(scrub),
          ],
        },
        signal: interrupts.signal,
        sendsTwice,
        onRefused: (why) => notify('record', `not recorded: ${why}`),
        ...(base === undefined && { upstreamName: simulatorName }),
      });
      let exitCode: number;
      try {
        const secretArgs = secret?.flatMap((each) => ['--secret', each]) ?? [];
        const gatewayArgs = ['--base-url', gateway.url, '--profile', profileName, '--safety', safety, ...secretArgs];
        exitCode = await judgeAndReport([...gatewayArgs, ...runArgs], {
          command: 'record',
          name: base ?? simulatorName,
          onCredential: gateway.protect,
          temporaryOrigin: new URL(gateway.url).origin,
          reportedOrigin: new URL(base ?? (simulator?.url as string)).origin,
        });
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
  },
};
