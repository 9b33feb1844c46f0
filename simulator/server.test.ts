import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/contract/index.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from './server.ts';

const running: Simulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()));
});
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ products: 400, ...options });
  running.push(simulator);
  return simulator;
}

interface Row {
  readonly upc: string;
  readonly category: string;
  readonly changedOn?: string;
  readonly activeOn: string;
}
const PRODUCTS = '/PLATFORMAPI/prodRef/v1';
// biome-ignore lint/suspicious/noExplicitAny: responses are untyped here.
const get = async (url: string): Promise<any> => (await fetch(url)).json();
const rowsOf = async (simulator: Simulator, tail: string): Promise<Row[]> =>
  (await get(`${simulator.url}${PRODUCTS}/${tail}`)).products;

test('two simulators with equal options return equal bytes, and other bytes with another seed', async () => {
  const [first, second, other] = await Promise.all([start(), start(), start({ seed: 2 })]);
  for (const { method, path } of OPERATIONS) {
    const send = async ({ url }: Simulator) => {
      const response = await fetch(url + path.replace('{upc}', '042100000177'), { method });
      return [response.status, [...response.headers], await response.text()];
    };
    expect(await send(first), path).toEqual(await send(second));
  }
  expect(await rowsOf(first, 'allProducts')).not.toEqual(await rowsOf(other, 'allProducts'));
});

test('the Date header and all windows follow the simulated clock only', async () => {
  const simulator = await start();
  const before = await fetch(`${simulator.url}${PRODUCTS}/updateProducts?weeks=1`);
  expect(before.headers.get('date')).toBe('Sat, 14 Nov 2026 12:00:00 GMT');
  const old = ((await before.json()) as { products: Row[] }).products;
  simulator.clock.advanceWeeks(1);
  const after = await fetch(`${simulator.url}${PRODUCTS}/updateProducts?weeks=1`);
  expect(after.headers.get('date')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
  const { asOf, products } = (await after.json()) as { asOf: string; products: Row[] };
  expect(asOf).toBe('2026-11-21');
  expect(products).not.toEqual(old);
  const four = new Set((await rowsOf(simulator, 'updateProducts?weeks=4')).map((row) => row.upc));
  expect(old.filter((row) => !four.has(row.upc))).toEqual([]);
});

describe('routing over the wire', () => {
  test('405 names the allowed method; unknown paths are 404 and HEAD is 405', async () => {
    const { url } = await start();
    const wrong = await fetch(`${url}/webservices/drive`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${url}${PRODUCTS}/allProducts`, { method: 'HEAD' })).status).toBe(405);
    expect((await fetch(`${url}/data-access/Catalogues`, { method: 'POST' })).status).toBe(404);
  });

  test('a base path precedes every path, and paths without it are unknown', async () => {
    const simulator = await start({ basePath: '/api/retail/' });
    const { origin } = new URL(simulator.url);
    expect((await fetch(`${origin}/webservices/testService`)).headers.get('x-mdwi-problem')).toBe(
      'unknown-path; /webservices/testService is not below the base path /api/retail',
    );
    expect(simulator.url).toBe(`http://127.0.0.1:${simulator.port}/api/retail`);
    expect((await fetch(`${simulator.url}/webservices/testService`)).status).toBe(200);
    for (const path of [
      '/webservices/testService',
      '/api/webservices/testService',
      '/api/retailwebservices/testService',
    ]) {
      expect((await fetch(`http://127.0.0.1:${simulator.port}${path}`)).status).toBe(404);
    }
  });
});

describe('bodies', () => {
  const post = (url: string, body: string | Uint8Array) =>
    fetch(`${url}/data-access/v1/Catalogue/LogicalDimensions`, { method: 'POST', body: body as string });

  test.each(['{', '[]', '"CAT-RETAIL"', 'null', '\ufeff{', ' '])('%j is refused with 400', async (body) => {
    expect((await post((await start()).url, body)).status).toBe(400);
  });

  test('bytes that are not UTF-8 are refused with 400', async () => {
    expect((await post((await start()).url, new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  });

  test('more than 10 MB are refused with 413, and the connection stays usable', async () => {
    const { url } = await start();
    expect((await post(url, 'x'.repeat(11 * 1024 * 1024))).status).toBe(413);
    expect((await post(url, '{"catalogueId":"CAT-RETAIL"}')).status).toBe(200);
  });
});

describe('large lists', () => {
  test('a hundred thousand rows stream, and a closed connection does not affect other clients', async () => {
    const simulator = await start({ products: 100_000 });
    const hungUp = new Promise<void>((resolve, reject) => {
      const aborted = request(`${simulator.url}${PRODUCTS}/allProducts`, (response) => {
        response.once('data', () => aborted.destroy());
        response.on('error', () => {});
        response.once('close', resolve);
      });
      aborted.once('error', reject);
      aborted.end();
    });
    await hungUp;
    const text = await (await fetch(`${simulator.url}${PRODUCTS}/allProducts`)).text();
    const { products, total } = JSON.parse(text) as { products: Row[]; total: number };
    expect([products.length, total]).toEqual([100_000, 100_000]);
    expect(new Set(products.map((row) => row.upc)).size).toBe(100_000);
  });

  test('a list is generated only as fast as it is read', async () => {
    const simulator = await start({ products: 1_000_000 });
    const used = (): number => {
      const { heapUsed, external, arrayBuffers } = process.memoryUsage();
      return heapUsed + external + arrayBuffers;
    };
    // Other tests of this worker leave memory of their own, so only the growth counts.
    const before = used();
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      request(`${simulator.url}${PRODUCTS}/allProducts`, resolve).once('error', reject).end();
    });
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(used() - before).toBeLessThan(64 * 1024 * 1024);
    response.destroy();
  });
});

describe('closing', () => {
  test('closes an idle keep-alive connection and one that never reads', async () => {
    const simulator = await startSimulator({ products: 200_000 });
    const idle = connect(simulator.port, '127.0.0.1');
    const stuck = connect(simulator.port, '127.0.0.1');
    const ended = Promise.all([idle, stuck].map((each) => new Promise((resolve) => each.once('close', resolve))));
    for (const each of [idle, stuck]) each.on('error', () => {});
    idle.write(`GET /webservices/testService HTTP/1.1\r\nHost: 127.0.0.1:${simulator.port}\r\n\r\n`);
    await new Promise((resolve) => idle.once('data', resolve));
    stuck.pause();
    stuck.write(`GET ${PRODUCTS}/allProducts HTTP/1.1\r\nHost: 127.0.0.1:${simulator.port}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    // With an open connection that never reads, this would never resolve.
    await simulator.close();
    stuck.resume();
    await ended;
    await expect(fetch(`${simulator.url}/webservices/testService`)).rejects.toThrow();
  });
});

describe('options', () => {
  test('invalid options are refused in one sentence that lists the valid values', async () => {
    await expect(startSimulator({ dialect: 'klingon' })).rejects.toThrow(
      /unknown dialect "klingon"; the dialects are .*reference/,
    );
    await expect(startSimulator({ fault: 'none-such' })).rejects.toThrow(
      'there is no fault "none-such"; mdwi faults lists them',
    );
    await expect(startSimulator({ asOf: '2026-11-15' })).rejects.toThrow('is not a Saturday');
    await expect(startSimulator({ basePath: 'api' })).rejects.toThrow('must begin with a slash');
  });

  test('a world without products has empty lists', async () => {
    const simulator = await start({ products: 0 });
    expect(await rowsOf(simulator, 'allProducts')).toEqual([]);
    expect(await rowsOf(simulator, 'updateProducts?weeks=13')).toEqual([]);
  });
});
