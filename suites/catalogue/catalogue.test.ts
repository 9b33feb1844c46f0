import { expect, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../../src/api/judge-target.ts';
import { operationOf } from '../../src/contract/index.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Profile } from '../../src/profile/schema.ts';

test('rows without names fail only the rule of the list: they cannot distinguish two catalogues', async () => {
  const simulator = await startSimulator({ products: 20, fault: 'share-prompts-nameless' });
  const selection = { safety: 'read', groups: ['B'] } as const;
  const profile = await loadProfile('reference');
  const run = await judgeTarget({ base: simulator.url, profile, selection }).finally(() => simulator.close());
  const amiss = run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
  expect(amiss.map(({ rule, verdict }) => [rule, verdict])).toEqual(
    expect.arrayContaining([
      ['B.metadata-listed', 'fail'],
      ['B.catalogue-decides', 'inconclusive'],
    ]),
  );
  expect(amiss.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)).toEqual(['B.metadata-listed']);
});

const listedUnder = async (profile: Profile, options: SimulatorOptions) => {
  const simulator = await startSimulator({ products: 20, dialect: 'xml', ...options });
  const selection = { safety: 'read', rules: ['B.metadata-listed'] } as const;
  const run = await judgeTarget({ base: simulator.url, profile, selection }).finally(() => simulator.close());
  return run.results
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ operation, verdict }) => [operationOf(operation).name, verdict]);
};

test('a refresh date that its converter cannot read is a failure; dates without a converter are a question', async () => {
  const profile = await loadProfile('xml');
  expect(await listedUnder(profile, { fault: 'refresh-date-impossible' })).toEqual([['refreshDates', 'fail']]);
  const key = 'POST /data-access/v1/Catalogue/RefreshDates';
  const { operations } = profile.data;
  const response = { ...operations?.[key]?.response, fields: { date: { at: '@.When[0]' }, id: { at: '@.Id[0]' } } };
  const open = { ...profile.data, operations: { ...operations, [key]: { ...operations?.[key], response } } };
  expect(await listedUnder({ ...profile, data: open }, {})).toEqual([['refreshDates', 'inconclusive']]);
});

test('without examples of nodes, their ids come from the walk: only measures need examples', async () => {
  const simulator = await startSimulator({ products: 20 });
  const selection = { safety: 'read', groups: ['B'] } as const;
  const profile = await loadProfile('reference');
  const { catalogueId = [], measure = [] } = profile.data.examples ?? {};
  const data = { ...profile.data, examples: { catalogueId, measure, byCatalogue: {} } };
  const run = await judgeTarget({ base: simulator.url, profile: { ...profile, data }, selection }).finally(() =>
    simulator.close(),
  );
  const amiss = run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
  expect(amiss.map(({ rule, operation, verdict }) => [rule, operation, verdict])).toEqual([]);
});
