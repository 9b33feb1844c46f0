/** The refusals of the reference dialect; its profile is judged by the selftest, as that of every dialect. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationKey } from '../../src/contract/index.ts';
import { buildRequest } from '../../src/exchange/request.ts';
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
