import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Input,
  isUpc,
  JOB_KINDS,
  JOB_STATUS,
  OPENINGS,
  OPERATIONS,
  type OperationKey,
  operationOf,
} from '../../src/contract/index.ts';
import { buildRequest } from '../../src/exchange/request.ts';
import { isFilled } from '../../src/profile/filled-openings.ts';
import { startsIn } from '../../src/profile/job-starts.ts';
import { loadProfile } from '../../src/profile/load.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { compileSelector } from '../../src/profile/selector.ts';
import type { Inputs } from '../../src/profile/template.ts';
import { type Simulator, startSimulator } from '../server.ts';

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

/** The first example of every input of an operation, without filters. */
function examples(key: OperationKey): Inputs {
  const { name, group, inputs: own } = operationOf(key);
  const inputs = group === 'B' || name === 'products' || name === 'updateProducts' ? own : [];
  const filters = new Set<Input>(['category', 'categoryId']);
  return Object.fromEntries(
    inputs.filter((input) => !filters.has(input)).map((input) => [input, profile.data.examples?.[input]?.[0]]),
  );
}

/** What the profile's selectors find in an answer: rows, and per field the value of each row or of the whole. */
function readWith(key: OperationKey, body: unknown) {
  const head = { status: 200, headers: [] };
  const { rows: at, fields = {} } = profile.data.operations?.[key]?.response ?? {};
  const rows = compileSelector(at as string).select(body, head);
  const values = Object.fromEntries(
    Object.entries(fields).map(([field, binding]) => {
      const selector = compileSelector(binding.at);
      return [
        field,
        selector.scope === 'row' ? rows.map((row) => selector.select(row, head)) : selector.select(body, head),
      ];
    }),
  );
  return { rows, values };
}

test('the profile fills every opening that applies', () => {
  const open = OPENINGS.filter(({ id }) => !isFilled(profile, id)).map(({ id }) => id);
  // It writes no codes, requires no ids, values of attributes are no tree, rows of categories belong to no manufacturer and
  // brand, and it promises no order of the dates of a row.
  expect(open).toEqual([
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

const STATUSES = new Set<string>(Object.values(JOB_STATUS));
const plain = OPERATIONS.map(({ key }) => key).filter((key) => !STATUSES.has(key));
test.each(plain)('%s answers the profile’s request, and its selectors find every field in every row', async (key) => {
  const { status, type, body } = await sendRequest(key, examples(key));
  expect([200, 202]).toContain(status);
  expect(type).toBe('application/json');
  const { rows, values } = readWith(key, body);
  expect(rows.length).toBeGreaterThan(0);
  const optional = new Set(/allProducts|products\/\{upc\}/.test(key) ? ['changedOn'] : ['parentItem']);
  for (const [field, found] of Object.entries(values)) {
    if (!optional.has(field))
      expect(
        found.every((each) => (Array.isArray(each) ? each.length > 0 : each !== undefined)),
        field,
      ).toBe(true);
  }
});

test.each(JOB_KINDS)('the profile states how a %s job is started and its status is read', async (kind) => {
  const start = startsIn(profile.data.jobs?.[kind]?.start)[0]?.operation as OperationKey;
  const started = await sendRequest(start, {});
  const jobId = String(readWith(start, started.body).values.jobId?.[0]);
  const { status, body } = await sendRequest(JOB_STATUS[kind], { jobId });
  expect(status).toBe(200);
  expect(readWith(JOB_STATUS[kind], body).values).toEqual({ jobId: [[jobId]], state: [['queued']] });
});

test('example UPCs are known, the first begins with a zero, and the unknown UPC is unknown', async () => {
  const key = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
  const upcs = profile.data.examples?.upc as string[];
  expect(upcs.every(isUpc) && upcs[0]?.startsWith('0')).toBe(true);
  for (const upc of upcs) expect((await sendRequest(key, { upc })).body.upc).toBe(upc);
  expect((await sendRequest(key, { upc: profile.data.unknownUpc as string })).status).toBe(404);
});

test('every example of group B exists in every example catalogue', async () => {
  for (const { key } of OPERATIONS.filter((each) => each.group === 'B')) {
    for (const catalogueId of profile.data.examples?.catalogueId ?? []) {
      expect((await sendRequest(key, { ...examples(key), catalogueId })).status, `${key} ${catalogueId}`).toBe(200);
    }
  }
});

describe('problems', () => {
  const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
  test.each([
    ['an unknown UPC', LOOKUP, { upc: '999999999993' }, 404],
    ['11 digits', LOOKUP, { upc: '04210000017' }, 400],
    ['full-width digits', LOOKUP, { upc: '０４２１０００００１７７' }, 400],
    ['a line feed behind the UPC', LOOKUP, { upc: '042100000177\n' }, 400],
    ['no window', 'GET /PLATFORMAPI/prodRef/v1/updateProducts', {}, 400],
    ['a window of 2 weeks', 'GET /PLATFORMAPI/prodRef/v1/updateProducts', { window: 2 }, 400],
    ['a window that is no number', 'GET /PLATFORMAPI/prodRef/v1/updateProducts', { window: 'all' }, 400],
    ['no catalogue', 'POST /data-access/v1/Catalogues', {}, 400],
    ['an unknown catalogue', 'POST /data-access/v1/Catalogues', { catalogueId: 'CAT-NONE' }, 404],
    ['no job id', 'GET /webservices/getDriveJobStatus', {}, 400],
    ['an unknown job', 'GET /webservices/getDriveJobStatus', { jobId: 'job-0' }, 404],
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

test('an unknown category is an empty list, not an error', async () => {
  const { status, body } = await sendRequest('GET /PLATFORMAPI/prodRef/v1/allProducts', { category: 'Nothing' });
  expect([status, body.products, body.total]).toEqual([200, [], 0]);
});
