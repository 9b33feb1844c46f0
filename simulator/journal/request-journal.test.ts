import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../server.ts';

const C = '/PLATFORMAPI/prodRef/v1';

async function start(dialect = 'reference') {
  const simulator = await startSimulator({ products: 60, dialect });
  onTestFinished(() => simulator.close());
  const send = (method: string, path: string) => fetch(simulator.url + path, { method });
  return { simulator, send };
}

test('a client without mistakes conforms, and its requests are listed with what they mean', async () => {
  const { simulator, send } = await start();
  expect(simulator.client()).toEqual({ conforms: false, requests: 0, findings: [], notes: [] });
  const response = await send('GET', `${C}/updateProducts?weeks=4`);
  await send('GET', `${C}/products/999999999993`);
  expect(response.headers.has('x-mdwi-problem')).toBe(false);
  expect(simulator.client()).toEqual({ conforms: true, requests: 2, findings: [], notes: [] });
  expect(simulator.requests(`GET ${C}/updateProducts`)).toEqual([
    {
      id: 1,
      method: 'GET',
      path: `${C}/updateProducts`,
      operation: `GET ${C}/updateProducts`,
      inputs: { window: 4 },
      status: 200,
    },
  ]);
  // An unknown product is no mistake of the client.
  expect(simulator.requests()[1]).toMatchObject({ inputs: { upc: '999999999993' }, status: 404 });
  expect(() => simulator.requests('GET /nowhere')).toThrow('is not an operation of the document');
});

const MISTAKES = [
  ['GET', `${C}/products/12345678901`, 'malformed', 'a UPC is a string of 12 digits'],
  ['GET', `${C}/updateProducts?weeks=2`, 'malformed', 'the windows are 1, 4 and 13 weeks'],
  ['GET', `${C}/updateProducts`, 'missing', 'weeks is needed'],
  ['POST', `${C}/allProducts`, 'wrong-method', 'the operation is GET'],
  ['GET', '/data-access/v1/Catalogues', 'wrong-method', 'the operation is POST'],
  [
    'GET',
    `${C}/updateProducts?windw=4&week=4`,
    'missing',
    '"week" in the query is no parameter and is ignored (did you mean "weeks"?)',
  ],
  ['GET', `${C}/updateProducts?weeks=4&weeks=13`, 'repeated-parameter', '"weeks" in the query has 2 different values'],
  ['GET', `${C}/allProducts?cat=Tea`, 'unknown-parameter', '(did you mean "category"?)'],
  ['GET', `${C}/allProducts?Category=Tea`, 'unknown-parameter', '(did you mean "category"?)'],
  ['GET', `${C}/allProducts?category=Te`, 'unknown-name', 'there is no category "Te" (did you mean "Tea"?)'],
  ['GET', '/RetailMeasurement/v1/BrandPerformance?manufacturer=acme', 'unknown-name', '(did you mean "Acme"?)'],
  [
    'GET',
    '/__mdwi/clock',
    'unknown-path',
    '/__mdwi/clock is a path of the control server, which has a port of its own',
  ],
  ['GET', `${C}/allProduct`, 'unknown-path', `(did you mean "GET ${C}/allProducts"?)`],
] as const;

test.each(MISTAKES)('%s %s: the problem is %s', async (method, path, code, sentence) => {
  const { simulator, send } = await start();
  const header = (await send(method, path)).headers.get('x-mdwi-problem');
  expect(header).toContain(`${code}; `);
  expect(header).toContain(sentence);
  await send(method, path);
  const { conforms, findings } = simulator.client();
  expect(conforms).toBe(false);
  expect(findings).toMatchObject([{ request: { id: 1, method }, problem: { code }, count: 2 }]);
});

const LEGAL = [
  `${C}/allProducts?_=1763800000&utm_source=news&trace-id=7&t=1`,
  `${C}/allProducts?category=Tea&categoryPath=1/2&colour=red`,
  `${C}/allProducts?category=Tea&categry=Oil`,
  `${C}/allProducts?category=Tea&category=Tea&t=1&t=2`,
  `${C}/allProducts?category=A category of last year`,
];

