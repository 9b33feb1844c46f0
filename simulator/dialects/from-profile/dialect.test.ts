import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadProfile } from '../../../src/profile/load.ts';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import { judgeSimulation } from '../../../suites/judge-in-process.test.support.ts';
import { BRAND_NAMES } from '../../model/names.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../server.ts';
import { dialectOf } from './dialect.ts';

let simulator: Simulator | undefined;
afterEach(async () => {
  await simulator?.close();
  simulator = undefined;
});
const speak = async (profile: Profile, options: SimulatorOptions = {}): Promise<Simulator> => {
  simulator = await startSimulator({ products: 300, ...options, dialect: dialectOf(profile) });
  return simulator;
};
const judge = async (profile: Profile) => {
  const run = await judgeSimulation({ products: 100, dialect: dialectOf(profile) }, { profile, strict: true });
  const notable = run.results.filter(({ verdict }) => !['pass', 'not-applicable', 'untested'].includes(verdict));
  return {
    run,
    notable: notable.map(({ rule, operation, verdict, findings, note }) => ({
      rule,
      operation,
      verdict,
      findings,
      note,
    })),
  };
};

/**
 * A profile that shares nothing with the world: other names for everything, ISO weeks that end on Sundays, other markets,
 * and another media type or paging style for each operation.
 */
