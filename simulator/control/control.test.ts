import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { BEHAVIORS } from '../behaviors/behaviors.ts';
import { type SimulatorOptions, startSimulator } from '../server.ts';
import { createSimulation } from '../simulation.ts';
import { CONTROL_ROUTES } from './routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of any operation.
type Any = any;
const C = '/PLATFORMAPI/prodRef/v1';

async function start(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ products: 60, control: {}, ...options });
  onTestFinished(() => simulator.close());
  const control = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(simulator.controlUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const get = async (path: string) => {
    const response = await fetch(simulator.url + path);
    return { status: response.status, body: (await response.json().catch(() => undefined)) as Any };
  };
  return { simulator, control, get };
}
const detail = (sentence: string | RegExp) => ({ body: { detail: expect.stringMatching(sentence) } });

test('behaviors are switched on and off over HTTP', async () => {
  const { control, get } = await start();
  const operation = `GET ${C}/allCategories`;
  const added = await control('POST', '/behaviors', { response: { status: 503 }, operation, times: 1 });
  expect(added).toMatchObject({ status: 200, body: { id: 'behavior-1', operation, times: 1, applied: 0 } });
  expect([(await get(`${C}/allCategories`)).status, (await get(`${C}/allCategories`)).status]).toEqual([503, 200]);
  const { body } = await control('POST', '/behaviors', { fault: 'bulk-upc-letter' });
  expect((await control('GET', '/behaviors')).body).toMatchObject([
    { id: body.id, behavior: { fault: 'bulk-upc-letter' } },
  ]);
  expect((await control('DELETE', `/behaviors/${body.id}`)).status).toBe(204);
  expect((await control('DELETE', `/behaviors/${body.id}`)).status).toBe(404);
});

test('the clock moves, and the deltas, refresh dates and sales move along', async () => {
  const { control, get } = await start();
  const changed = async () => {
    const { body } = await get(`${C}/updateProducts?weeks=1`);
    return (body.products as { upc: string; changedOn: string }[]).map(({ upc }) => upc);
  };
  const sales = async () => JSON.stringify((await get('/RetailMeasurement/v1/BrandPerformance')).body.rows);
  const lists = async () =>
    new Map<string, string>(
      (await get(`${C}/allProducts`)).body.products.map((row: { upc: string; changedOn: string }) => [
        row.upc,
        row.changedOn,
      ]),
    );
  const [before, salesBefore] = [await lists(), await sales()];
  expect((await control('POST', '/clock/advance', { weeks: 1 })).body).toEqual({
    asOf: '2026-11-21',
    now: '2026-11-21T12:00:00.000Z',
  });
  const after = await lists();
  const differing = [...after].filter(([upc, changedOn]) => changedOn !== undefined && before.get(upc) !== changedOn);
  expect((await changed()).sort()).toEqual(differing.map(([upc]) => upc).sort());
  expect(await sales()).not.toBe(salesBefore);
  expect((await control('PUT', '/clock', { asOf: '2026-11-14' })).body.asOf).toBe('2026-11-14');
  expect(await sales()).toBe(salesBefore);
  expect(await control('PUT', '/clock', { asOf: '2026-11-15' })).toMatchObject({
    status: 400,
    ...detail('is not a Saturday'),
  });
});

test('products are added, changed and delisted', async () => {
  const { control, get } = await start();
  const upc = '999999999993';
  expect(await control('PUT', `/products/${upc}`, { description: 'Mine' })).toMatchObject({
    status: 200,
    body: { upc, firstActiveOn: '2026-11-14' },
  });
  expect((await get(`${C}/products/${upc}`)).body.description).toBe('Mine');
  expect((await control('PUT', `/products/${upc}`, {})).status).toBe(409);
  expect((await control('PATCH', `/products/${upc}`, { brand: 'Other' })).body.brand).toBe('Other');
  expect((await control('DELETE', `/products/${upc}`)).status).toBe(204);
  expect((await get(`${C}/products/${upc}`)).status).toBe(404);
  expect(await control('GET', `/products/${upc}`)).toMatchObject({ status: 404 });
  expect(await control('GET', '/products/12345')).toMatchObject({ status: 400, ...detail('12 digits') });
});

test('jobs are held, finished and failed', async () => {
  const { simulator, control, get } = await start();
  const started = await fetch(`${simulator.url}/webservices/mapExport`, { method: 'POST' });
  const { jobId } = (await started.json()) as Any;
  const state = async () => (await get(`/webservices/getMapExportJobStatus?jobId=${jobId}`)).body.state;
  await control('PATCH', `/jobs/${jobId}`, { state: 'hold' });
  expect([await state(), await state(), await state()]).toEqual(['queued', 'queued', 'queued']);
  await control('PATCH', `/jobs/${jobId}`, { state: 'failed' });
  expect([await state(), await state()]).toEqual(['failed', 'failed']);
  expect((await control('GET', '/jobs')).body).toMatchObject([{ id: jobId, kind: 'mapExport', state: 'failed' }]);
  expect((await control('PATCH', '/jobs/none', { state: 'done' })).status).toBe(404);
  expect(await control('PATCH', `/jobs/${jobId}`, { state: 'done' })).toMatchObject({
    status: 409,
    ...detail('is failed: this state is final'),
  });
  expect((await control('POST', '/jobs/next', { kind: 'mapExport', states: ['running', 'failed'] })).status).toBe(204);
  const armed = await fetch(`${simulator.url}/webservices/mapExport`, { method: 'POST' });
  const next = ((await armed.json()) as Any).jobId;
  const nextState = async () => (await get(`/webservices/getMapExportJobStatus?jobId=${next}`)).body.state;
  expect([await nextState(), await nextState()]).toEqual(['running', 'failed']);
  expect(await control('POST', '/jobs/next', { kind: 'mapexport', states: ['failed'] })).toMatchObject({
    status: 400,
    ...detail('kind: '),
  });
  expect((await control('POST', '/jobs/next', { kind: 'drive', states: ['done', 'failed'] })).status).toBe(409);
  expect((await control('POST', '/reset')).status).toBe(204);
  expect((await control('GET', '/jobs')).body).toEqual([]);
});

