/** The formats of the tabular dialect on the wire; its profile is judged by the selftest, as that of every dialect. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../server.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const B = '/data-access/v1/Catalogue';
const D = '/RetailMeasurement/v1';
const PRODUCTS = 300;

const authorization = 'Bearer eW91IGZvdW5kIG1l.tabular-41~/+==';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ dialect: 'tabular', products: PRODUCTS });
});
afterAll(() => simulator.close());

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}

async function sendRequest(path: string, { method = 'GET', headers = {}, form }: RequestOptions = {}) {
  const response = await fetch(simulator.url + path, {
    method: form ? 'POST' : method,
    headers: { authorization, ...headers },
    ...(form && { body: new URLSearchParams(form) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  const text = new TextDecoder(/charset=([\w-]+)/.exec(type ?? '')?.[1] ?? 'utf-8', { ignoreBOM: true }).decode(bytes);
  return { status: response.status, headers: response.headers, type, bytes, text };
}

describe('the token', () => {
  test.each([undefined, 'Bearer wrong', 'Basic eW91', 'Bearer'])('%s is refused with 401', async (wrong) => {
    const { status, headers, type } = await sendRequest(`${C}/allCategories`, {
      headers: { authorization: wrong ?? '' },
    });
    expect([status, type]).toEqual([401, 'text/plain; charset=us-ascii']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  });
});

describe('the bulk list', () => {
  test('is CSV with a byte-order mark, with line breaks inside cells and none at its end', async () => {
    const { text, bytes, type, headers } = await sendRequest(`${C}/allProducts`);
    expect(type).toBe('text/csv; charset=utf-8; header=present');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text).toMatch(
      /^\ufeffTitle;UPC;"Category ""Key""";Market;Last Sold;Changed\r\n"[^"]+;\r\n""[^"]+""";042100000177;cat-01;US;14\.11\.2026;\r\n/,
    );
    expect(text.endsWith('\n')).toBe(false);
    expect(headers.get('x-data-date')).toBe('14.11.2026');
    // A record takes two lines.
    expect(text.split('\r\n')).toHaveLength(1 + 2 * PRODUCTS);
  });
});

describe('changes', () => {
  const rows = (bytes: Buffer): { upc: unknown; cat: string; changed: string }[] =>
    bytes
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  test('have a window code in a header or the query; the header has precedence', async () => {
    const count = async (query: string, span?: string) =>
      rows((await sendRequest(`${C}/updateProducts${query}`, span ? { headers: { 'X-Span': span } } : {})).bytes)
        .length;
    const [one, four, thirteen] = [await count('', '1W'), await count('', '4W'), await count('', '13W')];
    expect([0 < one, one < four, four < thirteen]).toEqual([true, true, true]);
    expect([await count('?span=4W'), await count('?span=4W', '1W')]).toEqual([four, one]);
    expect(await count('?span=13W&cat=Coffee')).toBeLessThan(thirteen);
    expect(await count('?span=13W&cat=Seasonal%20Gifts')).toBe(0);
  });

  test('of a large world have several gzip members', async () => {
    const large = await startSimulator({ dialect: 'tabular', products: 3000 });
    try {
      const { promise, resolve } = Promise.withResolvers<Buffer>();
      // `fetch` would decompress the body, whose gzip members are tested here.
      request(`${large.url}${C}/updateProducts?span=13W`, { headers: { authorization } }, async (response) =>
        resolve(Buffer.concat(await response.toArray())),
      ).end();
      const packed = await promise;
      const members = packed.toString('latin1').split('\x1f\x8b\x08').length - 1;
      expect(members).toBeGreaterThan(3);
      expect(rows(gunzipSync(packed)).length).toBeGreaterThan(300);
    } finally {
      await large.close();
    }
  });
});

describe('pages', () => {
  const page = async (query: string) => JSON.parse((await sendRequest(`${C}/allCategories${query}`)).text);
  test('have ten rows by default and fifty at most, keep their order, and end', async () => {
    const all = await page('?per_page=999');
    expect([all.page, all.per_page, all.pages]).toEqual([1, 50, 1]);
    expect(all.results).toHaveLength(27);
    const pages = [await page(''), await page('?page=2'), await page('?page=3'), await page('?page=4')];
    expect(pages.map(({ results }) => results.length)).toEqual([10, 10, 7, 0]);
    expect(pages.flatMap(({ results }) => results)).toEqual(all.results);
    expect(all.results).toContainEqual({ key: 'cat-05', name: 'Crème Desserts', sub: 'Crème Brûlée' });
  });

  test.each(['?page=0', '?page=-1', '?per_page=x', '?page='])('%s is refused', async (query) => {
    expect((await sendRequest(`${C}/allCategories${query}`)).status).toBe(400);
  });
});

describe('performance', () => {
  test('is CSV in windows-1252, with market and date in each line, comma and percent sign', async () => {
    const { text, bytes, type } = await sendRequest(`${D}/BrandPerformance`);
    expect(type).toBe('text/csv; charset=windows-1252');
    expect(bytes.includes(Buffer.from('Müller Brüder', 'latin1'))).toBe(true);
    const [header, ...rows] = text.split('\r\n');
    expect(header).toBe(
      'Market;Week ending;Category;Sub-Category;Mfr;Brand;Sales 4 W;Sales 12 W;Sales 52 W;Sales LY;Change',
    );
    for (const row of rows) expect(row).toMatch(/^Total US;14\.11\.2026;.+(;-?[\d.]+,\d\d){4};(-?\d+(,\d)? %)?$/);
    expect(text).toMatch(/;\d\.\d{3}\.\d{3},\d\d;/);
    expect(text).toMatch(/;0,00;$/m);
    expect(text).toContain('"The ""Corner"" Company"');
  });
});

describe('group B', () => {
  test('refuses bodies other than forms, and unknown values', async () => {
    const typed = (type: string) =>
      sendRequest(`${B}/LogicalDimensions`, { method: 'POST', headers: { 'content-type': type } });
    expect((await typed('text/plain')).status).toBe(400);
    expect((await sendRequest(`${B}/LogicalDimensions`, { form: { 'catalogue.id': 'C' } })).status).toBe(404);
    const response = await fetch(`${simulator.url}${B}/LogicalDimensions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.text()]).toEqual([415, 'the body must be a form\n']);
  });
});

test.each([
  ['no span', `${C}/updateProducts`, 400, 'X-Span is needed'],
  ['a span of two weeks', `${C}/updateProducts?span=2W`, 400, 'X-Span is 1W, 4W or 13W'],
])('%s is refused in plain text', async (_what, path, status, says) => {
  const { text, type, status: got } = await sendRequest(path);
  expect([got, type, text.trimEnd()]).toEqual([status, 'text/plain; charset=us-ascii', says]);
});
