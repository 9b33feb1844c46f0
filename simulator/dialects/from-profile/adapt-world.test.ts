/** The world that a profile describes. */
import { expect, onTestFinished, test } from 'vitest';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import { startSimulator } from '../../server.ts';
import { dialectOf } from './dialect.ts';

const PATH = '/PLATFORMAPI/prodRef/v1/allProducts';

const datesOf = async (changedOn: object): Promise<string[]> => {
  const profile = parseProfile(
    JSON.stringify({
      name: 'x',
      operations: {
        [`GET ${PATH}`]: {
          request: {},
          response: {
            rows: '$[*]',
            fields: { upc: '@.upc', firstActiveOn: { at: '@.first', as: 'iso' }, changedOn },
          },
        },
      },
    }),
    'x.json',
  );
  const simulator = await startSimulator({ dialect: dialectOf(profile), products: 300 });
  onTestFinished(() => simulator.close());
  const rows = (await (await fetch(simulator.url + PATH)).json()) as { first: string; changed?: string }[];
  expect(rows.length).toBeGreaterThan(200);
  return rows.map(({ first, changed }) => (changed === undefined ? 'no date' : changed < first ? 'before' : 'date'));
};

test('a product without a change for a year has a date of change where the profile requires one: its first activity', async () => {
  expect(new Set(await datesOf({ at: '@.changed', as: 'iso' }))).toEqual(new Set(['date', 'no date']));
  expect(new Set(await datesOf({ at: '@.changed', as: 'iso', required: true }))).toEqual(new Set(['date']));
});
