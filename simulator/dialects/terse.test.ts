import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTarget } from '../../src/api/judge-target.ts';
import {
  JOB_KINDS,
  JOB_STATUS,
  OPENINGS,
  OPERATIONS,
  type OperationKey,
  operationOf,
} from '../../src/contract/index.ts';
import { isAbsent, isFilled } from '../../src/profile/filled-openings.ts';
import { startsIn } from '../../src/profile/job-starts.ts';
import { loadProfile } from '../../src/profile/load.ts';
import { parseProfile } from '../../src/profile/parse-profile.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { type Simulator, startSimulator } from '../server.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const B = '/data-access/v1/Catalogue';
const D = '/RetailMeasurement/v1';
const KNOWN = '042100000177';
const PRODUCTS = 300;

let simulator: Simulator;
let profile: Profile;
beforeAll(async () => {
  profile = await loadProfile('terse');
  simulator = await startSimulator({ dialect: 'terse', products: PRODUCTS });
});
afterAll(() => simulator.close());

// biome-ignore lint/suspicious/noExplicitAny: these tests check the contents of responses.
type Any = any;

async function sendRequest(path: string, init: RequestInit = {}) {
  const response = await fetch(simulator.url + path, init);
  expect(response.headers.has('content-type')).toBe(false);
  return { status: response.status, text: await response.text() };
}

