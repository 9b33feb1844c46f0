import { expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { ALL_PRODUCTS, OPERATIONS } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { boundOf, planRequests } from '../run/plan.ts';
import { plannedGroups } from './run-progress.ts';

test('the groups of a run share the maximum number of requests of its plan', async () => {
  const profile = await loadProfile('reference');
  const [rules, selection, base] = [RULES, { safety: 'all' } as const, 'http://host'];
  const groups = await plannedGroups({ rules, selection, profile, base });
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
  const groups = await plannedGroups({ rules: RULES, selection, profile, base: 'http://host' });
  expect(groups.map(({ name }) => name)).toEqual(['C  Product reference']);
});
