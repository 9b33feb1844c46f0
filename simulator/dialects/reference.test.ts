/** The refusals of the reference dialect; its profile is judged by the selftest, as that of every dialect. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOB_KINDS, OPENINGS, OPERATIONS, type OperationKey } from '../../src/contract/index.ts';
import { buildRequest } from '../../src/exchange/request.ts';
import { isFilled } from '../../src/profile/filled-openings.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Profile } from '../../src/profile/schema.ts';
import type { Inputs } from '../../src/profile/template.ts';
import { type Simulator, startSimulator } from '../server.ts';
import { DIALECT_NAMES } from './names.ts';

let simulator: Simulator;
let profile: Profile;
beforeAll(async () => {
  profile = await loadProfile('reference');
  simulator = await startSimulator({ products: 300 });
});
afterAll(() => simulator.close());

async function sendRequest(key: OperationKey, inputs: Inputs) {
  const { method, url, headers, body } = buildRequest(simulator.url, key, profile, inputs);
  const response = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body: body as never,
  });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

test('the profile fills every opening that applies', () => {
  const open = OPENINGS.filter(({ id }) => !isFilled(profile, id)).map(({ id }) => id);
  // It writes no codes, requires no ids, values of attributes are no tree, rows of categories belong to no manufacturer and
  // brand, and it promises no order of the dates of a row.
  expect(open, 'openings that src/profile/bundled/reference.yaml leaves open').toEqual([
    'codes',
    'firstActiveBefore',
    ...JOB_KINDS.map((kind) => `jobLocation.${kind}`),
    'attributeValues.fields.parentItem',
    'allCategories.required.categoryId',
    'allCategories.required.subCategory',
    'allProducts.required.categoryId',
    'updateProducts.required.categoryId',
    'categoryPerformance.fields.manufacturer',
    'categoryPerformance.fields.brand',
  ]);
});

describe('problems', () => {
  const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
  test.each([
    ['an unknown UPC', LOOKUP, { upc: '999999999993' }, 404],
    ['no window', 'GET /PLATFORMAPI/prodRef/v1/updateProducts', {}, 400],
    ['no catalogue', 'POST /data-access/v1/Catalogues', {}, 400],
    ['an unknown catalogue', 'POST /data-access/v1/Catalogues', { catalogueId: 'CAT-NONE' }, 404],
    ['no job id', 'GET /webservices/getDriveJobStatus', {}, 400],
  ] as const)('%s is refused with problem details', async (_what, key, inputs, expected) => {
    const { status, type, body } = await sendRequest(key, inputs);
    expect([status, type]).toEqual([expected, 'application/problem+json']);
    expect(body).toMatchObject({ type: 'about:blank', status: expected, title: expect.any(String) });
  });

  test('a catalogue id may be a number', async () => {
    const response = await fetch(`${simulator.url}/data-access/v1/Catalogues`, {
      method: 'POST',
      body: '{"catalogueId":7}',
    });
    expect(response.status).toBe(404);
  });
});

test.each(DIALECT_NAMES)('src/profile/bundled/%s.yaml describes every operation', async (name) => {
  const { data } = await loadProfile(name);
  expect(OPERATIONS.filter(({ key }) => !data.operations?.[key]).map(({ key }) => key)).toEqual([]);
});
