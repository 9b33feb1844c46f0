import { expect, test } from 'vitest';
import type { SimulationOptions } from '../../simulator/simulation.ts';
import { operationOf } from '../../src/contract/index.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { judgeSimulation } from '../judge-in-process.test.support.ts';

/** The results of group B that are neither a pass nor not applicable. */
async function amissWith(options: SimulationOptions, profile: Profile) {
  const run = await judgeSimulation(
    { products: 20, ...options },
    { profile, selection: { safety: 'read', groups: ['B'] } },
  );
  return run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
}

test('rows without names fail only the rule of the list: they cannot distinguish two catalogues', async () => {
  const amiss = await amissWith({ fault: 'share-prompts-nameless' }, await loadProfile('reference'));
  expect(amiss.map(({ rule, verdict }) => [rule, verdict])).toEqual(
    expect.arrayContaining([
      ['B.metadata-listed', 'fail'],
      ['B.catalogue-decides', 'inconclusive'],
    ]),
  );
  expect(amiss.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)).toEqual(['B.metadata-listed']);
});

const listedUnder = async (profile: Profile, options: SimulationOptions) => {
  const selection = { safety: 'read', rules: ['B.metadata-listed'] } as const;
  const run = await judgeSimulation({ products: 20, dialect: 'xml', ...options }, { profile, selection });
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
  const profile = await loadProfile('reference');
  const { catalogueId = [], measure = [] } = profile.data.examples ?? {};
  const data = { ...profile.data, examples: { catalogueId, measure, byCatalogue: {} } };
  const amiss = await amissWith({}, { ...profile, data });
  expect(amiss.map(({ rule, operation, verdict }) => [rule, operation, verdict])).toEqual([]);
});
