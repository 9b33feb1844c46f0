/** What the SOAP dialect refuses; the selftest judges its profile, as that of every dialect, by a reader that shares no code with it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../server.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const B = '/data-access/v1/Catalogue';
const PRODUCTS = { authorization: `Basic ${Buffer.from('products:p-41').toString('base64')}` };
const MASTER = { authorization: 'Bearer master-41' };
const JOBS = { 'x-service-token': 'jobs-41' };

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ dialect: 'soap', products: 60 });
});
afterAll(() => simulator.close());

async function send(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${simulator.url}${path}`, init);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
  const body = await response.text();
  expect(body).toContain('<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"');
  return body;
}

/** The texts of the elements with a name. */
const texts = (body: string, name: string): string[] =>
  [...body.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}\\s*>`, 'g'))].map(([, text]) => text as string);
const ask = (elements: string): string =>
  `<e:Envelope xmlns:e="urn:e"><e:Body><m:List xmlns:m="urn:m">${elements}</m:List></e:Body></e:Envelope>`;

describe('product reference', () => {
  test('a file of several chunks is one base64 text', async () => {
    const large = await startSimulator({ dialect: 'soap', products: 1000 });
    try {
      const body = await (await fetch(`${large.url}${C}/allProducts`, { headers: PRODUCTS })).text();
      const lines = Buffer.from(texts(body, 'md:File')[0] as string, 'base64')
        .toString()
        .trimEnd()
        .split('\r\n');
      expect(lines).toHaveLength(1001);
      expect(lines.every((line) => line.split(';').length === 7)).toBe(true);
    } finally {
      await large.close();
    }
  });
  test.each([
    ['products/042100000177', {}, 'Client.Authentication'],
    ['products/042100000177', MASTER, 'Client.Authentication'],
    ['products/999999999993', PRODUCTS, 'Client.Unknown'],
    ['products/42', PRODUCTS, 'Client.Invalid'],
    ['updateProducts?Period=P8D', PRODUCTS, 'Client.Invalid'],
    ['allproducts', PRODUCTS, 'Client.Unknown'],
  ])('%s with %o gets the fault %s inside a 200', async (path, headers, code) => {
    expect(texts(await send(`${C}/${path}`, { headers }), 'faultcode')).toEqual([code]);
  });
});

describe('metadata', () => {
  const post = (path: string, body: string) => send(`${B}/${path}`, { method: 'POST', headers: MASTER, body });
  test.each([
    ['<m:Catalogue>', 'Client.Invalid'],
    [ask('<m:Catalogue>none</m:Catalogue>'), 'Client.Unknown'],
    [ask(''), 'Client.Invalid'],
    // The element is outside the request element.
    ['<Envelope><Body><Catalogue>CAT-RETAIL</Catalogue></Body></Envelope>', 'Client.Invalid'],
  ])('%s gets %s', async (body, code) => {
    expect(texts(await post('LogicalDimensions', body), 'faultcode')).toEqual([code]);
  });
});

describe('jobs', () => {
  const post = (path: string, body: RequestInit['body']) =>
    send(`/webservices/${path}`, { method: 'POST', headers: JOBS, body });
  const upload = (): FormData => {
    const form = new FormData();
    form.append('list', new File(['id\n1\n'], 'stores.csv'));
    return form;
  };
  test('a body of another type, or without the list or file, gets a fault', async () => {
    const noFile = new FormData();
    noFile.append('kind', 'stores');
    const bodies: [string, RequestInit['body']][] = [
      ['drive', new URLSearchParams({ kind: 'stores' })],
      ['drive', noFile],
      ['createlist', upload()],
      ['createlist', new URLSearchParams({ unit: 'county' })],
    ];
    for (const [path, body] of bodies) expect(texts(await post(path, body), 'faultcode')).toEqual(['Client.Invalid']);
  });
  test('only testService needs no credentials', async () => {
    expect(await send('/webservices/testService')).toContain('<md:Available');
    expect(texts(await send('/webservices/getSaveMap'), 'faultcode')).toEqual(['Client.Authentication']);
  });
});

test('a page that no response names gets a fault', async () => {
  const body = await send('/RetailMeasurement/v1/BrandPerformance?key=sales-41&Continue=40');
  expect(texts(body, 'faultcode')).toEqual(['Client.Invalid']);
});
