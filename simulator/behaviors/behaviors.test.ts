import { get as httpGet } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../server.ts';
import { createSimulation } from '../simulation.ts';

const BULK = '/PLATFORMAPI/prodRef/v1/allProducts';
const DELTA = '/PLATFORMAPI/prodRef/v1/updateProducts?weeks=1';
const BULK_KEY = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

async function start(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ products: 60, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}
const bytesOf = async (url: string) => (await fetch(url)).arrayBuffer();

test('behaviors are combined, and each is removed on its own', async () => {
  const simulation = await createSimulation({ products: 60 });
  const rowsOf = () => {
    const { body } = simulation.respond({
      method: 'GET',
      origin: 'http://h',
      target: BULK,
      headers: {},
      body: new Uint8Array(),
    });
    const chunks = [...(body as Iterable<string | Uint8Array>)];
    const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
    return JSON.parse(text).products as { upc: string; market: string }[];
  };
  const usual = rowsOf();
  const letter = await simulation.behaviors.add({ fault: 'bulk-upc-letter' });
  const market = await simulation.behaviors.add({ fault: 'bulk-foreign-market' });
  const both = rowsOf();
  expect(both.some(({ upc }) => !/^\d{12}$/.test(upc))).toBe(true);
  expect(both).not.toEqual(usual);
  expect(simulation.behaviors.list()).toMatchObject([
    { id: letter.id, behavior: { fault: 'bulk-upc-letter' }, applied: 1 },
    { id: market.id, applied: 1 },
  ]);
  expect(simulation.behaviors.remove(letter.id)).toBe(true);
  expect(simulation.behaviors.remove(letter.id)).toBe(false);
  expect(rowsOf().every(({ upc }) => /^\d{12}$/.test(upc))).toBe(true);
  simulation.behaviors.remove(market.id);
  expect(rowsOf()).toEqual(usual);
});

test('a content coding is applied after the behaviors that change the body, whatever their order', async () => {
  const simulator = await start();
  await simulator.behaviors.add({ oddity: 'coded-gzip' });
  await simulator.behaviors.add({ oddity: 'echo-as-period' });
  const response = await fetch(simulator.url + DELTA);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.json()).toMatchObject({ weeks: 'P1W' });
});

test('a behavior of one operation and a number of times applies to those requests only', async () => {
  const simulator = await start();
  await simulator.behaviors.add(
    { response: { status: 503, headers: { 'Retry-After': '2' } } },
    { operation: BULK_KEY, times: 2 },
  );
  const statusOf = async (path: string) => (await fetch(simulator.url + path)).status;
  expect([await statusOf(DELTA), await statusOf(BULK), await statusOf(BULK), await statusOf(BULK)]).toEqual([
    200, 503, 503, 200,
  ]);
  expect(simulator.behaviors.list()).toEqual([]);
});

test('reset restores data, clock and the behaviors of the start', async () => {
  const simulator = await start({ fault: 'bulk-upc-letter' });
  const before = await bytesOf(simulator.url + BULK);
  const jobId = async () => {
    const response = await fetch(`${simulator.url}/webservices/createMapExportJob`, { method: 'POST' });
    return ((await response.json()) as { jobId: string }).jobId;
  };
  const first = await jobId();
  simulator.clock.advanceWeeks(1);
  await simulator.behaviors.add({ response: { status: 500 } });
  await simulator.reset();
  expect(await bytesOf(simulator.url + BULK)).toEqual(before);
  expect(await jobId()).toBe(first);
  expect(simulator.behaviors.list()).toMatchObject([{ behavior: { fault: 'bulk-upc-letter' } }]);
});

test('a rate limit answers 429 with Retry-After beyond its requests', async () => {
  const simulator = await start();
  await simulator.behaviors.add({ rateLimit: { requests: 2, perSeconds: 3600 } });
  const responses = [];
  for (let at = 0; at < 3; at += 1) responses.push(await fetch(simulator.url + DELTA));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(responses[2]?.headers.get('retry-after'))).toBeGreaterThan(3000);
});

test('a truncated body ends after its bytes, within the framing that it states', async () => {
  const simulator = await start();
  await simulator.behaviors.add({ truncateAfterBytes: 100 });
  const received = await new Promise<{ bytes: number; complete: boolean }>((resolve, reject) => {
    httpGet(simulator.url + BULK, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', () => undefined);
      response.on('close', () => resolve({ bytes, complete: response.complete }));
    }).on('error', reject);
  });
  expect(received).toEqual({ bytes: 100, complete: false });
});

test('a slow body and a late response arrive whole', async () => {
  const simulator = await start();
  const usual = await bytesOf(simulator.url + DELTA);
  await simulator.behaviors.add({ latencyMs: 30 });
  await simulator.behaviors.add({ bytesPerSecond: usual.byteLength * 8 });
  const began = performance.now();
  expect(await bytesOf(simulator.url + DELTA)).toEqual(usual);
  // A lower bound holds on a loaded machine, too.
  expect(performance.now() - began).toBeGreaterThan(100);
});

test('a reset connection fails the request', async () => {
  const simulator = await start();
  await simulator.behaviors.add({ resetConnection: true }, { times: 1 });
  await expect(fetch(simulator.url + DELTA)).rejects.toThrow();
  expect((await fetch(simulator.url + DELTA)).status).toBe(200);
});

test('responses of several behaviors are sent one after the other', async () => {
  const simulator = await start();
  await simulator.behaviors.add({ response: { status: 500 } }, { times: 1 });
  await simulator.behaviors.add({ response: { status: 502 } }, { times: 1 });
  const statuses = [];
  for (let at = 0; at < 3; at += 1) statuses.push((await fetch(simulator.url + DELTA)).status);
  expect(statuses).toEqual([500, 502, 200]);
});

test('what is no behavior, operation or number of weeks is refused in a program, too', async () => {
  const { behaviors, clock } = await createSimulation({ products: 1 });
  const add = (behavior: object, scope: object = {}) => behaviors.add(behavior as never, scope);
  await expect(add({ latencyMs: 1 }, { operation: 'GET /nowhere' })).rejects.toThrow('operation: an operation as in');
  await expect(add({ latency: 1 })).rejects.toThrow('unknown key “latency” (did you mean “latencyMs”?)');
  await expect(add({ response: { status: 200, body: {} } })).rejects.toThrow('response.body: ');
  await expect(add({ latencyMs: 1 }, { operations: BULK_KEY })).rejects.toThrow('did you mean “operation”');
  await expect(add({ latencyMs: 1 }, { operation: 'GET /allProduct' })).rejects.toThrow(`did you mean “${BULK_KEY}”`);
  for (const [name, value, sentence] of [
    ['a b', 'x', 'response.headers.a b: the name of a header has letters'],
    ['a', 'x\r\nb: y', 'response.headers.a: the value of a header is one line'],
    ['a', '✓', 'response.headers.a: the value of a header is one line'],
    ['Content-Length', '99999', 'response.headers.Content-Length: the simulator frames responses itself'],
    ['transfer-encoding', 'chunked', 'response.headers.transfer-encoding: the simulator frames responses itself'],
  ] as const)
    await expect(add({ response: { status: 200, headers: { [name]: value } } })).rejects.toThrow(sentence);
  expect(behaviors.list()).toEqual([]);
  expect(await add({ latencyMs: 1, operation: BULK_KEY })).toMatchObject({ operation: BULK_KEY });
  expect(() => clock.advanceWeeks(1e6)).toThrow('beyond the year 9999');
  for (const weeks of [1.5, Number.NaN])
    expect(() => clock.advanceWeeks(weeks)).toThrow('weeks must be a whole number');
});
