import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTarget } from '../../../src/api/judge-target.ts';
import { JOB_KINDS, JOB_STATUS, OPENINGS, OPERATIONS, operationOf } from '../../../src/contract/index.ts';
import { isAbsent, isFilled } from '../../../src/profile/filled-openings.ts';
import { loadProfile } from '../../../src/profile/load.ts';
import { parseProfile } from '../../../src/profile/parse-profile.ts';
import { type Simulator, startSimulator } from '../../server.ts';

const KEY = { 'X-Api-Key': 'lighthouse-27' };
const C = '/PLATFORMAPI/prodRef/v1';
const B = '/data-access/v1/Catalogue';
const D = '/RetailMeasurement/v1';
const KNOWN = '042100000177';
const PRODUCTS = 300;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ dialect: 'hypermedia', products: PRODUCTS });
});
afterAll(() => simulator.close());

type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: these tests check the contents of responses.
type Any = any;

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
}

async function sendRequest(path: string, { method = 'GET', headers = {}, json }: RequestOptions = {}) {
  const response = await fetch(path.startsWith('http') ? path : simulator.url + path, {
    method,
    headers: { ...KEY, ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    type: response.headers.get('content-type'),
    text,
    body: (text === '' ? undefined : JSON.parse(text)) as Any,
  };
}

const filtered = (filter: string): string => `?filter=${encodeURIComponent(filter)}`;

/** JSON:API relationships: `{"data": {"relationships": {"catalogue": {"data": {"id": …}}, …}}}`. */
const related = (ids: Json) => ({
  data: {
    relationships: Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, { data: { type: name, id } }])),
  },
});