test.each(LEGAL)('%s is unusual, and no mistake', async (path) => {
  const { simulator, send } = await start();
  const response = await send('GET', path);
  expect([response.status, response.headers.has('x-mdwi-problem')]).toEqual([200, false]);
  const { conforms, findings, notes } = simulator.client();
  expect([conforms, findings]).toEqual([true, []]);
  expect(notes[0]).toMatchObject({ problem: { severity: 'note' }, count: 1 });
});

const JSON_BODIES: readonly [text: string, type: string | undefined, finding: object | undefined][] = [
  ['{"catalogueId":"CAT-RETAIL"}', 'application/json; charset=utf-8', undefined],
  ['{"catalogueId":"CAT-RETAIL"}', 'application/vnd.acme+json', undefined],
  ['{"catalogueId":"CAT-RETAIL","requestId":"7","lang":"en"}', 'application/json', undefined],
  ['{"catalogueId":"CAT-RETAIL"}', 'text/plain', { code: 'media-type' }],
  [
    '{"catalogId":"CAT-RETAIL"}',
    'application/json',
    { code: 'missing', input: 'catalogueId', detail: expect.stringMatching(/needed in the JSON body.*“catalogueId”/) },
  ],
];

test.each(JSON_BODIES)('the body %s as %s', async (body, type, problem) => {
  const { simulator } = await start();
  const headers = type === undefined ? {} : { 'content-type': type };
  await fetch(`${simulator.url}/data-access/v1/Catalogue/LogicalDimensions`, { method: 'POST', headers, body });
  expect(simulator.client()).toMatchObject({ conforms: !problem, findings: problem ? [{ problem }] : [] });
});

test('a page beyond the one after the last is a note', async () => {
  const { simulator } = await start('xml');
  const authorization = `Basic ${Buffer.from('simulator:s3same:öffne').toString('base64')}`;
  const read = (start: number) =>
    fetch(`${simulator.url}${C}/allProducts?start=${start}&count=20`, { headers: { authorization } });
  for (const start of [0, 20, 40, 60]) expect((await read(start)).status).toBe(200);
  expect(simulator.client()).toMatchObject({ conforms: true, notes: [] });
  await read(80);
  const detail = 'the page begins at row 81 of a list of 60 rows';
  expect(simulator.client()).toMatchObject({ conforms: true, notes: [{ problem: { code: 'beyond-end', detail } }] });
});

test('a client may wait for a refusal before it sends its credentials', async () => {
  const { simulator, send } = await start('statistics');
  await send('GET', `${C}/allProducts`);
  expect(simulator.client()).toMatchObject({ conforms: false, findings: [{ problem: { code: 'unauthorized' } }] });
  await send('GET', `${C}/allProducts?api_key=observer-41`);
  expect(simulator.client()).toMatchObject({ conforms: true, findings: [], notes: [{ count: 1 }] });
  for (let nth = 0; nth < 2; nth += 1) await send('GET', `${C}/allProducts?api_key=old`);
  await send('GET', `${C}/allProducts?api_key=observer-41`);
  expect(simulator.client()).toMatchObject({ conforms: false, findings: [{ count: 1 }], notes: [{ count: 2 }] });
});

test('a behavior does not hide what is wrong with a request', async () => {
  const { simulator, send } = await start();
  await simulator.behaviors.add({ response: { status: 503 } });
  expect((await send('GET', `${C}/updateProducts?weeks=2`)).status).toBe(503);
  await simulator.behaviors.set([{ fault: 'filters-ignored' }]);
  await send('POST', `${C}/allCategories`);
  expect(simulator.client().findings.map(({ problem }) => problem.code)).toEqual(['malformed', 'wrong-method']);
  await simulator.reset();
  expect(simulator.client().requests).toBe(0);
});

test.each(['hypermedia', 'soap'])('the dialect %s tells mistakes, too', async (dialect) => {
  const { simulator, send } = await start(dialect);
  await send('GET', `${C}/products/12`);
  await send('PATCH', `${C}/allProducts`);
  expect(simulator.client().findings.length).toBeGreaterThan(0);
  expect(simulator.client().conforms).toBe(false);
});
