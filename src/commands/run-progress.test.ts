import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { RULES } from '../../suites/index.ts';
import { ALL_PRODUCTS, OPERATIONS, PRODUCT_LOOKUP } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { perform } from '../run/perform.test.support.ts';
import { boundOf, planRequests } from '../run/plan.ts';
import { plannedGroups } from './run-progress.ts';

test('the groups of a run share the maximum number of requests of its plan', async () => {
  const profile = await loadProfile('reference');
  const [rules, selection, base] = [RULES, { safety: 'all' } as const, 'http://host'];
  const { groups } = await plannedGroups({ rules, selection, profile, base });
  expect(groups.map(({ name }) => name.slice(0, 1))).toEqual(['A', 'B', 'C', 'D']);
  expect(groups.reduce((sum, { bound }) => sum + bound, 0)).toBe(
    boundOf(planRequests(rules, selection, profile, base)).requests,
  );
  for (const { key } of OPERATIONS) expect(groups.filter(({ has }) => has(key)).length, key).toBe(1);
  expect(groups.some(({ has }) => has('a token request'))).toBe(false);
});

test('a group without requests has no line', async () => {
  const profile = await loadProfile('reference');
  const selection = { safety: 'read', operations: [ALL_PRODUCTS] } as const;
  // These also read names that group D lists, and after server errors whether other groups answer.
  const rules = RULES.filter(({ id }) => !['C.names-listed', 'every.served-again'].includes(id));
  const { groups } = await plannedGroups({ rules, selection, profile, base: 'http://host' });
  expect(groups.map(({ name }) => name)).toEqual(['C  Product reference']);
});

test('the bound of a thorough run becomes the number of requests when the lists have arrived, and never exceeds the limit', async () => {
  const profile = await loadProfile('reference');
  const selection = {
    safety: 'read',
    sampling: { depth: 'thorough', seed: 1 },
    operations: [PRODUCT_LOOKUP],
    rules: ['C.lookup-listed'],
  } as const;
  const simulator = await startSimulator({ products: 60 });
  onTestFinished(() => simulator.close());
  const base = simulator.url;
  const { groups, learn } = await plannedGroups({ rules: RULES, selection, profile, base });
  const bounds = [groups[0]?.bound];
  expect(groups[0]?.mayGrow).toBe(true);
  const { manifest } = await perform({
    ...{ rules: RULES, selection, profile, base },
    onRound(known) {
      learn(known);
      bounds.push(groups[0]?.bound);
    },
  });
  expect(groups[0]?.mayGrow).toBe(false);
  expect(bounds[0]).toBeLessThan(manifest.requests);
  expect(bounds.at(-1)).toBe(manifest.requests);
  const few = { ...profile, data: { ...profile.data, limits: { maxRequests: 1 } } };
  const limited = await plannedGroups({ rules: RULES, selection, profile: few, base });
  expect(limited.groups[0]?.bound).toBe(1);
});
