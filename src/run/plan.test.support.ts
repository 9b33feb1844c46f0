/** A run of a simulation beside its plan. */
import { expect } from 'vitest';
import type { DialectName } from '../../simulator/dialects/names.ts';
import { RULES } from '../../suites/index.ts';
import { judgeSimulation } from '../../suites/judge-in-process.test.support.ts';
import { loadProfile } from '../profile/load.ts';
import { SIMULATION_ORIGIN } from '../selftest/simulation-dispatcher.ts';
import { boundOf, planRequests } from './plan.ts';
import type { Selection } from './types.ts';

/** Expects that a run sends each exact request of its plan, no other than planned ones, and not much fewer than its bound. */
export async function expectRunToKeepToPlan(dialect: DialectName, safety: Selection['safety']): Promise<void> {
  const profile = await loadProfile(dialect);
  const planned = planRequests(RULES, { safety }, profile, SIMULATION_ORIGIN);
  const { exchanges } = await judgeSimulation({ dialect, products: 200 }, { profile, selection: { safety } });
  const sent = exchanges.map(({ method, url }) => `${method} ${url}`);
  const exact = planned.filter((each) => each.exact).map(({ method, url }) => `${method} ${url}`);
  expect(exact.filter((each) => !sent.includes(each))).toEqual([]);
  const templates = planned.map(({ method, url }) => {
    const literal = `${method} ${url}`.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${literal.join('[^&/?]*')}$`);
  });
  const further = sent.filter((each) => !templates.some((template) => template.test(each)));
  const { requests, paged } = boundOf(planned);
  if (paged === 0) expect(further).toEqual([]);
  expect(sent.length - further.length).toBeLessThanOrEqual(requests);
  expect(requests).toBeLessThanOrEqual(3 * sent.length);
}
