/** Counts within rows and numbers of pages, which a profile reads, are written by its simulator. */
import { expect, onTestFinished, test } from 'vitest';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import { startSimulator } from '../../server.ts';
import { dialectOf } from './dialect.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const LEVELS = '/data-access/v1/Catalogue/Hierarchy/Levels';
const profile = parseProfile(
  JSON.stringify({
    name: 'x',
    operations: {
      [`GET ${C}/allCategories`]: {
        request: { query: { page: '{page}' } },
        response: {
          rows: '$.all[*]',
          paging: { style: 'page', size: 5 },
          counts: [
            { at: '$.pages', of: 'pages' },
            { at: '@.n', of: `GET ${C}/allProducts` },
          ],
          fields: { category: '@.name' },
        },
      },
      [`POST ${LEVELS}`]: {
        request: { json: { c: '{catalogueId}', d: '{dimension}', h: '{hierarchy}' } },
        response: {
          media: 'xml',
          rows: '$.Levels[0].Level[*]',
          counts: [{ at: "@['@values']", of: 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values' }],
          fields: { id: "@['@id']" },
        },
      },
    },
  }),
  'x.json',
);

test('rows state how many rows another operation returns for them, and pages how many there are', async () => {
  const simulator = await startSimulator({ dialect: dialectOf(profile), products: 40 });
  onTestFinished(() => simulator.close());
  const list = JSON.parse(await (await fetch(`${simulator.url}${C}/allCategories`)).text());
  expect(list.pages).toBe(3);
  expect(list.all).toHaveLength(5);
  expect(list.all[0]).toEqual({ name: 'Tea', n: expect.any(Number) });
  const levels = await fetch(simulator.url + LEVELS, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ c: 'CAT-RETAIL', d: 'product', h: 'standard' }),
  });
  expect(await levels.text()).toContain('<Level id="level-1" values="3"');
});
