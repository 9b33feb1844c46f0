import { expect } from 'vitest';
import type { SimulationOptions } from '../simulator/simulation.ts';
import { SIMULATION_ORIGIN } from '../src/selftest/simulation-dispatcher.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';

/** Expects that a run under --strict reports neither a failure nor a doubt. */
export async function expectConformant(options: SimulationOptions): Promise<void> {
  const base = SIMULATION_ORIGIN + (options.basePath ?? '');
  const run = await judgeSimulation(options, { base, strict: true });
  expect(run.results.filter((each) => each.verdict === 'fail' || each.verdict === 'inconclusive')).toEqual([]);
  expect(run.outcome).toBe('conformant');
}
