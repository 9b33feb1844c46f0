/** The simulator on trial: every fault is caught by a rule of the statement it breaks, and nothing else is accused. */
import { expect, test } from 'vitest';
import { FAULTS } from '../simulator/faults/index.ts';
import type { Fault } from '../simulator/faults/types.ts';
import { type SimulatorOptions, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/cli/judge-target.ts';
import { GROUPS } from '../src/contract/index.ts';
import { loadProfile } from '../src/profile/load.ts';
import type { Run, Selection } from '../src/run/types.ts';

const reference = await loadProfile('reference');

async function judge(
  options: SimulatorOptions,
  { strict = false, selection = { safety: 'all' } as Selection, profile = reference } = {},
): Promise<Run> {
  const simulator = await startSimulator(options);
  try {
    return await judgeTarget({ base: simulator.url, profile, selection, strict });
  } finally {
    await simulator.close();
  }
}

/** The group a statement is about, where it is about one: the others need not be asked again for each fault. */
const groupOf = (statement: string): readonly string[] =>
  Object.keys(GROUPS).filter((group) => statement.startsWith(`${group}.`));

test.concurrent.each((FAULTS as readonly Fault[]).map((fault) => [fault.name, fault] as const))(
  '%s is caught',
  async (_name, fault) => {
    const groups = groupOf(fault.statement);
    const selection: Selection = { safety: 'all', ...(groups.length > 0 && { groups }) };
    const run = await judge({ fault: fault.name }, { strict: fault.strict === true, selection });
    const failed = run.results.filter((each) => each.verdict === 'fail' && each.gating);
    expect(failed.map((each) => each.statement)).toContain(fault.statement);
    expect(run.exitCode).toBe(1);
    expect(run.results.filter((each) => each.verdict === 'error')).toEqual([]);
  },
);

const worlds: Record<string, SimulatorOptions> = {
  'as it is': {},
  'below a path prefix': { basePath: '/api/v9' },
  'of another seed': { seed: 2 },
  'of a third seed, small': { seed: 3, products: 50 },
  'of another year': { asOf: '2025-01-04' },
};
for (const [name, options] of Object.entries(worlds)) {
  test(`a faultless simulator ${name} is conformant, also under --strict`, async () => {
    const run = await judge(options, { strict: true });
    expect(run.results.filter((each) => each.verdict === 'fail' || each.verdict === 'inconclusive')).toEqual([]);
    expect(run.outcome).toBe('conformant');
  });
}

test('with an empty profile nothing fails, nothing that needs an opening passes, and the openings are named', async () => {
  const run = await judge({}, { profile: await loadProfile('empty') });
  expect(run.results.filter((each) => each.verdict === 'fail')).toEqual([]);
  const passed = new Set(run.results.filter((each) => each.verdict === 'pass').map((each) => each.rule));
  expect([...passed].every((rule) => rule.startsWith('every.'))).toBe(true);
  expect(passed.has('every.served')).toBe(true);
  expect(run.outcome).toBe('partial');
  expect(run.exitCode).toBe(0);
  const filled = run.openings.map((each) => each.opening);
  expect(filled).toContain('allProducts.rows');
  expect(run.openings.every((each) => each.rules.length > 0)).toBe(true);
});

test('what is safe to read is all that is sent by default', async () => {
  const run = await judge({}, { selection: { safety: 'read' } });
  expect(run.exchanges.filter((each) => each.method === 'POST' && each.operation.includes('/webservices/'))).toEqual(
    [],
  );
  expect(run.outcome).toBe('partial');
});
