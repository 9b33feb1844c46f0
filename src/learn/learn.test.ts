/** Learning from the simulator, and from small servers that are unlike it. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createDialectSimulation } from '../commands/start-simulator.ts';
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  CATEGORY_PERFORMANCE,
  DIMENSION_ROWS,
  PERFORMANCE_METADATA,
  PRODUCT_LOOKUP,
  REFRESH_DATES,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { memberOf, type PlainObject } from '../profile/plain-object.ts';
import { listen } from '../resources.test.support.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../selftest/simulation-dispatcher.ts';
import { readRows } from './binding/read-rows.ts';
import { learnProfile } from './index.ts';
import { promisesIn } from './promises.ts';
import type { Learned, LearnOptions } from './types.ts';

/** Learns a dialect of the simulator. */
async function learnDialect(
  name: string,
  options: Partial<LearnOptions> = {},
  start: PlainObject = {},
  fault: { readonly fault?: string } = {},
) {
  const profile = await loadProfile(name);
  const simulation = await createDialectSimulation(profile, { products: 120, ...fault });
  const dispatcher = simulationDispatcher(simulation);
  return learnProfile({
    base: SIMULATION_ORIGIN,
    start: { name, ...start },
    network: { dispatcherFor: () => dispatcher },
    wait: async () => undefined,
    ...options,
  });
}

type Respond = (path: string, query: URLSearchParams, posted?: PlainObject) => unknown;

const statusOf = (body: unknown): number =>
  typeof body === 'number' ? body : body === undefined ? 404 : Object.hasOwn(body as object, 'refused') ? 400 : 200;

