/**
 * Judges drawn services by their true profiles: none fails, and a fault in one of them is found.
 *
 *   node bench/services/judge.ts [--count N, default 200] [--from N] [--depth quick] [--faults N] [--oddities N]
 *
 * `--faults` also judges each service with that many faults, `--oddities` with oddities, drawn from those that need nothing
 * of a profile. A fault may be invisible where a service states less than the reference profile: a delta without dates,
 * for example. It prints `(broken)` if a service without a fault fails.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { dialectOf } from '../../simulator/dialects/from-profile/dialect.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { createSimulation, type SimulationOptions } from '../../simulator/simulation.ts';
import { judgeTarget } from '../../src/commands/judge-target.ts';
import { DEFAULT_SAMPLING, type Depth } from '../../src/contract/index.ts';
import { checkProfile } from '../../src/profile/check-profile.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../../src/selftest/simulation-dispatcher.ts';
import { RULES } from '../../suites/index.ts';
import { COUNT, type DrawnService, drawServices, SEED } from './draw-service.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: String(COUNT) },
    from: { type: 'string', default: '0' },
    depth: { type: 'string', default: 'standard' },
    faults: { type: 'string', default: '0' },
    oddities: { type: 'string', default: '0' },
  },
});

/** Judges a service, on the simulator of its profile. Oddities may contradict what is only plausible, so they are judged without it. */
async function judge(
  { name, profile: data }: DrawnService,
  deviation: Pick<SimulationOptions, 'fault' | 'oddity'> = {},
) {
  const profile = checkProfile(data, name, { env: {}, unset: 'refuse' });
  const simulation = await createSimulation({ dialect: dialectOf(profile), products: 400, ...deviation });
  if (simulation.approximations.length > 0) throw new Error(simulation.approximations.join('\n'));
  const dispatcher = simulationDispatcher(simulation);
  return judgeTarget({
    base: SIMULATION_ORIGIN,
    network: { secrets: [], dispatcherFor: (origin) => (origin === SIMULATION_ORIGIN ? dispatcher : undefined) },
    profile,
    selection: { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth: values.depth as Depth } },
    rules: RULES,
    strict: deviation.oddity === undefined,
    wait: async () => undefined,
  });
}

/** Draws names of deviations that need nothing of a profile or dialect; always the same ones for a service. */
function draw(
  deviations: readonly { readonly name: string; readonly dialects?: readonly string[]; readonly profile?: unknown }[],
  { name }: DrawnService,
  count: string,
): string[] {
  const portable = deviations.filter(({ dialects, profile }) => !profile && !dialects);
  const seed = SEED + Number(name.split('-')[1]);
  return fc.sample(fc.constantFrom(...portable.map((each) => each.name)), { seed, numRuns: Number(count) });
}

const [from, count] = [Number(values.from), Number(values.count)];
const seen = { judged: 0, failing: 0, inconclusive: 0, faults: 0, caught: 0 };

/** Judges a service without a fault, and prints what is wrong with it. */
async function judgeConforming(service: DrawnService, oddity?: string): Promise<void> {
  const { results } = await judge(service, oddity === undefined ? {} : { oddity });
  const failed = results.filter(({ verdict, gating }) => verdict === 'fail' && gating);
  const undecided = oddity === undefined ? results.filter(({ verdict }) => verdict === 'inconclusive') : [];
  seen.judged++;
  if (failed.length > 0) seen.failing++;
  else if (undecided.length > 0) seen.inconclusive++;
  if (failed.length + undecided.length === 0) return;
  console.log(service.name, oddity ?? '', JSON.stringify({ ...service.draws, words: undefined }));
  for (const { verdict, rule, operation, note, findings } of [...failed, ...undecided])
    console.log(`  ${verdict} ${rule} ${operation}: ${note ?? ''} ${findings[0]?.actual ?? ''}`);
}

for (const service of drawServices(from + count).slice(from)) {
  await judgeConforming(service);
  for (const oddity of draw(ODDITIES, service, values.oddities)) await judgeConforming(service, oddity);
  for (const fault of draw(FAULTS, service, values.faults)) {
    const { outcome } = await judge(service, { fault });
    seen.faults++;
    if (outcome === 'nonconformant') seen.caught++;
    else console.log(`  ${service.name} with ${fault}: ${outcome}`);
  }
}
const bound = seen.failing === 0 ? 'held' : 'broken';
console.log(`${seen.judged} services, ${seen.failing} fail, ${seen.inconclusive} inconclusive (${bound})`);
if (seen.faults > 0) console.log(`${seen.caught} of ${seen.faults} faults caught`);
