/**
 * Judges drawn services by their true profiles: none fails, and a fault in one of them is found.
 *
 *   node bench/services/judge.ts [--count N, default 200] [--from N] [--depth quick] [--faults N]
 *
 * `--faults` also judges each service with that many faults, drawn from those that need nothing of a profile. A fault may
 * be invisible where a service states less than the reference profile: a delta without dates, for example. It ends with
 * `(broken)` if a service fails.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { dialectOf } from '../../simulator/dialects/from-profile/dialect.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { createSimulation } from '../../simulator/simulation.ts';
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
  },
});

/** Judges a service, on the simulator of its profile. */
async function judge({ name, profile: data }: DrawnService, fault?: string) {
  const profile = checkProfile(data, name, { env: {}, unset: 'refuse' });
  const simulation = await createSimulation({ dialect: dialectOf(profile), products: 400, ...(fault && { fault }) });
  if (simulation.approximations.length > 0) throw new Error(simulation.approximations.join('\n'));
  const dispatcher = simulationDispatcher(simulation);
  return judgeTarget({
    base: SIMULATION_ORIGIN,
    network: { secrets: [], dispatcherFor: (origin) => (origin === SIMULATION_ORIGIN ? dispatcher : undefined) },
    profile,
    selection: { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth: values.depth as Depth } },
    rules: RULES,
    strict: true,
    wait: async () => undefined,
  });
}

const portable = FAULTS.filter(({ dialects, profile }) => !profile && (!dialects || dialects.includes('reference')));
const [from, count] = [Number(values.from), Number(values.count)];
const seen = { judged: 0, failing: 0, inconclusive: 0, faults: 0, caught: 0 };
for (const service of drawServices(from + count).slice(from)) {
  const { results } = await judge(service);
  const wrong = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  seen.judged++;
  if (wrong.some(({ verdict }) => verdict === 'fail')) seen.failing++;
  else if (wrong.length > 0) seen.inconclusive++;
  if (wrong.length > 0) console.log(service.name, JSON.stringify({ ...service.draws, words: undefined }));
  for (const { verdict, rule, operation, note, findings } of wrong)
    console.log(`  ${verdict} ${rule} ${operation}: ${note ?? ''} ${findings[0]?.actual ?? ''}`);
  const faults = fc.sample(fc.constantFrom(...portable), {
    seed: SEED + Number(service.name.split('-')[1]),
    numRuns: Number(values.faults),
  });
  for (const { name } of faults) {
    const { outcome } = await judge(service, name);
    seen.faults++;
    if (outcome === 'nonconformant') seen.caught++;
    else console.log(`  ${service.name} with ${name}: ${outcome}`);
  }
}
console.log(
  `${seen.judged} services, ${seen.failing} fail, ${seen.inconclusive} inconclusive (${seen.failing === 0 ? 'held' : 'broken'})`,
);
if (seen.faults > 0) console.log(`${seen.caught} of ${seen.faults} faults caught`);
