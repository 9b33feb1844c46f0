import { expect, onTestFinished, test, vi } from 'vitest';
import { createFetch } from './fetch.ts';
import { startSimulator } from './server.ts';
import { createSimulation, type SimulationOptions } from './simulation.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const start = async (options: SimulationOptions = {}) => {
  const simulation = await createSimulation({ products: 60, ...options });
  const respond = createFetch(simulation);
  return {
    simulation,
    send: (path: string, init?: RequestInit) => respond(new Request(`http://api.example${path}`, init)),
  };
};

const DIALECTS = ['reference', 'hypermedia', 'tabular', 'soap'];
const REQUESTS: readonly [string, RequestInit?][] = [
  [`${C}/allCategories`],
  [`${C}/products/042100000177`],
  [`${C}/products/1`],
  [`${C}/nowhere`],
  ['/webservices/testService', { method: 'POST' }],
  ['/webservices/mapExport', { method: 'POST', body: '{}' }],
];

test.each(DIALECTS)('%s: the response is that of the server', async (dialect) => {
  const { send } = await start({ dialect });
  await using server = await startSimulator({ products: 60, dialect }).then((each) =>
    Object.assign(each, { [Symbol.asyncDispose]: () => each.close() }),
  );
  for (const [path, init] of REQUESTS) {
    const [here, there] = [await send(path, init), await fetch(server.url + path, init)];
    const headersOf = (response: Response) =>
      [...response.headers].filter(
        ([name]) => !['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name),
      );
    const text = (await here.text()).replaceAll('http://api.example', server.url);
    expect([here.status, text]).toEqual([there.status, await there.text()]);
    expect(headersOf(here).map(([name, value]) => [name, value.replaceAll('http://api.example', server.url)])).toEqual(
      headersOf(there),
    );
  }
});

test.each(['coded-gzip-in-members', 'coded-deflate-raw', 'coded-twice', 'coded-zstd', 'coded-identity'])(
  'a body with the oddity %s arrives decoded',
  async (oddity) => {
    const plain = await (await start()).send(`${C}/allCategories`);
    const { send } = await start({ oddity });
    const coded = await send(`${C}/allCategories`);
    expect(coded.headers.get('content-encoding')).toBe(oddity === 'coded-identity' ? 'identity' : null);
    expect(await coded.text()).toBe(await plain.text());
  },
);

test('a compressed delta arrives decoded, and fails if it is cut', async () => {
  const { send, simulation } = await start({ dialect: 'tabular', products: 500 });
  const url = `${C}/updateProducts`;
  const init = { headers: { authorization: 'Bearer eW91IGZvdW5kIG1l.tabular-41~/+==', 'x-span': '13W' } };
  const lines = (await (await send(url, init)).text()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line)).length).toBeGreaterThan(100);
  await simulation.behaviors.add({ truncateAfterBytes: 1000 });
  await expect((await send(url, init)).text()).rejects.toThrow();
});

test('a list is generated only as far as it is read', async () => {
  const { send } = await start({ products: 1_000_000 });
  const reader = (await send(`${C}/allProducts`)).body?.getReader();
  expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
  await reader?.cancel();
});

test('an aborted request is not answered', async () => {
  const { send, simulation } = await start();
  await simulation.behaviors.add({ latencyMs: 600_000 });
  const controller = new AbortController();
  const pending = send(`${C}/allProducts`, { signal: controller.signal });
  controller.abort();
  await expect(pending).rejects.toThrow('abort');
});

test('a slow body ends when its request is aborted', async () => {
  const { send, simulation } = await start();
  await simulation.behaviors.add({ bytesPerSecond: 20 });
  const controller = new AbortController();
  const response = await send(`${C}/allProducts`, { signal: controller.signal });
  const body = response.text();
  controller.abort();
  await expect(body).rejects.toMatchObject({ name: 'AbortError' });
});

test('a fetch function takes an address and options, and starts no timer without a delay', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const respond = createFetch(await createSimulation({ products: 1 }));
  const response = await respond('http://api.example/webservices/mapExport', { method: 'POST', body: '{}' });
  expect(response.status).toBe(202);
});
