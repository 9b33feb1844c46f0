/** The shapes of the SOAP dialect on the wire; its profile is judged by the selftest, as that of every dialect. */
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
const counts = (body: string): string[] => [...body.matchAll(/ count="(\d+)"/g)].map(([, count]) => count as string);
const ask = (elements: string): string =>
  `<e:Envelope xmlns:e="urn:e"><e:Body><m:List xmlns:m="urn:m">${elements}</m:List></e:Body></e:Envelope>`;

describe('product reference', () => {
  test('the bulk list is a CSV file in base64, and an attribute counts its lines', async () => {
    const body = await send(`${C}/allProducts`, { headers: PRODUCTS });
    const [head, ...lines] = Buffer.from(texts(body, 'md:File')[0] as string, 'base64')
      .toString()
      .trimEnd()
      .split('\r\n');
    expect(head).toBe('"Gtin";"Category";"Code";"Market";"Sold";"Revised";"FirstSold"');
    expect([lines.length, counts(body)]).toEqual([60, ['60']]);
    expect(lines.find((line) => line.startsWith('"00042100000177";"Tea";'))).toMatch(/T00:00:00Z"$/);
  });
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
  test('a product is pairs of names and values', async () => {
    const body = await send(`${C}/products/042100000177`, { headers: PRODUCTS });
    expect(body.replaceAll(/\s+/g, ' ')).toContain('<md:Pair of="00042100000177" name="category" value="Tea"');
    expect(body).toContain('<md:Characteristic name=');
  });
  test('a delta repeats its period', async () => {
    const body = await send(`${C}/updateProducts?Period=P91D`, { headers: PRODUCTS });
    expect(body).toContain('period="P91D"');
    expect([String(body.split('<md:Change ').length - 1)]).toEqual(counts(body));
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
  test('an envelope selects the node, and entries name their parent', async () => {
    const elements = '<m:Catalogue>CAT-RETAIL</m:Catalogue><m:Dimension>product</m:Dimension>';
    const body = (await post('Dimension/Attributes', ask(elements))).replaceAll(/\s+/g, ' ');
    expect(counts(body)).toEqual(['2']);
    expect(body).toContain('catalogue="CAT-RETAIL"');
    expect(body).toContain('<md:Entry id="label" parent="product" values="3">');
  });
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
  test('an upload starts a job, and its states end', async () => {
    const [id] = texts(await post('drive', upload()), 'md:JobNumber');
    const read = () => send(`/webservices/getDriveJobStatus?JobNumber=${id}`, { headers: JOBS });
    const states: string[] = [];
    while (states.length < 4) states.push(/state="(\w+)"/.exec((await read()).replaceAll(/\s+/g, ' '))?.[1] ?? '');
    expect([states[0], states.at(-1)]).toEqual(['Waiting', 'Complete']);
  });
  test('a form with a list of states starts a job', async () => {
    const form = new URLSearchParams([
      ['state[]', 'NY'],
      ['state[]', 'NJ'],
    ]);
    expect(texts(await post('createlist', form), 'md:JobNumber')).toHaveLength(1);
  });
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

describe('retail measurement', () => {
  const D = '/RetailMeasurement/v1/BrandPerformance';
  test('a page names the next one, and the count is that of all pages', async () => {
    const first = await send(`${D}?key=sales-41`);
    const [, token] = /continue="(after-\d+)"/.exec(first) ?? [];
    expect(token).toBe('after-40');
    const second = await send(`${D}?key=sales-41&Continue=${token}`);
    expect(counts(second)).toEqual(counts(first));
    expect(texts(await send(`${D}?key=sales-41&Continue=40`), 'faultcode')).toEqual(['Client.Invalid']);
  });
  test('amounts are whole numbers with a scale', async () => {
    const body = (await send(`${D}?key=sales-41&BrandName=Sun`)).replaceAll(/\s+/g, ' ');
    expect(body).toMatch(/<md:Sales period="4" amount="\d+" scale="2"/);
    expect(body).toContain('<md:Name of="brand">Sun</md:Name >');
  });
});