const STRANGER = `
name: stranger
auth:
  - { scheme: apiKey, in: query, name: key, value: "k&1" }
  - { scheme: basic, username: ü, password: "p:w" }
authExcept: [GET /webservices/testService]
prefixes: { C: /ref, D: /sales, GET /webservices/testService: /health }
headers: { X-Tenant: "7" }
examples:
  upc: ["012345678905", "600000000007"]
  category: [Beverages, "Snacks/Chips"]
  categoryId: ["77"]
  subCategory: [Juices]
  manufacturer: [Globex]
  brand: [Initech]
  catalogueId: [1001, 1002]
  dimension: [SKU]
  group: [G1]
  hierarchy: [H1]
  level: [L1]
  attribute: [A1]
  measure: [M1]
unknownUpc: "042100000177"
dataWeek: { endsOn: sunday, activeOn: weekEnding, changedOn: weekStarting, firstDay: excluded, refreshDate: { id: products } }
figures: { percentChange: { of: sales12Weeks, decimals: 2 } }
markets: { products: ["840"], performance: [TOTAL US] }
jobs:
  drive: { example: "4711" }
  report: { start: POST /webservices/executeReport }
catalogue:
  connected: true
  distinguishing: [POST /data-access/v1/Catalogue/LogicalDimensions, POST /data-access/v1/Catalogue/RefreshDates]
operations:
  POST /webservices/executeReport:
    request: { form: { name: weekly } }
    response: { fields: { jobId: $response.header.Location } }
  GET /webservices/getDriveJobStatus: { request: { query: { id: "job-{jobId}" } }, response: { media: text, rows: $, fields: { state: "@" } } }
  GET /webservices/getReportJobStatus:
    request: { headers: { X-Job: "{jobId}" } }
    response: { media: xml, rows: "$.Job[*]", fields: { jobId: "@['@id']", state: "@" } }
  GET /webservices/testService: { request: {} }
  GET /webservices/getAllProspectFilters:
    request: {}
    response: { csv: { delimiter: "|" }, rows: "$[*]", fields: { name: "@.Filter" } }
  POST /data-access/v1/Catalogues:
    request: { xml: "<Ask c='{catalogueId}'/>" }
    response: { media: xml, rows: "$.R[0].C[*]", fields: { id: "@.Id[0]" } }
  POST /data-access/v1/Catalogue/LogicalDimensions:
    request: { query: { page: "{page}" }, raw: { type: text/plain, text: "dims of {catalogueId}" } }
    response: { rows: $.dims, fields: { id: "@.id", name: "@.name" }, paging: { style: page, size: 2 } }
  POST /data-access/v1/Catalogue/RefreshDates:
    request: { json: { catalogue: "{catalogueId}" } }
    response: { rows: "$[*]", fields: { id: "@[0]", date: { at: "@[1]", as: isoWeek } } }
  POST /data-access/v1/Catalogue/Dimension/Groups:
    request: { json: { path: ["{catalogueId}", "{dimension}"] } }
    response: { rows: "$[*]", fields: { id: "@" } }
  POST /data-access/v1/Catalogue/Group/Levels:
    request: { form: { at: "{catalogueId}", d: "{dimension}", g: "{group}" } }
    response: { rows: "$[*]", fields: { id: "@" } }
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response:
      rows: $.groups[*]
      fields: { category: "@.title", categoryId: "@.no", subCategory: "$.groups[*].parts[*]" }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    statuses: { unknown: [404] }
    request: { query: { q: { join: " AND ", clauses: ['status:active', 'cat:"{category}"', "no:{categoryId}"] } } }
    response:
      media: csv
      rows: $[*]
      paging: { style: link }
      fields:
        upc: { at: "@.GTIN", as: gtin13 }
        category: "@['Category, in full']"
        categoryId: "@.No"
        market: "@.Country"
        activeOn: { at: "@.Week", as: isoWeek }
  GET /PLATFORMAPI/prodRef/v1/products/{upc}:
    request: {}
    response:
      rows: $.product
      fields: { upc: { at: "@.code", as: upcNumber }, characteristics: "@.facts", categoryId: "@.no" }
      sample: { product: { code: 1, facts: [{ label: Colour, text: red, lang: en }], no: "1", image: null } }
  GET /PLATFORMAPI/prodRef/v1/updateProducts:
    request: {}
    response:
      rows: { "1": "$.w1[*]", "4": "$.w4[*]", "13": "$.w13[*]" }
      fields: { upc: "@.upc", changedOn: { at: "@.since", as: httpDate } }
  GET /RetailMeasurement/v1/BrandPerformance/Metadata:
    request: {}
    response:
      fields:
        category: $.shelves[*].name
        subCategory: $.shelves[*].parts[*].name
        manufacturer: $.makers[*]['@']
        brand: $.makers[*].brands[*]
  GET /RetailMeasurement/v1/CategoryPerformance:
    statuses: { unknown: [404] }
    request: { query: { f: ["c={category}", "s={subCategory}"], cursor: "{cursor}" } }
    response:
      media: ndjson
      rows: $[*]
      paging: { style: cursor, next: $response.header.X-Next }
      fields:
        category: "@.c"
        subCategory: "@.s"
        market: "@.m"
        sales4Weeks: { at: "@.f[?@.w==4].v", as: cents }
        sales12Weeks: { at: "@.f[?@.w==12].v", as: cents }
        sales52Weeks: { at: "@.f[?@.w==52].v", as: cents }
        salesLastYear: { at: "@.f[?@.last==true].v", as: cents }
        percentChange: { at: "@.pct", as: percentText }
    none: [inputs.manufacturer, inputs.brand, fields.manufacturer, fields.brand]
  GET /RetailMeasurement/v1/BrandPerformance:
    statuses: { unknown: [404] }
    request: { query: { "category[eq]": "{category}", "brand[eq]": "{brand}", "maker[eq]": "{manufacturer}", skip: "{offset}", top: "{pageSize}" } }
    response:
      media: xml
      rows: $.Report[0].Lines[0].Line[*]
      paging: { style: offset, size: 7 }
      fields:
        category: "@.C[0]"
        subCategory: "@.C[1]"
        manufacturer: "@.M[0]"
        brand: "@['@brand']"
        market: $.Report[0].Market[0]
        sales4Weeks: { at: "@.S[0]", as: usd }
        sales12Weeks: { at: "@.S[1]", as: usd }
        sales52Weeks: { at: "@.S[2]", as: usd }
        salesLastYear: { at: "@.S[3]", as: usd }
        percentChange: { at: "@.S[4]", as: decimalComma }
    none: [inputs.subCategory]
implements: [C, D, POST /webservices/executeReport, GET /webservices/getDriveJobStatus, GET /webservices/getReportJobStatus, GET /webservices/testService, GET /webservices/getAllProspectFilters, POST /data-access/v1/Catalogues, POST /data-access/v1/Catalogue/LogicalDimensions, POST /data-access/v1/Catalogue/RefreshDates, POST /data-access/v1/Catalogue/Dimension/Groups, POST /data-access/v1/Catalogue/Group/Levels]
`;
/** The codes are arbitrary, and those of categories are the ids of the world. */
const COLUMNS = `name: columns
codes:
  category: { from: GET /PLATFORMAPI/prodRef/v1/allCategories, code: "@.code", meaning: "@.label" }
  maker: ${JSON.stringify(Object.fromEntries(Object.keys(BRAND_NAMES).map((name, at) => [`m${at}`, name])))}
examples: { manufacturer: [Acme] }
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response:
      rows: $.columns
      shape: { zip: { name: "@.id", cells: "@.values" } }
      fields: { category: "@.label", categoryId: "@.code" }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: { query: { c: "{category}" }, codes: { category: category } }
    response:
      rows: "$.items[*]"
      echoes: { category: { at: $.of } }
      fields: { upc: "@.gtin", category: "@.name", activeOn: { at: "@.day", as: excelSerial }, changedOn: { at: "@.changed", as: monthName } }
  GET /RetailMeasurement/v1/BrandPerformance:
    request: { query: { maker: "{manufacturer}" }, codes: { manufacturer: maker } }
    response:
      rows: $.series
      shape:
        cube: { axes: { maker: $.makers, brand: $.brands, category: $.cats, sub: $.subs, measure: $.measures }, separator: ":", series: observations }
        pivot: { by: ["@.maker", "@.brand", "@.category", "@.sub"], key: "@.measure", value: "@.value", as: of }
      echoes: { manufacturer: { at: $.maker, code: maker } }
      fields: { manufacturer: "@.maker", brand: "@.brand", category: "@.category", subCategory: "@.sub", sales4Weeks: "@.of.w4", salesLastYear: "@.of.ly" }
    none: [inputs.category, inputs.subCategory, inputs.brand]
implements: [GET /PLATFORMAPI/prodRef/v1/allCategories, GET /PLATFORMAPI/prodRef/v1/allProducts, GET /RetailMeasurement/v1/BrandPerformance]
`;
const stranger = () => parseProfile(STRANGER, 'stranger.yaml');
const env = { ...process.env, ACME_KEY: 'k-1' };

