import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTarget } from '../../../src/api/judge-target.ts';
import {
  isUpc,
  JOB_KINDS,
  JOB_STATUS,
  OPENINGS,
  OPERATIONS,
  type OperationKey,
  operationOf,
} from '../../../src/contract/index.ts';
import { buildRequest } from '../../../src/exchange/request.ts';
import { basic } from '../../../src/profile/basic-auth.ts';
import { isFilled } from '../../../src/profile/filled-openings.ts';
import { startsIn } from '../../../src/profile/job-starts.ts';
import { loadProfile } from '../../../src/profile/load.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import { type Inputs, mentionedInputs } from '../../../src/profile/template.ts';
import { readBody } from '../../../src/reading/read-body.ts';
import type { Row } from '../../../src/reading/types.ts';
import { readingPlanOf } from '../../../src/run/fetch-request.ts';
import { type Simulator, startSimulator } from '../../server.ts';
import { xml } from './dialect.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const LOOKUP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';
const CATALOGUES = 'POST /data-access/v1/Catalogues';
const DRIVE = 'POST /webservices/drive';

let simulator: Simulator;
let profile: Profile;
let credentials: string;
beforeAll(async () => {
  profile = await loadProfile('xml');
  const { auth } = profile.data;
  if (!auth || Array.isArray(auth) || auth.scheme !== 'basic') throw new Error('the profile has no basic credentials');
  credentials = basic(auth.username, auth.password);
  simulator = await startSimulator({ dialect: 'xml', products: 300 });
});
afterAll(() => simulator.close());

type Init = { method?: string; headers?: Record<string, string>; body?: string };
const send = (path: string, { headers = {}, ...init }: Init = {}) =>
  fetch(simulator.url + path, { ...init, headers: { authorization: credentials, ...headers } });

/** Sends the request of the profile and reads the response with its selectors. */
async function sendRequest(key: OperationKey, inputs: Inputs) {
  const { method, url, headers, body } = buildRequest(simulator.url, key, profile, inputs);
  const response = await fetch(url, {
    method,
    headers: [...headers.map(([name, value]): [string, string] => [name, value]), ['authorization', credentials]],
    body: body as never,
  });
  const rows: Row[] = [];
  const head = { status: response.status, reasonPhrase: '', headers: [...response.headers] };
  const bytes = new Uint8Array(await response.arrayBuffer());
  async function* chunks() {
    yield bytes;
  }
  const seen = await readBody(readingPlanOf(profile, key, inputs), head, chunks(), (row) => rows.push(row));
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text: new TextDecoder().decode(bytes),
    rows,
    seen,
  };
}

/** The example inputs of an operation, without filters, with the first page. */
function examples(key: OperationKey): Inputs {
  const mentioned = [...mentionedInputs(profile.data.operations?.[key]?.request ?? {})];
  const known = mentioned.flatMap((input) => {
    const example = profile.data.examples?.[input]?.[0];
    return example === undefined ? [] : [[input, example]];
  });
  return {
    ...Object.fromEntries(known),
    ...(mentioned.includes('offset') && { offset: 0, pageSize: 25 }),
    ...(mentioned.includes('window') && { window: 13 }),
    ...(key === LOOKUP && { upc: profile.data.examples?.upc?.[0] as string }),
  };
}

test('the profile fills every opening that applies', () => {
  const open = OPENINGS.filter(({ id, optional }) => !optional && !isFilled(profile, id)).map(({ id }) => id);
  expect(open).toEqual([
    // A map and a thematic are one value each, and the names of sales are two trees: no rows.
    'getSaveMap.rows',
    'getSaveThematicId.rows',
    'allProducts.inputs.categoryId',
    'allProducts.fields.category',
    'updateProducts.inputs.category',
    'updateProducts.inputs.categoryId',
    'updateProducts.fields.categoryId',
    'performanceMetadata.rows',
    'categoryPerformance.fields.manufacturer',
    'categoryPerformance.fields.brand',
  ]);
});

