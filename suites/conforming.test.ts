/** What conforms is never accused: other worlds, other base addresses, profiles that say nothing. Faults: the selftest. */
import { expect, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/api/judge-target.ts';
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