// The selftest judges the dialects that are served by their profile.
describe('a profile is judged conforming on its own simulator', () => {
  test.each(['reference', 'tabular', 'soap'])('%s', async (name) => {
    const { run, notable } = await judge(await loadProfile(name));
    expect(notable).toEqual([]);
    expect(run.outcome).toBe('conformant');
  });
  test('the worked example of docs/profile.md', async () => {
    const { run, notable } = await judge(await loadProfile('examples/product-reference.yaml', env));
    expect(notable).toEqual([]);
    expect(run.outcome).toBe('partial');
    // Only what the profile leaves open is untested.
    const untested = run.results.filter(({ verdict }) => verdict === 'untested');
    expect(untested.every(({ openings = [] }) => openings.length > 0)).toBe(true);
    expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(40);
  });
  test('a profile of odd shapes', async () => {
    const { run, notable } = await judge(await loadProfile(join(import.meta.dirname, 'odd-shapes.test.support.yaml')));
    expect(notable).toEqual([]);
    expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(40);
  });
  test('a profile of named columns, series and inputs as codes', async () => {
    const { run, notable } = await judge(parseProfile(COLUMNS, 'columns.yaml'));
    expect(notable).toEqual([]);
    expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(15);
  });
  test('a profile that shares no name with the world', async () => {
    const { run, notable } = await judge(stranger());
    expect(notable).toEqual([]);
    expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(80);
    const unknown = run.results.filter(
      ({ rule, verdict }) => /^[CD]\.unknown-/.test(rule) && verdict !== 'not-applicable',
    );
    expect(unknown.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass']);
  });
});

describe('over HTTP', () => {
  let url: string;
  const key = 'key=k%261';
  const authorization = `Basic ${Buffer.from('ü:p:w').toString('base64')}`;
  const get = (path: string, headers: Record<string, string> = { authorization }) => fetch(url + path, { headers });
  const C = '/ref/PLATFORMAPI/prodRef/v1';
  beforeEach(async () => {
    ({ url } = await speak(stranger()));
  });

  test('all credentials are required, except for operations without authentication', async () => {
    const path = `${C}/allCategories`;
    expect((await get(`${path}?${key}`)).status).toBe(200);
    const refused = await get(`${path}?${key}`, {});
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await get(path)).status).toBe(401);
    expect((await get(`${path}?key=k`)).status).toBe(401);
    expect((await get('/health/webservices/testService', {})).status).toBe(200);
  });
  test('prefixes precede the documented path, and operations that are not implemented are not found', async () => {
    for (const path of [
      '/PLATFORMAPI/prodRef/v1/allCategories',
      '/sales/PLATFORMAPI/prodRef/v1/allCategories',
      '/webservices/testService',
      '/webservices/getSaveMap',
    ]) {
      expect((await get(`${path}?${key}`)).status, path).toBe(404);
    }
  });
  test('look-ups and lists know the examples of the profile, and the unknown UPC is unknown', async () => {
    for (const upc of ['012345678905', '600000000007']) {
      const answer = await get(`${C}/products/${upc}?${key}`);
      expect(await answer.json(), upc).toMatchObject({
        product: { code: Number(upc), facts: [{ label: 'Brand', text: expect.any(String) }, {}, {}, {}], image: null },
      });
    }
    expect((await get(`${C}/products/042100000177?${key}`)).status).toBe(404);
    expect((await get(`${C}/products/12345678905?${key}`)).status).toBe(400);
    const bulk: string[] = [];
    let next: string | undefined = `${C}/allProducts?${key}`;
    while (next) {
      const page = await get(next);
      expect(page.headers.get('content-type')).toMatch(/^text\/csv/);
      bulk.push(...(await page.text()).trim().split('\r\n').slice(1));
      next = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]?.slice(url.length);
    }
    expect(bulk).toHaveLength(300);
    expect(bulk.filter((line) => /^0012345678905,Beverages|^0600000000007,/.test(line)).length).toBeGreaterThan(0);
    const filtered = await (await get(`${C}/allProducts?${key}&q=${encodeURIComponent('cat:"Beverages"')}`)).text();
    const lines = filtered.trim().split('\r\n').slice(1);
    expect(lines).toEqual(bulk.filter((line) => line.split(',')[1] === 'Beverages'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => /,77,840,202[56]-W\d\d$/.test(line))).toBe(true);
  });
  test('unreadable requests are refused, and unknown values are not found', async () => {
    expect((await get(`${C}/allProducts?${key}&q=nonsense`)).status).toBe(400);
    expect((await get(`/sales/RetailMeasurement/v1/BrandPerformance?${key}&skip=-1`)).status).toBe(400);
    const send = (body: string) =>
      fetch(`${url}/data-access/v1/Catalogues?${key}`, { method: 'POST', headers: { authorization }, body });
    expect((await send("<Ask c='1001'/>")).status).toBe(200);
    const unknown = await send("<Ask c='nine'/>");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ detail: 'no catalogueId "nine"' });
    expect((await send("<Ask d='1001'/>")).status).toBe(400);
  });
});