/** The JSON of an answer with something to say. */
async function json(path: string, init?: RequestInit): Promise<Any> {
  const { status, text } = await sendRequest(path, init);
  expect(status).toBe(200);
  return JSON.parse(text);
}
const post = (body?: unknown): RequestInit => ({
  method: 'POST',
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

describe('group C', () => {
  test('lists names, pairs and bare UPCs', async () => {
    expect((await json(`${C}/allCategories`)).slice(0, 3)).toEqual(['Tea', 'Tea & Infusions', 'Coffee']);
    const products = await json(`${C}/allProducts`);
    expect(products).toHaveLength(PRODUCTS);
    expect(products[0]).toEqual([KNOWN, 'Tea']);
    const changed = await json(`${C}/updateProducts?w=13`);
    expect(changed.length).toBeGreaterThan(10);
    for (const upc of changed) expect(upc).toMatch(/^\d{12}$/);
    expect((await json(`${C}/updateProducts?w=1`)).length).toBeLessThan(changed.length);
  });

  test('returns only the characteristics of a product', async () => {
    const pairs = await json(`${C}/products/${KNOWN}`);
    expect(pairs.map(([name]: [string]) => name)).toEqual(['Brand', 'Size', 'Pack', 'Form']);
  });

  test('filters by one letter', async () => {
    const rows = await json(`${C}/allProducts?c=${encodeURIComponent('Crème Desserts')}`);
    expect(new Set(rows.map(([, category]: [string, string]) => category))).toEqual(new Set(['Crème Desserts']));
  });
});

describe('group D', () => {
  test('returns four lists of distinct names', async () => {
    const names = await json(`${D}/BrandPerformance/Metadata`);
    expect(Object.keys(names)).toEqual(['c', 's', 'm', 'b']);
    for (const list of Object.values<string[]>(names)) expect(new Set(list).size).toBe(list.length);
    expect(names.b).toContain("O'Hara's");
  });

  test('writes categories as arrays and brands under letters', async () => {
    const [category] = await json(`${D}/CategoryPerformance?s=${encodeURIComponent('Crème Brûlée')}`);
    expect(category.slice(0, 2)).toEqual(['Crème Desserts', 'Crème Brûlée']);
    expect(category).toHaveLength(7);
    const rows = await json(`${D}/BrandPerformance?m=${encodeURIComponent('Nestor & Sons')}&b=Nestor`);
    for (const { c, s, m, b, f } of rows) {
      expect([typeof c, typeof s, m, b, f.length]).toEqual(['string', 'string', 'Nestor & Sons', 'Nestor', 5]);
    }
    const all = await json(`${D}/BrandPerformance`);
    expect(all.some(({ f }: Any) => f[3] === 0 && f[4] === null)).toBe(true);
  });
});

describe('group B', () => {
  test('reads an id or an array, and returns ids or pairs', async () => {
    expect(await json('/data-access/v1/Catalogues', post('CAT-RETAIL'))).toEqual([
      'CAT-RETAIL',
      'CAT-PANEL',
      'CAT-AUDIT',
    ]);
    expect((await json(`${B}/LogicalDimensions`, post('CAT-PANEL')))[0]).toEqual([
      'product',
      'Product (Household Panel)',
    ]);
    const values = await json(`${B}/Group/Level/Values`, post(['CAT-AUDIT', 'product', 'top-sellers', 'level-1']));
    expect(values.map(([id]: [string]) => id)).toEqual(['value-1', 'value-2', 'value-3']);
  });

  test('returns refresh dates', async () => {
    expect(await json(`${B}/RefreshDates`, post('CAT-RETAIL'))).toEqual([
      ['weekly', 20261114],
      ['quarterly', 20260815],
    ]);
  });
});

test.each(JOB_KINDS)('a %s job is a number, and its status is plain text', async (kind) => {
  const { path } = operationOf(startsIn(profile.data.jobs?.[kind]?.start)[0]?.operation as OperationKey);
  const job = await json(path, post());
  expect(job).toBeTypeOf('number');
  const read = async () => (await sendRequest(`${operationOf(JOB_STATUS[kind]).path}?j=${job}`)).text;
  expect([await read(), await read(), await read()]).toEqual(['queued', 'running', 'done']);
});

test('a saved map is its id, a filter its name; a survey and a test have no body', async () => {
  expect(await json('/webservices/getSaveMap')).toBe('map-000001');
  expect(await json('/webservices/getAllProspectFilters')).toContain('Annual Sales');
  expect(await sendRequest('/webservices/createSurvey', post())).toEqual({ status: 200, text: '' });
  expect(await sendRequest('/webservices/testService')).toEqual({ status: 204, text: '' });
});

test.each([
  ['an unknown UPC', `${C}/products/999999999993`, {}, 204],
  ['a category without products', `${C}/allProducts?c=Seasonal%20Gifts`, {}, 204],
  ['an unknown category', `${C}/allProducts?c=Nothing`, {}, 204],
  ['an unknown brand', `${D}/BrandPerformance?b=Nothing`, {}, 204],
  ['an unknown job', '/webservices/getDriveJobStatus?j=1000099', {}, 204],
  ['a job of another kind', '/webservices/getDriveJobStatus?j=job-0', {}, 204],
  ['an unknown catalogue', `${B}/LogicalDimensions`, post('CAT-NONE'), 204],
  ['11 digits', `${C}/products/04210000017`, {}, 400],
  ['no window', `${C}/updateProducts`, {}, 400],
  ['two weeks', `${C}/updateProducts?w=2`, {}, 400],
  ['no job', '/webservices/getDriveJobStatus', {}, 400],
  ['no catalogue', `${B}/LogicalDimensions`, post(), 400],
  ['a number for a catalogue', `${B}/LogicalDimensions`, post(7), 400],
  ['a body that is not JSON', `${B}/LogicalDimensions`, { method: 'POST', body: '{' }, 400],
  ['another method', `${C}/allCategories`, { method: 'DELETE' }, 404],
  ['an unknown path', '/webservices/nothing', {}, 404],
])('%s has no body', async (_what, path, init, status) => {
  expect(await sendRequest(path, init)).toEqual({ status, text: '' });
});

describe('its profile', () => {
  const judge = async (options: object, using: Profile, rules?: readonly string[]) => {
    const other = await startSimulator({ dialect: 'terse', products: 150, ...options });
    const selection = { safety: 'all', ...(rules && { rules }) } as const;
    const wait = async () => undefined;
    return judgeTarget({ base: other.url, profile: using, selection, strict: true, wait }).finally(() => other.close());
  };

  test('fills every opening or declares it as not applicable', () => {
    const open = OPENINGS.filter(({ optional }) => !optional)
      .map(({ id }) => id)
      .filter((id) => !isFilled(profile, id) && !isAbsent(profile, id));
    // A response without a body has no rows; the names of sales are four lists.
    expect(open).toEqual(['createSurvey.rows', 'testService.rows', 'performanceMetadata.rows']);
    expect(Object.keys(profile.data.operations ?? {})).toHaveLength(OPERATIONS.length);
  });

  test.each([{}, { seed: 5, products: 40, asOf: '2025-01-04' }])(
    'lets everything be proved in a world of %o, also under --strict',
    async (world) => {
      const run = await judge(world, profile);
      expect(run.results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([]);
      expect(run.outcome).toBe('conformant');
    },
  );

  test('is required: an empty profile proves only that paths are served, and reports no violation', async () => {
    const run = await judge({}, parseProfile('name: x', 'x.yaml', {}));
    expect(run.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(run.outcome).toBe('partial');
  });

  test('has no as-of date, so a list that changes between calls is inconclusive', async () => {
    const faults = { 'bulk-second-call-misses-one': 'C.bulk-stable', 'delta-second-call-misses-one': 'C.delta-stable' };
    for (const [fault, rule] of Object.entries(faults)) {
      const { results } = await judge({ fault }, profile, [rule]);
      expect(results.map(({ verdict }) => verdict)).toEqual(['inconclusive']);
    }
  });

  test('does not distinguish empty from unknown, which is untested and reports no violation', async () => {
    const { results } = await judge({ fault: 'groups-of-another-dimension' }, profile, ['B.graph']);
    const amiss = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(amiss.map(({ operation, verdict }) => [operationOf(operation).name, verdict])).toEqual([
      ['groupLevels', 'untested'],
      ['groupLevelValues', 'untested'],
    ]);
  });
});