const STATUSES = new Set<string>(Object.values(JOB_STATUS));
const plain = OPERATIONS.map(({ key }) => key).filter((key) => !STATUSES.has(key));
test.each(plain)('%s answers the profile’s request in XML, and every field is found in every row', async (key) => {
  const { status, headers, rows, seen } = await sendRequest(key, examples(key));
  expect([status, seen.problem]).toEqual([200, undefined]);
  expect(headers.get('content-type')).toMatch(/^(text\/xml|application\/xml; charset=utf-8|application\/.*\+xml)$/);
  const { rows: at, fields = {} } = profile.data.operations?.[key]?.response ?? {};
  if (at !== undefined) expect(rows.length).toBeGreaterThan(0);
  for (const [field, { at: selector, nullable }] of Object.entries(fields)) {
    const isOnce = String(selector).startsWith('$');
    const found = isOnce ? (seen.values[field as keyof Row] ?? []) : rows.map((row) => row[field as keyof Row]);
    expect(found.length, field).toBeGreaterThan(0);
    const missing = found.filter((each) => !['string', 'number'].includes(typeof each) && !Array.isArray(each));
    // Without sales last year there is no percentage.
    expect(
      missing.filter((each) => !nullable && !(field === 'percentChange' && each === null)),
      field,
    ).toEqual([]);
  }
});

test.each(JOB_KINDS)('a %s job is started, its id has white space around it, and its status changes', async (kind) => {
  const started = await sendRequest(startsIn(profile.data.jobs?.[kind]?.start)[0]?.operation as OperationKey, {});
  const jobId = String(started.rows[0]?.jobId);
  expect(started.text).toContain(`>\n    ${jobId}\n  <`);
  const read = async () => (await sendRequest(JOB_STATUS[kind], { jobId })).rows;
  expect([await read(), await read(), await read(), await read()]).toEqual(
    ['ENQUEUED', 'WORKING', 'FINISHED', 'FINISHED'].map((state) => [{ jobId, state }]),
  );
});

test('an unknown state is written unchanged, and an absent state is empty', () => {
  const request = {
    method: 'GET',
    base: '',
    path: '',
    query: new URLSearchParams(),
    target: '',
    body: new Uint8Array(),
  };
  const written = (state: string | undefined) => {
    const answer = {
      kind: 'jobStatus',
      jobId: '7',
      jobKind: 'drive',
      state: state as never,
      statusRequests: 1,
    } as const;
    const { body } = xml.write(answer, { ...request, headers: { authorization: credentials } });
    return Buffer.concat([...(body as Iterable<Uint8Array>)]).toString();
  };
  expect(written('Held <up>')).toContain('<ws:State><![CDATA[Held <up>]]></ws:State');
  expect(written(undefined)).toContain('<ws:State><![CDATA[]]></ws:State');
});

test('every example of group B exists in every example catalogue', async () => {
  for (const { key } of OPERATIONS.filter((each) => each.group === 'B')) {
    for (const catalogueId of profile.data.examples?.catalogueId ?? []) {
      expect((await sendRequest(key, { ...examples(key), catalogueId })).status, `${key} ${catalogueId}`).toBe(200);
    }
  }
});