describe('the key', () => {
  test.each(OPERATIONS.map(({ key }) => key))(
    '%s answers 401 without the key, unless it needs no authentication',
    async (key) => {
      const { method, path, name } = operationOf(key);
      const { status, headers } = await sendRequest(path.replace('{upc}', KNOWN), {
        method,
        headers: { 'X-Api-Key': 'wrong' },
      });
      expect(status).toBe(name === 'testService' ? 204 : 401);
      expect(headers.has('www-authenticate')).toBe(name !== 'testService');
    },
  );

  test('is checked before routing: unknown paths and methods are 401, too', async () => {
    const none = { headers: { 'X-Api-Key': '' } };
    const answers = await Promise.all([
      sendRequest('/nowhere', none),
      sendRequest(`${C}/allCategories`, { ...none, method: 'DELETE' }),
      sendRequest(`${C}/allCategories`, none),
    ]);
    for (const { status, headers, text } of answers) {
      expect([status, headers.has('allow'), text]).toEqual([401, false, answers[0].text]);
    }
    expect((await sendRequest('/nowhere')).status).toBe(404);
    const wrong = await sendRequest(`${C}/allCategories`, { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('is required to start a job', async () => {
    const start = async (headers = {}) => {
      const { headers: got } = await sendRequest('/webservices/drive', { method: 'POST', headers });
      return Number(/\d+$/.exec(got.get('location') ?? '')?.[0] ?? Number.NaN);
    };
    const first = await start();
    expect(await start({ 'X-Api-Key': 'no' })).toBeNaN();
    expect(await start()).toBe(first + 1);
  });
});

describe('lists in pages', () => {
  const upcsOf = (rows: Any[]): string[] => rows.map((row) => (row.product ?? row).gtin.slice(2));

  async function bulk(query = ''): Promise<{ pages: Any[][]; order: string[] }> {
    const pages: Any[][] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? query : `${query ? `${query}&` : '?'}cursor=${encodeURIComponent(cursor)}`;
      const { headers, body } = await sendRequest(`${C}/allProducts${at}`);
      pages.push(body._embedded['mdwi:products']);
      cursor = headers.get('x-next-cursor');
    } while (cursor !== null);
    return { pages, order: upcsOf(pages.flat()) };
  }

  test('the bulk list continues at an opaque cursor in a header, and is complete', async () => {
    const { pages, order } = await bulk();
    expect(pages.map((page) => page.length)).toEqual([64, 64, 64, 64, 44]);
    expect(new Set(order).size).toBe(PRODUCTS);
    const [page] = pages[0] as [Any];
    expect(page.gtin).toMatch(/^00\d{12}$/);
    expect(page.lastSold).toMatch(/^\d{1,2}\/\d{1,2}\/\d{4}$/);
    expect(page._links.self.href).toBe(`${simulator.url}${C}/products/${page.gtin.slice(2)}`);
    expect(page).not.toHaveProperty('category');
  });

  test('the order of the rows changes at each request, the rows do not', async () => {
    const [one, other] = [await bulk(), await bulk()];
    expect(one.order).not.toEqual(other.order);
    expect(one.order.toSorted()).toEqual(other.order.toSorted());
  });

  test('the envelope contains the market once and the as-of date in milliseconds, and is sent in chunks', async () => {
    const { body, headers, type } = await sendRequest(`${C}/allProducts`);
    expect(type).toBe('application/hal+json; charset=utf-8');
    expect([headers.get('transfer-encoding'), headers.has('content-length')]).toEqual(['chunked', false]);
    expect([body.market, body.asOf]).toEqual([{ code: 'US' }, Date.UTC(2026, 10, 14)]);
  });

  test('a category filter is by key, and an empty filtered list is 404', async () => {
    const { pages } = await bulk(filtered("categoryKey eq 'cat-01'"));
    expect(pages.flat().length).toBeGreaterThan(3);
    expect(new Set(pages.flat().map((row) => row.categoryKey))).toEqual(new Set(['cat-01']));
    for (const key of ['cat-13', 'cat-77']) {
      const { status, type } = await sendRequest(`${C}/allProducts${filtered(`categoryKey eq '${key}'`)}`);
      expect([status, type]).toEqual([404, 'application/problem+json']);
    }
  });

  test('the delta contains all windows, nested, and continues at a relative Link that keeps the filter', async () => {
    async function delta(query: string) {
      const windows: Record<string, string[]> = { 1: [], 4: [], 13: [] };
      let pages = 0;
      for (let next: string | undefined = query; next !== undefined; pages += 1) {
        const { headers, body } = await sendRequest(`${C}/updateProducts${next}`);
        expect(body.asOf).toBe('11/14/2026');
        for (const { weeks, changes } of body.windows) windows[weeks]?.push(...upcsOf(changes ?? []));
        next = /<([^>]*)>; rel="next prefetch"/.exec(headers.get('link') ?? '')?.[1];
      }
      return { windows, pages };
    }
    const { windows, pages } = await delta('');
    expect(pages).toBeGreaterThan(1);
    const [one = [], four = [], thirteen = []] = [1, 4, 13].map((weeks) => windows[weeks]);
    expect([0 < one.length, one.length < four.length, four.length < thirteen.length]).toEqual([true, true, true]);
    expect(four).toEqual(expect.arrayContaining(one));
    expect(thirteen).toEqual(expect.arrayContaining(four));
    expect(new Set(thirteen).size).toBe(thirteen.length);
    const own = await delta(filtered("categoryKey eq 'cat-02'"));
    expect(thirteen).toEqual(expect.arrayContaining(own.windows[13] ?? []));
    expect(own.windows[13]?.length).toBeLessThan(thirteen.length);
  });

  test('an empty window is null', async () => {
    const { body } = await sendRequest(`${C}/updateProducts${filtered("categoryKey eq 'cat-13'")}`);
    expect(body.windows.map((each: Any) => each.changes)).toEqual([null, null, null]);
  });

  async function performance(name: string, filter?: string): Promise<{ rows: Any[]; pages: number }> {
    const rows: Any[] = [];
    let pages = 0;
    for (let next = `${D}/${name}${filter ? filtered(filter) : ''}`; next !== undefined; pages += 1) {
      const { body } = await sendRequest(next);
      expect(body.market.title).toBe('Total US');
      rows.push(...body._embedded.performance);
      next = body._links.next?.href;
    }
    return { rows, pages };
  }
  const measure = (row: Any, period: string): Any => row.measures.find((each: Any) => each.period === period);

  test.each(['CategoryPerformance', 'BrandPerformance'])('%s continues at a URL in the body', async (name) => {
    const { rows, pages } = await performance(name);
    expect(pages).toBeGreaterThan(2);
    expect(new Set(rows.map((row) => JSON.stringify(row.place))).size).toBe(rows.length);
    for (const row of rows) {
      const [short, middle, long] = ['L4W', 'L12W', 'L52W'].map((period) => Number(measure(row, period).cents));
      expect(short).toBeLessThanOrEqual(middle as number);
      expect(middle).toBeLessThanOrEqual(long as number);
    }
  });

  test('figures are whole cents, as strings for brands; the change is a fraction, or null when last year is zero', async () => {
    const { rows } = await performance('BrandPerformance');
    for (const row of rows) {
      const [long, lastYear] = [measure(row, 'L52W').cents, measure(row, 'LY').cents];
      expect([long, lastYear].every((each) => /^\d+$/.test(each))).toBe(true);
      const { change } = measure(row, 'L52W/LY');
      if (lastYear === '0') expect(change).toBeNull();
      else expect(change).toBeCloseTo(Math.round((Number(long) / Number(lastYear) - 1) * 1000) / 1000, 9);
    }
    const [row] = (await performance('CategoryPerformance')).rows;
    expect(measure(row, 'L4W').cents).toBeTypeOf('number');
    expect([row.place.maker, row.place.brand]).toEqual([null, null]);
  });

  test.each([
    ["category eq 'Baker''s Goods'", { category: "Baker's Goods" }],
    ["brand eq 'O''Hara''s' and maker eq 'O''Hara Foods'", { brand: "O'Hara's", maker: "O'Hara Foods" }],
    ["category eq 'Crème Desserts' and segment eq 'Crème Brûlée'", { segment: 'Crème Brûlée' }],
    ["maker eq 'North+South'", { maker: 'North+South' }],
    ["category eq '12\" Pizza'", { category: '12" Pizza' }],
  ])('a filter is one expression: %s', async (filter, place) => {
    const { rows } = await performance('BrandPerformance', filter);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.place).toMatchObject(place);
  });

  test('the word and inside a name is not an operator, and an unknown name is 204', async () => {
    const { status, text } = await sendRequest(
      `${D}/BrandPerformance${filtered("brand eq 'Sun and maker eq ''Acme'''")}`,
    );
    expect([status, text]).toEqual([204, '']);
  });
});

describe('single answers of groups C and D', () => {
  test('a product contains its characteristics as a map and its category by key', async () => {
    const { body } = await sendRequest(`${C}/products/${KNOWN}`);
    expect([body.gtin, body.categoryKey]).toEqual([`00${KNOWN}`, 'cat-01']);
    expect(Object.keys(body._embedded.traits)).toEqual(['Brand', 'Size', 'Pack', 'Form']);
    expect([body.subtitle, body._links.image]).toEqual([null, null]);
  });

  test('categories contain a key, a title and their segments', async () => {
    const { body } = await sendRequest(`${C}/allCategories`);
    const tea = body._embedded.categories.find(({ key }: Any) => key === 'cat-01');
    expect(tea).toMatchObject({ title: 'Tea', parent: null });
    expect(tea._embedded.segments.map((each: Any) => each.title).sort()).toEqual(['Black Tea', 'Green Tea', 'Organic']);
    expect(body._embedded.categories).toHaveLength(13);
  });

  test('metadata lists distinct names of each kind, in separate trees', async () => {
    const { body } = await sendRequest(`${D}/BrandPerformance/Metadata`);
    const { categories, makers } = body._embedded;
    const titles = categories.map((each: Any) => each.title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(
      makers
        .find(({ title }: Any) => title === 'Acme')
        .brands.map((each: Any) => each.title)
        .sort(),
    ).toEqual(['House Brand', 'Sun']);
  });
});

describe('group B', () => {
  const items = (body: Any): string[] => body._embedded.items.map((each: Any) => each.data.key).sort();

  test('reads the catalogue from a header or from nested JSON', async () => {
    const byHeader = await sendRequest(`${B}/LogicalDimensions`, {
      method: 'POST',
      headers: { 'X-Catalogue': 'CAT-PANEL' },
    });
    const byBody = await sendRequest(`${B}/LogicalDimensions`, {
      method: 'POST',
      json: related({ catalogue: 'CAT-PANEL' }),
    });
    expect(items(byHeader.body)).toEqual(['household', 'period', 'product']);
    expect(items(byBody.body)).toEqual(items(byHeader.body));
    expect(byHeader.body.count).toBe(3);
  });

  test('reads the other inputs from nested JSON', async () => {
    const ids = { catalogue: 'CAT-RETAIL', dimension: 'product', hierarchy: 'standard', level: 'level-1' };
    const { status, body } = await sendRequest(`${B}/Hierarchy/Level/Values`, { method: 'POST', json: related(ids) });
    expect([status, items(body)]).toEqual([200, ['value-1', 'value-2', 'value-3']]);
  });

  test('refresh dates are seconds since 1970', async () => {
    const { body } = await sendRequest(`${B}/RefreshDates`, {
      method: 'POST',
      headers: { 'X-Catalogue': 'CAT-RETAIL' },
    });
    const weekly = body._embedded.items.find((each: Any) => each.data.key === 'weekly');
    expect(weekly.loaded).toBe(Date.UTC(2026, 10, 14) / 1000);
  });
});

describe('jobs', () => {
  const STARTS = {
    drive: 'drive',
    fileEnhancement: 'fileenhancement',
    location: 'importLocation',
    mapExport: 'mapExport',
    prospect: 'businesscount',
    variablePull: 'pullVariable',
    report: 'executeReport',
  } as const satisfies Record<(typeof JOB_KINDS)[number], string>;

  test.each(JOB_KINDS)('a %s job has the URI in Location, which a header or the query repeats', async (kind) => {
    const started = await sendRequest(`/webservices/${STARTS[kind]}`, { method: 'POST', json: {} });
    expect([started.status, started.text]).toEqual([kind === 'location' ? 201 : 202, '']);
    const uri = started.headers.get('location') as string;
    expect(uri).toMatch(/^\/webservices\/jobs\/job-/);
    const { path } = operationOf(JOB_STATUS[kind]);
    const first = await sendRequest(path, { headers: { 'X-Job': uri } });
    expect(first.body).toMatchObject({ state: { code: 'QUEUED', percent: null }, _links: { self: { href: uri } } });
    const second = await sendRequest(`${path}?job=${encodeURIComponent(uri)}`);
    expect(second.body.state.code).toBe('RUNNING');
  });

  test('a survey is created with a Location; a saved map has an id', async () => {
    const { status, text, headers } = await sendRequest('/webservices/createSurvey', { method: 'POST', json: {} });
    expect([status, text, headers.get('location')]).toEqual([201, '', '/webservices/surveys/survey-000001']);
    expect((await sendRequest('/webservices/getSaveMap')).body.data).toMatchObject({
      id: 'map-000001',
      attributes: null,
    });
    expect((await sendRequest('/webservices/getAllProspectFilters')).body._embedded.items).toHaveLength(4);
  });
});

describe('refusals', () => {
  const post = (json: unknown) => ({ method: 'POST', json });
  test.each<[string, string, number, RequestOptions?]>([
    ['no UPC', `${C}/products/04210000017`, 400],
    ['a GTIN-14 for a UPC', `${C}/products/00${KNOWN}`, 400],
    ['a filter by an unknown name', `${C}/allProducts${filtered("colour eq 'red'")}`, 400],
    ['a filter without quotes', `${D}/BrandPerformance${filtered('brand eq Sun')}`, 400],
    ['a filter that breaks off', `${D}/BrandPerformance${filtered("brand eq 'Sun' and ")}`, 400],
    ['an invalid cursor', `${C}/allProducts?cursor=abc`, 400],
    ['a cursor that is not base64', `${C}/updateProducts?cursor=%25`, 400],
    ['no catalogue', `${B}/RefreshDates`, 422, post({})],
    ['a body that is not an object', `${B}/RefreshDates`, 422, post(null)],
    ['an unknown catalogue', `${B}/RefreshDates`, 404, post(related({ catalogue: 'CAT-NONE' }))],
    ['no job', '/webservices/getDriveJobStatus', 422],
    ['an unknown job', '/webservices/getDriveJobStatus?job=job-0', 404],
    ['an unknown path', '/webservices/nothing', 404],
  ])('%s is refused with a problem', async (_what, path, expected, options) => {
    const { status, type, body } = await sendRequest(path, options);
    expect([status, type, body.status]).toEqual([expected, 'application/problem+json', expected]);
    expect(body.instance).toBeNull();
  });

  test('a body that is not JSON is refused', async () => {
    const response = await fetch(`${simulator.url}${B}/RefreshDates`, { method: 'POST', headers: KEY, body: '{' });
    expect(response.status).toBe(400);
  });

  test('an unknown UPC is an error in another format', async () => {
    const { status, type, body } = await sendRequest(`${C}/products/999999999993`);
    expect([status, type, body.logref]).toEqual([404, 'application/vnd.error+json', 'E-404']);
  });
});

describe('its profile', () => {
  test('fills every opening or declares it as not applicable', async () => {
    const profile = await loadProfile('hypermedia');
    const open = OPENINGS.filter(({ optional }) => !optional)
      .map(({ id }) => id)
      .filter((id) => !isFilled(profile, id) && !isAbsent(profile, id));
    // Answers without a body have no rows.
    const empty = OPERATIONS.filter(
      ({ method, group, name }) => (group === 'A' && method === 'POST') || name === 'testService',
    );
    expect(open).toEqual(empty.map(({ name }) => `${name}.rows`));
  });

  test('is fully judged, also under --strict', async () => {
    const profile = await loadProfile('hypermedia');
    const run = await judgeTarget({ base: simulator.url, profile, selection: { safety: 'all' }, strict: true });
    expect(run.results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')).toEqual([]);
    expect(run.outcome).toBe('conformant');
  });

  test('is required: a profile without the key proves nothing and reports no violation', async () => {
    const profile = parseProfile('name: x', 'x.yaml', {});
    const run = await judgeTarget({ base: simulator.url, profile, selection: { safety: 'all' }, strict: true });
    expect(run.results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(run.outcome).toBe('undetermined');
  });
});