test('examples that exceed the values of the world are named with their key', async () => {
  const profile = parseProfile('{ name: many, examples: { dimension: [a, b, c], category: [x] } }', 'many.yaml');
  const { approximations } = await speak(profile);
  expect(approximations).toEqual([expect.stringMatching(/^examples\.dimension\[2\] is .*: the world has 2 of them/)]);
});

test('examples of one catalogue or operation are ids of nodes, which their items name as the parent', async () => {
  const request = "request: { json: { c: '{catalogueId}', m: '{measure}', a: '{attribute}', d: '{dimension}' } }";
  const response = "response: { rows: '$.items[*]', fields: { id: '@.id', parent: '@.up' } }";
  const profile = parseProfile(
    `name: special
examples: { catalogueId: [A, B], dimension: [7], byCatalogue: { B: { measure: [4711] } } }
operations:
  POST /data-access/v1/Catalogue/Measure/SharePrompts: { ${request}, ${response} }
  POST /data-access/v1/Catalogue/Attribute/Values: { ${request}, ${response}, examples: { attribute: [x] } }`,
    'special.yaml',
  );
  const { url } = await speak(profile);
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${url}/data-access/v1/Catalogue/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { items?: { up: string }[] } };
  };
  const prompts = await send('Measure/SharePrompts', { c: 'B', m: 4711 });
  expect(prompts.body.items?.map(({ up }) => up)).toEqual(['4711', '4711']);
  const values = await send('Attribute/Values', { c: 'A', d: 7, a: 'x' });
  expect(values.body.items?.map(({ up }) => up)).toEqual(['x', 'x', 'x']);
  expect((await send('Measure/SharePrompts', { c: 'B', m: 4712 })).status).toBe(404);
  const many = parseProfile('{ name: many, examples: { byCatalogue: { B: { measure: [a, b, c] } } } }', 'many.yaml');
  const { approximations } = await speak(many);
  expect(approximations).toEqual([expect.stringMatching(/^examples\.byCatalogue\.B\.measure\[2\] is not/)]);
});

