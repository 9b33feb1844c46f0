/** `mdwi record`: runs the suites through the recording gateway. */

import { isDialectName } from '../../simulator/dialects/index.ts';
import { RecordingError } from '../exchange/har/schema.ts';
import { loadProfile } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import type { Command } from './command.ts';
import { baseUrlOf, numberOf, UsageError } from './options.ts';
import { openGateway, RECORDING_FLAGS, RECORDING_USAGE, setAsideLeaks } from './recording.ts';
import { run } from './run.ts';

/** Flags of this command; all others are `run`’s. */
const OWN_FLAGS = [...Object.keys(RECORDING_FLAGS), 'products'];
/** Flags of `run` that are needed here, too. */
const READ_FLAGS = ['base-url', 'profile', 'safety'];

/** Takes flags out of a command line, as `--flag value` or `--flag=value`. */
function takeFlags(args: readonly string[], names: readonly string[]) {
  const taken = new Map<string, string[]>();
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name = '', , value] = /^--([a-z-]+)(=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (!names.includes(name)) {
      rest.push(args[at] as string);
      continue;
    }
    const given = value ?? args[++at];
    if (given === undefined) throw new UsageError(`--${name} needs a value`);
    taken.set(name, [...(taken.get(name) ?? []), given]);
  }
  return { taken, rest };
}

export const record: Command = {
  says: 'judges a service as run does, and records all of it',
  usage: `mdwi record [--base-url URL] --name NAME [flags of run]

${RECORDING_USAGE}
  --products N         without --base-url: how many products the simulator’s bulk list holds (default 100)

All flags of mdwi run may be given, too; the exit code is that of the run. Recorded anew under the same name, a recording
is refreshed: what was not asked this time stays.`,
  async run(args) {
    const { taken, rest } = takeFlags(args, [...OWN_FLAGS, ...READ_FLAGS]);
    const last = (name: string) => taken.get(name)?.at(-1);
    const given = last('base-url');
    const base = given === undefined ? undefined : baseUrlOf(given);
    const profileName = last('profile') ?? (base === undefined ? 'reference' : 'empty');
    const safety = last('safety') ?? (base === undefined ? 'all' : 'read');
    const profile = await loadProfile(profileName);
    const products = numberOf('products', last('products'), 100, 1, 10_000_000);
    const simulator =
      base === undefined
        ? await (await import('../../simulator/server.ts')).startSimulator({
            products,
            ...(isDialectName(profileName) && { dialect: profileName }),
          })
        : undefined;
    try {
      const values = { name: last('name'), recordings: last('recordings'), secret: taken.get('secret') };
      const opened = await openGateway(values, {
        upstream: base ?? (simulator?.url as string),
        profile,
        source: base === undefined ? 'simulator' : 'live',
        safety,
        ...(base === undefined && { label: `the built-in simulator with ${products} products` }),
      });
      let code: number;
      try {
        code = await run.run(['--base-url', opened.url, '--profile', profileName, '--safety', safety, ...rest]);
      } catch (error) {
        await opened.close().catch(() => undefined);
        throw error;
      }
      try {
        await opened.close();
      } catch (error) {
        if (!(error instanceof RecordingError)) throw error;
        process.stderr.write(`mdwi record: ${error.message}\n`);
        return EXIT.ownError;
      }
      const leaked = await setAsideLeaks(values, profile);
      if (leaked !== undefined) {
        process.stderr.write(`mdwi record: ${leaked}\n`);
        return EXIT.secrecy;
      }
      process.stderr.write(`mdwi record: ${opened.recorded()} exchanges recorded\n`);
      return code;
    } finally {
      await simulator?.close();
    }
  },
};