/** Learns a server that answers with JSON; a number is a status, a member `refused` is a 400, undefined is a 404. */
async function learnServer(
  respond: Respond,
  options: Partial<LearnOptions> = {},
): Promise<Learned & { readonly log: readonly string[] }> {
  const log: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://h');
    log.push(`${request.method} ${request.url}`);
    const text = (await request.toArray()).join('');
    const isJson = request.headers['content-type'] === 'application/json';
    const posted = request.method === 'POST' ? ((isJson && JSON.parse(text)) as PlainObject) || {} : undefined;
    const body = respond(pathname.split('/').slice(-2).join('/'), searchParams, posted);
    response.writeHead(statusOf(body), { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  const base = await listen(server);
  onTestFinished(() => void server.close());
  return { ...(await learnProfile({ base, start: { name: 'small' }, ...options })), log };
}

const responseOf = ({ profile }: Learned, key: string): PlainObject =>
  memberOf(memberOf(memberOf(profile, 'operations'), key), 'response') as PlainObject;
const fieldsOf = (learned: Learned, key: string) => memberOf(responseOf(learned, key), 'fields');
const requestOf = ({ profile }: Learned, key: string) =>
  memberOf(memberOf(memberOf(profile, 'operations'), key), 'request');

const withCheckDigit = (digits: string): string => {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return digits + ((10 - (sum % 10)) % 10);
};
const UPCS = Array.from({ length: 30 }, (_, at) => withCheckDigit(String(70_000_000_000 + at * 9_173)));
const CATEGORIES = ['Tea', 'Coffee', 'Soft drinks'];
const PRODUCTS = UPCS.map((upc, at) => ({ upc, category: CATEGORIES[at % 3], characteristics: ['green', `${at} oz`] }));
const PERFORMANCE = Array.from({ length: 24 }, (_, at) => {
  const [year, before] = [90_000 + at * 7_919, 80_000 + ((at * 104_729) % 60_000)];
  return { category: `Category ${at}`, l4w: Math.round(year / 13), l12w: Math.round(year / 4), l52w: year, ly: before };
});
const percentOf = ({ l52w, ly }: (typeof PERFORMANCE)[number]) => Number(((l52w / ly - 1) * 100).toFixed(1));

test('the reference dialect is learned from its answers alone, without a promise and without a job', async () => {
  const learned = await learnDialect('reference', {}, { examples: { catalogueId: ['CAT-RETAIL'] } });
  expect(fieldsOf(learned, ALL_PRODUCTS)).toMatchObject({
    upc: '@.upc',
    category: '@.category',
    brand: '@.brand',
    asOf: '$.asOf',
  });
  expect(fieldsOf(learned, CATEGORY_PERFORMANCE)).toMatchObject({
    sales4Weeks: '@.sales4Weeks',
    percentChange: '@.percentChange',
  });
  expect(responseOf(learned, ALL_PRODUCTS)).toMatchObject({
    rows: '$.products[*]',
    counts: [{ at: '$.total', of: 'list' }],
  });
  expect(requestOf(learned, UPDATE_PRODUCTS)).toMatchObject({ query: { weeks: '{window}', category: '{category}' } });
  expect(learned.answered).toContain('POST /data-access/v1/Catalogue/Hierarchy/Level/Values');
  expect(learned.answered.filter((key) => key.startsWith('POST /webservices/'))).toEqual([]);
  expect(promisesIn(learned.profile)).toEqual([]);
  expect(learned.promises).toContainEqual(expect.objectContaining({ path: ['statuses', 'unknown'], value: [404] }));
});

test('jobs are started only where that is allowed, and a status is read with the id of a job', async () => {
  const learned = await learnDialect('reference', { safety: 'job' });
  expect(fieldsOf(learned, 'POST /webservices/drive')).toEqual({ jobId: '@.jobId' });
  expect(requestOf(learned, 'GET /webservices/getDriveJobStatus')).toEqual({ query: { jobId: '{jobId}' } });
  expect(memberOf(learned.profile, 'jobs')).toMatchObject({ drive: { start: 'POST /webservices/drive' } });
});

test('the same service gives the same profile, and the limit of requests holds', async () => {
  const [one, other] = [await learnDialect('terse'), await learnDialect('terse')];
  expect(other).toEqual(one);
  const short = await learnDialect('terse', { maxRequests: 5 });
  expect([short.requests, short.isLimitReached]).toEqual([5, true]);
});

test('a table with a list of columns, and windows in days, are learned', async () => {
  const { profile } = await learnServer((path, query) => {
    const table = (rows: readonly unknown[][]) => ({ columns: ['code', 'dept', 'seen'], rows });
    const all = PRODUCTS.map(({ upc, category }, at) => [upc, category, `2026-11-${10 + (at % 9)}`]);
    if (path.endsWith('allProducts')) return table(all);
    const days = Number(query.get('period') ?? 7);
    return path.endsWith('updateProducts') && [7, 28, 91].includes(days)
      ? table(all.slice(0, days / 7 + 1))
      : undefined;
  });
  const operations = memberOf(profile, 'operations');
  expect(memberOf(memberOf(operations, ALL_PRODUCTS), 'response')).toMatchObject({
    rows: '$.rows[*]',
    shape: { columns: '$.columns[*]' },
  });
  expect(memberOf(memberOf(operations, UPDATE_PRODUCTS), 'request')).toEqual({
    query: { period: '{window}' },
    spellings: { window: { '1': 7, '4': 28, '13': 91 } },
  });
});

test('a request that the start states is tried first, stays as it is stated, and its response is learned', async () => {
  const request = { query: { scope: 'all', kind: '{category}' } };
  const { profile, seen, settled } = await learnServer(
    (path, query) => {
      if (!path.endsWith('allProducts') || query.get('scope') !== 'all') return undefined;
      const kind = query.get('kind');
      return { items: PRODUCTS.filter(({ category }) => kind === null || category === kind) };
    },
    {
      start: {
        name: 'small',
        operations: { [ALL_PRODUCTS]: { request, response: { rows: '$.items[*]', fields: { brand: '@.category' } } } },
      },
    },
  );
  expect(memberOf(memberOf(profile, 'operations'), ALL_PRODUCTS)).toMatchObject({
    request,
    response: { rows: '$.items[*]', fields: { brand: '@.category', upc: '@.upc' } },
  });
  expect(memberOf(memberOf(seen, 'operations'), ALL_PRODUCTS)).not.toHaveProperty('response.fields.brand');
  expect(settled.map(({ path }) => path.at(-1))).toContain('kind');
});

test('whole amounts may be dollars or cents: they are read as amounts of a unit that is not known', async () => {
  const learned = await learnServer((path) =>
    path.endsWith('CategoryPerformance')
      ? { rows: PERFORMANCE.map((row) => ({ ...row, growth: percentOf(row) })) }
      : undefined,
  );
  expect(learned.questions).toEqual([]);
  expect(fieldsOf(learned, CATEGORY_PERFORMANCE)).toEqual({
    category: '@.category',
    sales4Weeks: { at: '@.l4w', as: 'amount' },
    sales12Weeks: { at: '@.l12w', as: 'amount' },
    sales52Weeks: { at: '@.l52w', as: 'amount' },
    salesLastYear: { at: '@.ly', as: 'amount' },
    percentChange: '@.growth',
  });
});

test('an equation never decides against a name: the named place and the one that fits are a question', async () => {
  const { questions } = await learnServer((path) =>
    path.endsWith('CategoryPerformance')
      ? {
          rows: PERFORMANCE.map((row, at) => ({
            ...row,
            l4w: row.l4w + 0.5,
            percentChange: at - 7.3,
            zz: percentOf(row),
          })),
        }
      : undefined,
  );
  const about = questions.find(({ path }) => path.at(-1) === 'percentChange');
  expect(about?.rivals.map(({ value }) => value)).toEqual(expect.arrayContaining(['@.percentChange', '@.zz']));
});

test('one value of many that does not convert is a likely defect, and the binding is settled', async () => {
  const learned = await learnServer((path) =>
    path.endsWith('allProducts')
      ? { products: PRODUCTS.map((each, at) => (at === 17 ? { ...each, upc: 'n/a' } : each)) }
      : undefined,
  );
  expect(fieldsOf(learned, ALL_PRODUCTS)).toMatchObject({ upc: '@.upc' });
  expect(learned.defects).toEqual([
    expect.objectContaining({ path: ['operations', ALL_PRODUCTS, 'response', 'fields', 'upc'] }),
  ]);
});

test('a list that goes on, without a known parameter, stays open', async () => {
  const learned = await learnServer((path) =>
    path.endsWith('allProducts') ? { total: 30, products: PRODUCTS.slice(0, 10) } : undefined,
  );
  expect(responseOf(learned, ALL_PRODUCTS)).toBeUndefined();
  expect(learned.open).toContainEqual(
    expect.objectContaining({ path: ['operations', ALL_PRODUCTS, 'response', 'rows'] }),
  );
});

test('a parameter with the number of a page is found by another page', async () => {
  const learned = await learnServer((path, query) => {
    const at = Number(query.get('pageNumber') ?? 0) * 12;
    return path.endsWith('allProducts') ? { products: PRODUCTS.slice(at, at + 12) } : undefined;
  });
  expect(responseOf(learned, ALL_PRODUCTS)).toMatchObject({ paging: { style: 'page', first: 0 } });
  expect(requestOf(learned, ALL_PRODUCTS)).toMatchObject({ query: { pageNumber: '{page}' } });
});

test('what distinguishes an invented product from real ones in a 200 is a refusal', async () => {
  const learned = await learnServer((path) => {
    if (path.endsWith('allProducts')) return { rc: 0, products: PRODUCTS };
    if (path.endsWith('allCategories')) return { rc: 0, categories: CATEGORIES.map((name) => ({ name })) };
    if (!path.startsWith('products/')) return { rc: 9, text: 'no such thing' };
    const found = PRODUCTS.find(({ upc }) => path.endsWith(upc));
    return found ? { rc: 0, product: found } : { rc: 44, text: 'unknown' };
  });
  expect(memberOf(learned.profile, 'refusal')).toEqual([{ at: '$.rc', isNot: 0 }]);
  expect(fieldsOf(learned, PRODUCT_LOOKUP)).toMatchObject({ upc: '@.upc', characteristics: '@.characteristics[*]' });
  expect(fieldsOf(learned, ALL_CATEGORIES)).toMatchObject({ category: '@.name' });
});

test('of a list that is longer than what is read, its beginning is enough', async () => {
  const padding = 'x'.repeat(600_000);
  const learned = await learnServer((path) =>
    path.endsWith('allProducts') ? { products: PRODUCTS.map((each) => ({ ...each, padding })) } : undefined,
  );
  expect(fieldsOf(learned, ALL_PRODUCTS)).toMatchObject({ upc: '@.upc', category: '@.category' });
  expect(learned.open.filter(({ path }) => path.includes('rows'))).toEqual([]);
});

test('a filter that lets one other row pass is settled, so that a rule can judge it, and the row is a likely defect', async () => {
  const learned = await learnServer((path, query) => {
    const category = query.get('category');
    if (path.endsWith('allCategories')) return { categories: CATEGORIES.map((name) => ({ name })) };
    if (!path.endsWith('allProducts')) return undefined;
    return { products: PRODUCTS.filter((each, at) => !category || each.category === category || at === 0) };
  });
  expect(requestOf(learned, ALL_PRODUCTS)).toEqual({ query: { category: '{category}' } });
  expect(learned.defects).toEqual([
    {
      path: ['operations', ALL_PRODUCTS, 'request', 'query', 'category'],
      sentence: '1 of 11 filtered rows have another category',
    },
  ]);
});

test('a spelling that two of three windows have is a question', async () => {
  const sizes: Record<string, number> = { P1W: 3, P4W: 9 };
  const learned = await learnServer((path, query) => {
    if (path.endsWith('allProducts')) return { products: PRODUCTS };
    const size = sizes[query.get('window') ?? ''];
    return path.endsWith('updateProducts') && size ? { products: PRODUCTS.slice(0, size) } : undefined;
  });
  expect(requestOf(learned, UPDATE_PRODUCTS)).toBeUndefined();
  expect(learned.questions).toContainEqual(
    expect.objectContaining({
      path: ['operations', UPDATE_PRODUCTS, 'request'],
      rivals: [
        expect.objectContaining({
          value: {
            query: { window: '{window}' },
            spellings: { window: { '1': 'P1W', '4': 'P4W', '13': 'P13W' } },
          },
        }),
      ],
    }),
  );
});

test('a server error for a request of the form that others get a 2xx for is a likely defect', async () => {
  const learned = await learnServer((path) => {
    if (path.endsWith('allProducts')) return { products: PRODUCTS };
    const product = PRODUCTS.find(({ upc }) => path.endsWith(upc));
    if (product === PRODUCTS[15]) return 503;
    return product && { product };
  });
  expect(learned.defects).toContainEqual({
    path: ['operations', PRODUCT_LOOKUP, 'request'],
    sentence: '1 of 5 requests get a 503',
  });
});

test('a list that fills its only page has the count that it states', async () => {
  const page = (rows: readonly unknown[], query: URLSearchParams, size: number) => {
    const skip = Number(query.get('skip') ?? 0);
    return { total: rows.length, items: rows.slice(skip, skip + size) };
  };
  const learned = await learnServer((path, query) => {
    const rows = path.endsWith('allProducts') ? PRODUCTS : CATEGORIES.map((name) => ({ category: name }));
    const category = query.get('category');
    const filtered = category ? PRODUCTS.filter((each) => each.category === category) : rows;
    if (path.endsWith('updateProducts')) return page(PRODUCTS.slice(0, Number(query.get('weeks') ?? 1) + 2), query, 20);
    return /all(Products|Categories)$/.test(path) ? page(filtered, query, 10) : undefined;
  });
  expect(responseOf(learned, ALL_PRODUCTS)).toMatchObject({
    paging: { style: 'offset' },
    counts: [{ at: '$.total', of: 'list' }],
  });
  expect(learned.defects).toEqual([]);
});

test('a list of which only the longest one goes on stays open: the number in a row says which one is long', async () => {
  const names = ['Market', 'Item', 'Month', 'Fact'];
  const sizes = [3, 52, 4, 5];
  const row = (name: string, at: number) => ({ id: `${name.slice(0, 2).toUpperCase()}${at}`, name: `${name} ${at}` });
  const page = (rows: readonly PlainObject[]) => ({ total: rows.length, items: rows.slice(0, 40) });
  const learned = await learnServer((path, _, posted) => {
    if (!posted) return undefined;
    const { catalogueId, dimensionId } = posted;
    if (catalogueId !== undefined && catalogueId !== 'CAT-1') return undefined;
    if (path.endsWith('Catalogues')) return page([{ id: 'CAT-1', name: 'Retail' }]);
    if (catalogueId === undefined) return undefined;
    if (path.endsWith('LogicalDimensions'))
      return page(names.map((name, at) => ({ ...row(name, at), count: sizes[at] as number })));
    const at = names.findIndex((name, index) => dimensionId === row(name, index).id);
    if (!path.endsWith('Dimension/Rows') || at < 0) return undefined;
    return page(Array.from({ length: sizes[at] as number }, (_, index) => row(names[at] as string, index)));
  });
  expect(responseOf(learned, DIMENSION_ROWS)).toBeUndefined();
  expect(learned.open).toContainEqual(
    expect.objectContaining({ why: expect.stringContaining('the response has 40 rows, and its total is 52') }),
  );
});

test.each([
  ['no parameter', {}, {}],
  [
    'not confirmed where a start states it',
    { query: { category: '{category}' } },
    { query: { category: '{category}' } },
  ],
])('a filter that the next request repeats is %s', async (_, stated, request) => {
  let last: string | null = null;
  const operations = 'query' in stated ? { [ALL_PRODUCTS]: { request: stated } } : {};
  const learned = await learnServer(
    (path, query) => {
      if (path.endsWith('allCategories')) return { categories: CATEGORIES.map((name) => ({ name })) };
      if (!path.endsWith('allProducts')) return undefined;
      last = query.get('category') ?? last;
      return { products: PRODUCTS.filter(({ category }) => last === null || category === last) };
    },
    { start: { name: 'small', operations } },
  );
  expect(requestOf(learned, ALL_PRODUCTS)).toEqual(request);
  expect(learned.settled.filter(({ path }) => path.includes('query'))).toEqual([]);
  expect(learned.open).toContainEqual(expect.objectContaining({ path: ['operations', ALL_PRODUCTS, 'request'] }));
});

test('UPCs without their leading zeros are a question where another list has the zeros, and a defect within one list', async () => {
  const products = [...UPCS, ...UPCS.map((_, at) => withCheckDigit(`0${4_000_000_000 + at * 91_733}`))].map((upc) => ({
    upc,
    characteristics: ['green'],
  }));
  const short = (from: number) =>
    products.map((each, at) => ({ ...each, upc: at < from ? each.upc : each.upc.replace(/^0/, '') }));
  const learn = (bulk: unknown, delta: unknown) =>
    learnServer((path) =>
      path.endsWith('allProducts')
        ? { products: bulk }
        : path.endsWith('updateProducts')
          ? { week: delta, month: delta, quarter: delta }
          : undefined,
    );
  const between = await learn(products, short(0));
  expect(fieldsOf(between, ALL_PRODUCTS)).toMatchObject({ upc: '@.upc' });
  expect(between.questions).toContainEqual(
    expect.objectContaining({
      path: ['operations', UPDATE_PRODUCTS, 'response', 'fields', 'upc'],
      rivals: [{ at: '@.upc', as: 'upcNumber' }, '@.upc'].map((value) => expect.objectContaining({ value })),
    }),
  );
  const within = await learn(short(58), undefined);
  expect(fieldsOf(within, ALL_PRODUCTS)).toMatchObject({ upc: '@.upc' });
  expect(within.defects).toContainEqual(expect.objectContaining({ sentence: '2 of 60 values do not convert' }));
  const everywhere = await learn(short(0), short(0));
  expect(fieldsOf(everywhere, UPDATE_PRODUCTS)).toMatchObject({ upc: { at: '@.upc', as: 'upcNumber' } });
});

test('a parameter that the start states is one more candidate, not sent beside others for the same input', async () => {
  const learned = await learnServer(
    (path, query) => {
      const at = Number(query.get('pageNumber') ?? 0) * 12;
      return path.endsWith('allProducts') ? { products: PRODUCTS.slice(at, at + 12) } : undefined;
    },
    { start: { name: 'small', operations: { [ALL_PRODUCTS]: { request: { query: { pageNumber: '{page}' } } } } } },
  );
  expect(responseOf(learned, ALL_PRODUCTS)).toMatchObject({ paging: { style: 'page', first: 0 } });
  expect(learned.log.filter((line) => line.includes('zzz-unknown') && line.includes('pageNumber'))).toEqual([]);
});

test('columns without names are windows in their usual order; in another one, they are a question', async () => {
  const learn = (windows: (row: (typeof PERFORMANCE)[number]) => number[]) =>
    learnServer((path) =>
      path.endsWith('CategoryPerformance')
        ? PERFORMANCE.map((row) => [row.category, ...windows(row).map((each) => each + 0.5), row.ly, percentOf(row)])
        : undefined,
    );
  const usual = await learn(({ l4w, l12w, l52w }) => [l4w, l12w, l52w]);
  expect(fieldsOf(usual, CATEGORY_PERFORMANCE)).toMatchObject({ sales4Weeks: '@[1]', sales52Weeks: '@[3]' });
  const swapped = await learn(({ l4w, l12w, l52w }) => [l52w, l12w, l4w]);
  expect(fieldsOf(swapped, CATEGORY_PERFORMANCE)).not.toHaveProperty('sales4Weeks');
  expect(swapped.questions.find(({ path }) => path.at(-1) === 'sales4Weeks')?.rivals.map(({ value }) => value)).toEqual(
    ['@[3]', '@[1]'],
  );
});

test('UPCs of a look-up are read as those of the list, whose leading zeros are lost', async () => {
  const upcs = [...UPCS, ...UPCS.map((_, at) => withCheckDigit(`0${4_000_000_000 + at * 91_733}`))];
  const products = upcs.map((upc) => ({ upc: upc.replace(/^0/, ''), characteristics: ['green'] }));
  const learned = await learnServer((path) =>
    path.endsWith('allProducts')
      ? { products }
      : path.startsWith('products/')
        ? (products.find(({ upc }) => upc.length === 12 && path.endsWith(upc)) ?? products[0])
        : undefined,
  );
  expect(fieldsOf(learned, PRODUCT_LOOKUP)).toMatchObject({ upc: { at: '@.upc', as: 'upcNumber' } });
});

test('an empty list of dates is not recognised: what is beside it is no date of a catalogue', async () => {
  const start = { examples: { catalogueId: ['CAT-RETAIL'] } };
  const learned = await learnDialect('reference', {}, start, { fault: 'refresh-dates-empty' });
  expect(learned.answered).toContain(REFRESH_DATES);
  expect(responseOf(learned, REFRESH_DATES) ?? {}).not.toHaveProperty('rows');
  expect(learned.open).toContainEqual(expect.objectContaining({ path: ['operations', REFRESH_DATES, 'response'] }));
});

test('rows of which no place is likely to be the id have none', () => {
  const response = { rows: '$[*]', fields: { id: undefined, name: '@.name' } };
  const answer = { document: [{ name: 'Dairy' }], head: { status: 200, reasonPhrase: 'OK', headers: [] }, inputs: {} };
  expect(readRows(response, answer)).toEqual([{ name: 'Dairy' }]);
});

test('the kinds of jobs that a start leaves out are learned beside those that it states', async () => {
  const prospect = { start: 'POST /webservices/businesscount', unknown: 'job-x' };
  const { profile } = await learnDialect('reference', { safety: 'job' }, { jobs: { prospect } });
  expect(profile.jobs).toMatchObject({ prospect, drive: { start: 'POST /webservices/drive' } });
});

const CHANGES = PRODUCTS.map((each, at) => ({
  ...each,
  changed: new Date(Date.UTC(2026, 10, 14 - at * 3)).toISOString().slice(0, 10),
}));

test('a window in another spelling, which the service does not refuse, is no window: its list is no whole one', async () => {
  const learned = await learnServer((path, query) => {
    const days = Number(query.get('days') ?? 7);
    const category = query.get('category');
    const changed = CHANGES.filter((each, at) => at * 3 <= days && (category ?? each.category) === each.category);
    const page = changed.slice(0, Number(query.get('limit') ?? 100));
    return path.endsWith('updateProducts')
      ? { days, category, total: changed.length, count: page.length, changes: page }
      : path.endsWith('allProducts')
        ? { days: 0, products: PRODUCTS }
        : undefined;
  });
  expect(responseOf(learned, UPDATE_PRODUCTS)).toMatchObject({
    rows: '$.changes[*]',
    fields: { changedOn: '@.changed' },
    echoes: { window: '$.days' },
  });
});

test('a product that is a list of pairs is one row, and the pairs are its characteristics', async () => {
  const learned = await learnServer((path) => {
    const product = PRODUCTS.find(({ upc }) => path === `products/${upc}`);
    if (path.endsWith('allProducts')) return { products: PRODUCTS };
    return (
      product && [
        ['GTIN', product.upc],
        ['GROUP', product.category],
        ['COLOR', 'green'],
        ['SIZE', '12 oz'],
      ]
    );
  });
  expect(responseOf(learned, PRODUCT_LOOKUP)).toEqual({
    rows: '$[*]',
    shape: { pivot: { by: [], key: '@[0]', value: '@[1]', as: 'characteristics' } },
    fields: {
      upc: '@.characteristics.GTIN',
      category: '@.characteristics.GROUP',
      characteristics: '@.characteristics',
    },
  });
});

test('the only names below each category are its sub-categories, whatever their member is called', async () => {
  const learned = await learnServer((path) =>
    path.endsWith('allProducts')
      ? { products: PRODUCTS }
      : path.endsWith('Metadata')
        ? {
            groups: CATEGORIES.map((category) => ({
              category,
              xs: [`${category} hot`, `${category} cold`].map((zz) => ({ zz })),
            })),
          }
        : undefined,
  );
  expect(fieldsOf(learned, PERFORMANCE_METADATA)).toEqual({
    category: '$.groups[*].category',
    subCategory: '$.groups[*].xs[*].zz',
  });
});

test('the number of products that a category states is that of its filtered list, and the filter is echoed', async () => {
  const categories = [...CATEGORIES, 'Juice'].map((name, at) => ({ name, n: at === 3 ? 1 : 10 + at }));
  const products = categories.flatMap(({ name, n }) =>
    UPCS.slice(0, n).map((_, at) => ({
      upc: withCheckDigit(String(71_000_000_000 + at * 7_919 + n * 1_000_003)),
      category: name,
    })),
  );
  const learned = await learnServer((path, query) => {
    const category = query.get('category');
    const items = products.filter((each) => (category ?? each.category) === each.category);
    if (path.endsWith('allCategories')) return { categories };
    return path.endsWith('allProducts') ? { category, items } : undefined;
  });
  expect(responseOf(learned, ALL_CATEGORIES)).toMatchObject({ counts: [{ at: '@.n', of: ALL_PRODUCTS }] });
  expect(responseOf(learned, ALL_PRODUCTS)).toMatchObject({ echoes: { category: '$.category' } });
});

test('a filter that a service ignores is named', async () => {
  const { open } = await learnDialect('reference', {}, {}, { fault: 'manufacturer-filter-ignored' });
  expect(open.map(({ why }) => why)).toContainEqual(
    expect.stringMatching(/^no parameter filters the rows by manufacturer/),
  );
});

test('the windows that a refusal lists are tried, and dates within them are dates of a change', async () => {
  const days = { semana: 3, mes: 20, trimestre: 80 };
  const changed = (period: keyof typeof days) =>
    PRODUCTS.slice(0, period === 'semana' ? 4 : period === 'mes' ? 7 : 12).map((each, at) => ({
      ...each,
      fecha: new Date(Date.UTC(2026, 10, 20 - Math.round((at * days[period]) / 12))).toISOString().slice(0, 10),
    }));
  const learned = await learnServer((path, query) => {
    if (path.endsWith('allCategories')) return { categories: CATEGORIES.map((name) => ({ name })) };
    if (path.endsWith('allProducts')) return { products: PRODUCTS };
    if (!path.endsWith('updateProducts')) return undefined;
    const period = query.get('periodo') ?? 'semana';
    if (!(period in days)) return { refused: 'periodo es semana, mes o trimestre' };
    return { periodo: period, products: changed(period as 'mes') };
  });
  expect(requestOf(learned, UPDATE_PRODUCTS)).toEqual({
    query: { periodo: '{window}' },
    spellings: { window: { '1': 'semana', '4': 'mes', '13': 'trimestre' } },
  });
  expect(fieldsOf(learned, UPDATE_PRODUCTS)).toMatchObject({ upc: '@.upc', changedOn: '@.fecha' });
});