test('the simulator of an empty profile returns empty objects', async () => {
  const { url } = await speak(await loadProfile('empty'));
  const answer = await fetch(`${url}/PLATFORMAPI/prodRef/v1/allProducts`);
  expect([answer.status, await answer.text()]).toEqual([200, '{}']);
});

test.each([
  ['{ at: $.meta.code, is: [E1, E2] }', { meta: { code: 'E1' } }],
  ['[{ at: $.ok, isNot: true }, { at: $.code, is: 404, like: 404 }]', { code: 404 }],
])('errors are refusals in a 200 where the profile declares refusal %s', async (refusal, body) => {
  const { url } = await speak(parseProfile(`{ name: wraps, implements: [C], refusal: ${refusal} }`, 'wraps.yaml'));
  const answer = await fetch(`${url}/PLATFORMAPI/prodRef/v1/products/999999999993`);
  expect([answer.status, await answer.json()]).toEqual([200, { detail: 'no upc "999999999993"', ...body }]);
});

test('without its key, and at unknown paths, the statistics dialect responds 200 with an error', async () => {
  simulator = await startSimulator({ products: 20, dialect: 'statistics' });
  for (const [path, code] of [
    ['/webservices/testService', 401],
    ['/nothing?api_key=observer-41', 404],
  ]) {
    const answer = await fetch(`${simulator.url}${path}`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { errors: [{ code }] }]);
  }
});

test('a promised Location is the address of the status, also where the id is read from it, and the states keep their order', async () => {
  const profile = parseProfile(
    `name: located
implements: [A]
jobs:
  drive: { start: POST /webservices/drive, states: [new, stopped, busy, ready], final: [stopped, ready], statesInOrder: true, locationIsStatus: true }
  report: { start: POST /webservices/executeReport, locationIsStatus: true }
operations:
  POST /webservices/drive:
    request: {}
    response: { fields: { jobId: { at: $response.header.Location, match: "[?&]no=([^&]+)" } } }
  GET /webservices/getDriveJobStatus: { request: { query: { no: "{jobId}" } }, response: { rows: $, fields: { state: "@.s" } } }
  POST /webservices/executeReport: { request: {}, response: { rows: $, fields: { jobId: "@.id" } } }`,
    'located.yaml',
  );
  const { url } = await speak(profile);
  const start = async (path: string) =>
    (await fetch(`${url}${path}`, { method: 'POST' })).headers.get('location') ?? '';
  expect(await start('/webservices/executeReport')).toMatch(/\/webservices\/getReportJobStatus\?job=./);
  const location = await start('/webservices/drive');
  expect(location).toMatch(/^http.*\/webservices\/getDriveJobStatus\?no=./);
  const states: unknown[] = [];
  for (let at = 0; at < 3; at++) states.push(((await (await fetch(location)).json()) as { s: unknown }).s);
  expect(states).toEqual(['new', 'busy', 'ready']);
});

const PREFIXED = `
name: prefixed
implements: [C]
prefixes: { A: /sim, B: /sim, C: /sim, D: /sim }
operations: { GET /PLATFORMAPI/prodRef/v1/allCategories: { request: {}, response: { rows: "$[*]", fields: { category: "@.name" } } } }`;

test.each([
  ['path-redirects-to-shard', '/PLATFORMAPI/prodRef/v1/allCategories', '/shard-7/PLATFORMAPI/prodRef/v1/allCategories'],
  ['path-without-version-redirects', '/PLATFORMAPI/prodRef/allCategories', '/PLATFORMAPI/prodRef/v1/allCategories'],
])('%s redirects below the base path and the prefix of a profile', async (oddity, requested, redirected) => {
  const { url } = await speak(parseProfile(PREFIXED, 'prefixed.yaml'), { basePath: '/api', oddity });
  const answer = await fetch(`${url}/sim${requested}?page=a%20b`);
  expect([answer.url, answer.status]).toEqual([`${url}/sim${redirected}?page=a%20b`, 200]);
  expect(await answer.json()).toContainEqual({ name: 'Pet Food' });
});
