/** `mdwi simulate`: serves the model simulator until Ctrl-C. */

import { startDialectSimulator } from '../api/start-simulator.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { EXIT } from '../run/exit-codes.ts';
import { untilInterrupted } from '../terminal/interrupts.ts';
import { listenError } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';
import { ACCESS_FLAGS, accessOf } from './access-options.ts';
import type { Command } from './command-type.ts';
import { numberOf, parse } from './parse-flags.ts';

const FLAGS = {
  ...ACCESS_FLAGS,
  port: { type: 'string' },
  profile: { type: 'string' },
  seed: { type: 'string' },
  'as-of': { type: 'string' },
  products: { type: 'string' },
  fault: { type: 'string' },
  oddity: { type: 'string' },
  'control-port': { type: 'string' },
  'control-token': { type: 'string' },
} as const;

const faultNames = async (): Promise<string[]> =>
  (await import('../../simulator/faults/index.ts')).FAULTS.map(({ name }) => name);
const oddityNames = async (): Promise<string[]> =>
  (await import('../../simulator/oddities/index.ts')).ODDITIES.map(({ name }) => name);

function refuseUnknown(flag: string, plural: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new UsageError(
      `--${flag} ${name}: there is no such ${flag}${didYouMean(name, known)}; mdwi ${plural} lists them`,
    );
}

export const simulate: Command = {
  async run(args) {
    const { values } = parse(args, FLAGS);
    if (values.fault !== undefined) refuseUnknown('fault', 'faults', values.fault, await faultNames());
    if (values.oddity !== undefined) refuseUnknown('oddity', 'oddities', values.oddity, await oddityNames());
    if (values.fault !== undefined && values.oddity !== undefined)
      throw new UsageError('--fault and --oddity: only one of them can be given');
    const asOf = values['as-of'];
    if (asOf !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || new Date(`${asOf}T00:00:00Z`).getUTCDay() !== 6)) {
      throw new UsageError(
        `--as-of ${asOf}: a Saturday as YYYY-MM-DD is needed: the day on which a data week of the simulator ends`,
      );
    }
    const port = numberOf('port', values.port, 0, 0, 65_535);
    const controlPort = values['control-port'];
    const token = values['control-token'];
    if (token !== undefined && controlPort === undefined)
      throw new UsageError('--control-token: needs --control-port, e.g. --control-port 0 for any free port');
    if (token === '') throw new UsageError('--control-token: the token must not be empty');
    const simulator = await startDialectSimulator(values.profile, {
      ...accessOf(values),
      port,
      seed: numberOf('seed', values.seed, 1, 0, 4_294_967_295),
      products: numberOf('products', values.products, 1000, 1, 10_000_000),
      ...(asOf && { asOf }),
      ...(values.fault && { fault: values.fault }),
      ...(values.oddity && { oddity: values.oddity }),
      ...(controlPort !== undefined && {
        control: { ...accessOf(values), port: numberOf('control-port', controlPort, 0, 0, 65_535), token },
      }),
    }).catch((error: unknown) => {
      throw listenError(port, error);
    });
    // Listens before it prints: a client that reads the address may end the server at once.
    const interrupted = untilInterrupted();
    const control = simulator.controlUrl === undefined ? '' : `control: ${simulator.controlUrl}\n`;
    process.stdout.write(`${simulator.url}\n${control}`);
    await interrupted;
    await simulator.close();
    return EXIT.ok;
  },
};
