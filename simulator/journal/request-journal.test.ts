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
  expect(simulator.client()).toEqual({ conforms: false, requests: 0, findings: [] });
  const response = await send('GET', `${C}/updateProducts?weeks=4`);
  await send('GET', `${C}/products/999999999993`);
  expect(response.headers.has('x-mdwi-problem')).toBe(false);
  expect(simulator.client()).toEqual({ conforms: true, requests: 2, findings: [] });
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

test.each(['xml', 'hypermedia', 'tabular', 'terse', 'statistics', 'soap'])(
  'the dialect %s tells mistakes, too',
  async (dialect) => {
    const { simulator, send } = await start(dialect);
    await send('GET', `${C}/products/12`);
    await send('PATCH', `${C}/allProducts`);
    expect(simulator.client().findings.length).toBeGreaterThan(0);
    expect(simulator.client().conforms).toBe(false);
  },
);
