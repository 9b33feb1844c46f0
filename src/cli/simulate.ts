/** `mdwi simulate`: serves the model simulator until Ctrl-C. */
import { once } from 'node:events';
import { FAULTS } from '../../simulator/faults/index.ts';
import type { Fault } from '../../simulator/faults/types.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { EXIT } from '../run/outcome.ts';
import type { Command } from './command.ts';
import { numberOf, parse, UsageError } from './options.ts';
import { startSpeaking } from './start-speaking.ts';

const faults: readonly Fault[] = FAULTS;

const FLAGS = {
  port: { type: 'string' },
  profile: { type: 'string' },
  seed: { type: 'string' },
  'as-of': { type: 'string' },
  products: { type: 'string' },
  fault: { type: 'string' },
  oddity: { type: 'string' },
} as const;

export const simulate: Command = {
  async run(args) {
    const { values } = parse(args, FLAGS);
    if (values.fault !== undefined && !faults.some(({ name }) => name === values.fault)) {
      throw new UsageError(`--fault ${values.fault}: there is no such fault; mdwi faults lists them`);
    }
    if (values.oddity !== undefined && !ODDITIES.some(({ name }) => name === values.oddity)) {
      throw new UsageError(`--oddity ${values.oddity}: there is no such oddity; mdwi oddities lists them`);
    }
    if (values.fault !== undefined && values.oddity !== undefined)
      throw new UsageError('--fault and --oddity: only one of them at a time');
    const asOf = values['as-of'];
    if (asOf !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(asOf) || new Date(`${asOf}T00:00:00Z`).getUTCDay() !== 6)) {
      throw new UsageError(`--as-of ${asOf}: a Saturday as YYYY-MM-DD is needed, the day a data week ends here`);
    }
    const simulator = await startSpeaking(values.profile, {
      port: numberOf('port', values.port, 0, 0, 65_535),
      seed: numberOf('seed', values.seed, 1, 0, 4_294_967_295),
      products: numberOf('products', values.products, 1000, 1, 10_000_000),
      ...(asOf && { asOf }),
      ...(values.fault && { fault: values.fault }),
      ...(values.oddity && { oddity: values.oddity }),
    });
    process.stdout.write(`${simulator.url}\n`);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await simulator.close();
    return EXIT.ok;
  },
};