test('an edit in a program is checked, too', async () => {
  const { products } = await createSimulation({ products: 20 });
  const { edits } = products;
  expect(() => edits.add('42100000177')).toThrow('"42100000177" is not a UPC: 12 digits are needed');
  expect(() => edits.add('000000000017', { descripton: 'Tea' } as object)).toThrow('did you mean “description”');
  expect(() => edits.change('042100000177', { brand: 5 } as object)).toThrow('brand: must be a text');
  expect(edits.add('000000000017')).toMatchObject({ upc: '000000000017', description: 'Added product' });
});

test('the requests of one operation are listed', async () => {
  const { control, get } = await start();
  await get(`${C}/allProducts`);
  await get('/webservices/testService');
  const listed = (operation: string) => control('GET', `/requests?operation=${encodeURIComponent(operation)}`);
  expect((await listed('GET /webservices/testService')).body).toMatchObject([{ id: 2 }]);
  expect(await listed('GET /webservices/testservices')).toMatchObject({
    status: 400,
    ...detail('did you mean “GET /webservices/testService”'),
  });
});

test('what is wrong with a request gets one sentence', async () => {
  const { control } = await start();
  expect(await control('POST', '/behaviors', { fault: 'bulk-upc-leter' })).toMatchObject({
    status: 400,
    ...detail('did you mean “bulk-upc-letter”'),
  });
  expect(await control('POST', '/behaviors', { latency: 3 })).toMatchObject({
    status: 400,
    ...detail('unknown key “latency” .did you mean “latencyMs”'),
  });
  expect(await control('POST', '/behaviors', {})).toMatchObject({
    status: 400,
    ...detail('exactly one of fault, oddity, latencyMs'),
  });
  expect(await control('POST', '/behaviors', { latencyMs: 1, operation: 'GET /nowhere' })).toMatchObject({
    status: 400,
    ...detail('operation: an operation as in the document'),
  });
  expect(await control('PUT', '/clock')).toMatchObject({ status: 400, ...detail('^the body is missing and must be') });
  expect(await control('POST', '/clock/advance', [])).toMatchObject({ status: 400, ...detail('^the body must be') });
  expect(await control('PUT', '/clock', { asOf: '9999-12-25' })).toMatchObject({ status: 200 });
  expect(await control('POST', '/clock/advance', { weeks: 1 })).toMatchObject({
    status: 400,
    ...detail('beyond the year 9999'),
  });
  expect(await control('PUT', '/products/000000000017', { subCategory: 'none' })).toMatchObject({
    status: 409,
    ...detail('there is no sub-category “none”; the categories are'),
  });
  expect(await control('GET', '/clock?of=now')).toMatchObject({ status: 400, ...detail('"of" is no query parameter') });
  expect(await control('GET', '/nowhere')).toMatchObject({ status: 404, ...detail('there is no such route') });
  expect(await control('PUT', '/reset')).toMatchObject({ status: 405, ...detail('supports POST') });
});

test('a token is needed where one is set, and by pages always', async () => {
  const open = await start();
  const page = { origin: 'http://page.example' };
  expect((await open.control('GET', '/clock')).status).toBe(200);
  expect(await open.control('GET', '/clock', undefined, page)).toMatchObject({
    status: 403,
    ...detail('pages need a token'),
  });
  await expect(startSimulator({ products: 1, control: { token: '' } })).rejects.toThrow('must not be empty');
  const closed = await start({ control: { token: 'secret-1' } });
  expect((await closed.control('GET', '/clock')).status).toBe(401);
  expect((await closed.control('GET', '/clock', undefined, { authorization: 'Bearer secret-2' })).status).toBe(401);
  expect((await closed.control('GET', '/clock', undefined, { authorization: 'bearer secret-1' })).status).toBe(200);
  expect((await closed.control('GET', '/clock', undefined, { ...page, authorization: 'Bearer secret-1' })).status).toBe(
    200,
  );
});

test('another host name is refused', async () => {
  const { simulator } = await start();
  const status = await new Promise((resolve, reject) => {
    httpRequest(`${simulator.controlUrl}/clock`, { headers: { host: 'evil.example' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(421);
});

test('a control port that is taken is an error, and the simulator is closed', async () => {
  const { simulator } = await start();
  const port = Number(new URL(simulator.controlUrl as string).port);
  await expect(startSimulator({ products: 1, control: { port } })).rejects.toThrow('EADDRINUSE');
});

test('every operation and behavior is documented', () => {
  const page = readFileSync(new URL('../../docs/client-testing.md', import.meta.url), 'utf8');
  const missing = CONTROL_ROUTES.filter(
    ({ path }) => !page.includes(`/__mdwi${path.replace('/products/{id}', '/products/UPC').replace('{id}', 'ID')}`),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(BEHAVIORS).filter((name) => !page.includes(`| \`${name}: `))).toEqual([]);
});