describe('values', () => {
  test('UPCs have hyphens, spaces or are numbers, and are equal', async () => {
    const bulk = await sendRequest(BULK, { offset: 0, pageSize: 3 });
    expect(bulk.text).toContain('code="0-42100-00017-7"');
    expect(bulk.rows.map(({ upc }) => upc)).toEqual(profile.data.examples?.upc);
    const look = await sendRequest(LOOKUP, { upc: '042100000177' });
    expect(look.text).toContain('upc="42100000177"');
    expect(look.rows[0]?.upc).toBe('042100000177');
    const delta = await sendRequest(DELTA, { window: 1, offset: 0, pageSize: 60 });
    expect(delta.text).toContain('6&#32;<!-- company, then item -->60133 98894 3');
    expect(delta.rows.every(({ upc }) => isUpc(String(upc)))).toBe(true);
  });

  test('the bulk list has the category key, allCategories its name, which is the filter', async () => {
    const { rows } = await sendRequest('GET /PLATFORMAPI/prodRef/v1/allCategories', {});
    const names = new Map(rows.map(({ categoryId, category }) => [categoryId, category as string]));
    expect(names.size).toBe(13);
    for (const [id, category] of names) {
      const filtered = await sendRequest(BULK, { category, offset: 0, pageSize: 100 });
      expect(filtered.rows.every((row) => row.categoryId === id)).toBe(true);
      expect(filtered.rows.length > 0).toBe(category !== 'Seasonal Gifts');
    }
  });

  test('every row has the market, and money and percentages as text', async () => {
    const { text, rows } = await sendRequest(BRANDS, { offset: 0, pageSize: 250 });
    expect(new Set(rows.map(({ market }) => market))).toEqual(new Set(['US TOTAL']));
    expect(text).toMatch(/wk="4">\$\d{1,3},\d{3}\.\d\d</);
    expect(text).toMatch(/<r:Chg>\d+\.\d%</);
    expect(text).toMatch(/<r:Chg>\(\d+\.\d%\)</);
    expect(text).toContain('<r:Chg />');
  });

  test('non-ASCII names have the encoding that each document declares', async () => {
    const bulk = await sendRequest(BULK, { offset: 0, pageSize: 100 });
    expect(bulk.headers.get('content-type')).toBe('text/xml');
    expect(Buffer.from(bulk.bytes).toString('latin1')).toMatch(/^<\?xml version='1\.0' encoding='ISO-8859-1'.*Müller/s);
    const brands = await sendRequest(BRANDS, { offset: 0, pageSize: 100 });
    expect([...brands.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(brands.text).toContain('Müller Brüder');
  });
});

describe('pages', () => {
  test('have 20 rows by default and 250 at most', async () => {
    const count = async (query: string) =>
      ((await (await send(`/PLATFORMAPI/prodRef/v1/allProducts${query}`)).text()).match(/<p:Product /g) ?? []).length -
      1;
    // The comment contains one more.
    expect([await count(''), await count('?count=1000'), await count('?start=290')]).toEqual([20, 250, 10]);
  });

  test('are consecutive, and empty after the last', async () => {
    const upcs = new Set<unknown>();
    for (const offset of [0, 100, 200]) {
      for (const { upc } of (await sendRequest(BULK, { offset, pageSize: 100 })).rows) upcs.add(upc);
    }
    expect(upcs.size).toBe(300);
    const { status, rows, seen, text } = await sendRequest(BULK, { offset: 300, pageSize: 100 });
    expect([status, rows, seen.problem]).toEqual([200, [], undefined]);
    expect(text).toContain('<p:Products />');
  });
});

test('an unknown UPC is an empty list, an unknown category too', async () => {
  const product = await sendRequest(LOOKUP, { upc: '999999999993' });
  expect([product.status, product.rows, product.seen.problem]).toEqual([200, [], undefined]);
  expect(product.text).toContain('<Products xmlns="urn:example:product" />');
  expect((await sendRequest(BULK, { category: 'Nothing', offset: 0, pageSize: 10 })).rows).toEqual([]);
});

describe('faults', () => {
  const posted = (body: string, type = 'application/xml') => ({
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  const path = (key: OperationKey) => operationOf(key).path;
  test.each([
    ['11 digits', '/PLATFORMAPI/prodRef/v1/products/04210000017', {}, 422, 'malformed'],
    ['no window', path(DELTA), {}, 422, 'malformed'],
    ['a window in weeks', `${path(DELTA)}?period=4`, {}, 422, 'malformed'],
    ['a start that is not a number', `${path(BULK)}?start=-1`, {}, 422, 'malformed'],
    ['a page without rows', `${path(BRANDS)}?count=0`, {}, 422, 'malformed'],
    ['an unknown ticket', '/webservices/getDriveJobStatus?ticket=job-0', {}, 404, 'unknown-jobId'],
    ['no ticket', '/webservices/getDriveJobStatus', {}, 400, 'missing'],
    ['no catalogue', path(CATALOGUES), posted('<Ask/>'), 400, 'missing'],
    ['an empty catalogue', path(CATALOGUES), posted('<Ask><CatalogueRef> </CatalogueRef></Ask>'), 400, 'missing'],
    [
      'an unknown one',
      path(CATALOGUES),
      posted('<Ask><CatalogueRef>C</CatalogueRef></Ask>'),
      404,
      'unknown-catalogueId',
    ],
    ['JSON', path(CATALOGUES), posted('{}', 'application/json'), 415, 'unreadable'],
    ['XML that is none', path(CATALOGUES), posted('<Ask><CatalogueRef></Ask>'), 415, 'unreadable'],
    ['a job without parameters', path(DRIVE), { method: 'POST' }, 400, 'missing'],
    ['XML for a form', '/webservices/createlist', posted('<List><State>NY</State></List>'), 415, 'unreadable'],
    ['an unknown path', '/webservices/nothing', {}, 404, 'path'],
    ['another method', path(BULK), { method: 'DELETE' }, 405, 'method'],
  ] as const)('%s is refused', async (_what, at, init, status, code) => {
    const response = await send(at, init);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/xml; charset=utf-8']);
    expect(await response.text()).toContain(`code="${code}"`);
  });

  test('an echoed value is escaped', async () => {
    const response = await send(`/webservices/getDriveJobStatus?ticket=${encodeURIComponent('<a b="\u0001&"/>–')}`);
    expect(await response.text()).toContain('there is no &lt;a b="&#xFFFD;&amp;"/&gt;&#x2013;<');
  });
});

describe('credentials', () => {
  const status = async (path: string, authorization?: string) => {
    const response = await fetch(
      simulator.url + path,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    await response.arrayBuffer();
    return [response.status, response.headers.get('www-authenticate')?.slice(0, 5)];
  };
  test('are checked before routing, and testService needs none', async () => {
    for (const path of ['/webservices/getSaveMap', '/webservices/nothing', '/PLATFORMAPI/prodRef/v1/allProducts'])
      expect(await status(path)).toEqual([401, 'Basic']);
    expect(await status('/webservices/testService')).toEqual([200, undefined]);
  });
  test('must be correct', async () => {
    expect(await status('/webservices/getSaveMap', credentials)).toEqual([200, undefined]);
    for (const wrong of [basic('simulator', 's3same'), credentials.replace('Basic', 'Bearer'), 'Basic', 'Basic %%%'])
      expect(await status('/webservices/getSaveMap', wrong)).toEqual([401, 'Basic']);
  });
});

test.each([{ seed: 1 }, { seed: 5, products: 40, asOf: '2025-01-04' }])(
  'a world of %o is conformant under the profile, also under --strict',
  async (world) => {
    const other = await startSimulator({ dialect: 'xml', products: 150, ...world });
    try {
      const run = await judgeTarget({ base: other.url, profile, selection: { safety: 'all' }, strict: true });
      expect(run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict))).toEqual([]);
      expect(run.outcome).toBe('conformant');
    } finally {
      await other.close();
    }
  },
);

test('with an empty profile nothing fails and almost nothing is proved', async () => {
  const empty = await loadProfile('empty');
  const run = await judgeTarget({ base: simulator.url, profile: empty, selection: { safety: 'all' } });
  expect(run.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  expect([run.outcome, run.exitCode]).toEqual(['undetermined', 3]);
});
