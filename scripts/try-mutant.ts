/**
 * One trial of a mutant, in its copy of the sources: exits 0 when neither the reference dialect nor its counterexamples,
 * nor with `--deep` the faults of the mutant’s group, show that a judge is broken.
 */
import { parseArgs } from 'node:util';
import { FAULTS } from '../simulator/faults/index.ts';
import { type SimulatorOptions, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/commands/judge-target.ts';
import { loadProfile } from '../src/profile/load.ts';
import { applyCounterexample, type Rule } from '../src/rule/index.ts';
import type { Run } from '../src/run/types.ts';
import { RULES } from '../suites/index.ts';

const { positionals, values: flags } = parseArgs({ allowPositionals: true, options: { deep: { type: 'boolean' } } });
const [file = ''] = positionals;
const GROUP_OF: readonly (readonly [RegExp, string])[] = [
  [/webservices/, 'A'],
  [/catalogue/, 'B'],
  [/product-reference|malformed|windows|market|required|stability/, 'C'],
  [/retail-measurement|market|required|stability/, 'D'],
];
const own = GROUP_OF.filter(([pattern]) => pattern.test(file)).map(([, group]) => group);
const profile = await loadProfile('reference');
const wait = async () => undefined;

async function judge(options: SimulatorOptions, rules: readonly Rule[], strict: boolean): Promise<Run> {
  const simulator = await startSimulator({ products: 300, ...options });
  try {
    const groups = own.length > 0 ? { groups: own } : {};
    const selection = { safety: 'all', ...groups } as const;
    return await judgeTarget({ base: simulator.url, profile, selection, strict, rules, wait });
  } finally {
    await simulator.close();
  }
}

const noticed = (): never => process.exit(1);
const said: boolean[] = [];
const run = await judge(
  {},
  RULES.map((rule) => applyCounterexample(rule, ({ verdict }) => said.push(verdict === 'fail'))),
  true,
);
if (run.outcome !== 'conformant' || said.includes(false)) noticed();
for (const fault of flags.deep ? FAULTS : []) {
  const isOwn =
    own.length > 0 ? own.some((group) => fault.statement.startsWith(`${group}.`)) : !/^[ACD]\./.test(fault.statement);
  if (!isOwn) continue;
  const { results } = await judge({ fault: fault.name }, RULES, fault.strict === true);
  const caught = results.some((each) => each.verdict === 'fail' && each.gating && each.statement === fault.statement);
  if (!caught || results.some(({ verdict }) => verdict === 'error')) noticed();
}
process.exit(0);
