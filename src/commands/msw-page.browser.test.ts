/** The example page in a real browser: its requests go to the simulator, which runs in the page. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import type { InProcessSimulator } from '../../simulator/in-process.ts';
import { type PackedPackage, packPackage, ROOT } from '../packed-package.test.support.ts';
import type { ProfileInput } from '../profile/schema.ts';
import type { createHandlers } from './msw-handlers.ts';
import { createSimulator } from './start-simulator.ts';

declare global {
  var simulator: InProcessSimulator;
  var reload: () => Promise<void>;
  var createHandlersInPage: typeof createHandlers;
}

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
const PATIENCE = 600_000;

let installed: PackedPackage;
let browser: Browser;
let page: Page;
let folder: string;
const errors: string[] = [];
/** The problems that the bundler reports. */
const warnings: string[] = [];
const modules: string[] = [];

const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  try {
    const file = readFileSync(join(folder, path === '/' ? 'index.html' : path));
    response.writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'text/plain' }).end(file);
  } catch {
    response.writeHead(404).end();
  }
});

beforeAll(async () => {
  installed = packPackage();
  folder = installed.emptyFolder();
  cpSync(join(ROOT, 'examples/browser'), folder, { recursive: true });
  cpSync(join(ROOT, 'node_modules/msw/lib/mockServiceWorker.js'), join(folder, 'mockServiceWorker.js'));
  writeFileSync(
    join(folder, 'entry.js'),
    "export * from './main.js'; import { createHandlers } from 'mdwi-conformance/msw'; globalThis.createHandlersInPage = createHandlers;",
  );
  const bundle = await rolldown({
    input: { main: join(folder, 'entry.js') },
    platform: 'browser',
    onLog: (_, { message }) => warnings.push(message),
  });
  const { output } = await bundle.write({ dir: join(folder, 'bundle'), format: 'esm' });
  await bundle.close();
  for (const each of output) if (each.type === 'chunk') modules.push(...each.imports, ...each.dynamicImports);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-gpu'],
    timeout: PATIENCE,
  });
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForSelector('body[data-ready]');
});
afterAll(async () => {
  await browser?.close();
  server.close();
  installed?.remove();
});

test('a bundler builds the package for browsers, without a module of Node', () => {
  expect(warnings).toEqual([]);
  expect(modules.filter((name) => !/^[\w./-]+\.js$/.test(name))).toEqual([]);
  expect(modules.length).toBeGreaterThan(5);
});

test('the page shows the products of the simulator, and tries again when it is busy', async () => {
  expect(await page.locator('#products li').count()).toBe(50);
  await page.evaluate(async () => {
    await simulator.behaviors.add({ response: { status: 503 } }, { times: 2 });
    simulator.products.edits.delist('042100000177');
    await reload();
  });
  expect(await page.locator('#products li').count()).toBe(49);
  expect(await page.evaluate(() => simulator.client())).toMatchObject({ conforms: true, requests: 4, findings: [] });
  expect(errors).toEqual([]);
});

test('a reset connection, a cut body and an unknown path are what a page sees of them', async () => {
  const seen = await page.evaluate(async () => {
    const url = 'https://api.example/PLATFORMAPI/prodRef/v1/allProducts';
    const nameOf = (error: unknown) => (error as Error).name;
    await simulator.behaviors.add({ resetConnection: true }, { times: 1 });
    const reset = await fetch(url).catch(nameOf);
    await simulator.behaviors.add({ truncateAfterBytes: 10 }, { times: 1 });
    const cut = await fetch(url).then((response) => response.text().catch(nameOf));
    const unknown = await fetch(`${url}/x`, { method: 'POST' });
    return [reset, cut, unknown.status, simulator.client().findings.length];
  });
  expect(seen).toEqual(['TypeError', 'TypeError', 404, 1]);
});

const C = '/PLATFORMAPI/prodRef/v1';
const REQUESTS = [
  `GET ${C}/allCategories`,
  `GET ${C}/updateProducts?weeks=4`,
  `GET ${C}/products/042100000177`,
  `GET ${C}/products/1`,
  'POST /webservices/testService',
  'GET /RMSERVICE/rms/v1/CategoryPerformance',
];
/** The credentials of the bundled profiles. */
const AUTHORIZATION: Readonly<Record<string, string>> = {
  xml: `Basic ${Buffer.from('simulator:s3same:öffne').toString('base64')}`,
  tabular: 'Bearer eW91IGZvdW5kIG1l.tabular-41~/+==',
  soap: `Basic ${btoa('products:p-41')}`,
};
const HEADERS = { 'x-span': '4W', 'x-api-key': 'lighthouse-27' };

/** Sends requests to a simulator, in the page as well as in Node. */
async function responsesOf(
  { fetch, url }: InProcessSimulator,
  { requests, headers }: { requests: readonly string[]; headers: Readonly<Record<string, string>> },
) {
  const seen: [number, string | null, string][] = [];
  for (const each of requests) {
    const [method, target] = each.split(' ');
    const response = await fetch(new Request(url + target, { method, headers }));
    seen.push([response.status, response.headers.get('content-type'), await response.text()]);
  }
  return seen;
}

/** Sends the requests to the same simulator in the page and in Node. */
async function compare(profile: string | ProfileInput, headers: Readonly<Record<string, string>>) {
  const sent = { requests: REQUESTS, headers };
  const inPage = await page.evaluate(
    async ([source, given, code]) => {
      const { simulator } = await createHandlersInPage({ profile: JSON.parse(source), products: 30 });
      const send = new Function(`return ${code}`)() as typeof responsesOf;
      return send(simulator, given);
    },
    [JSON.stringify(profile), sent, responsesOf.toString()] as const,
  );
  expect(inPage).toEqual(await responsesOf(await createSimulator({ profile, products: 30 }), sent));
  expect(inPage.filter(([status]) => status === 200).length).toBeGreaterThan(1);
}

test.each(DIALECT_NAMES)('the dialect %s responds in a page as in Node', (profile) =>
  compare(profile, { ...HEADERS, authorization: AUTHORIZATION[profile] ?? 'none' }),
);

test('the dialect of a profile responds in a page as in Node', () =>
  compare(
    {
      name: 'mine',
      operations: {
        [`GET ${C}/allCategories`]: { response: { rows: '$.rows[*]', fields: { category: '@.label' } } },
        [`GET ${C}/updateProducts`]: {
          request: { query: { weeks: '{window}' } },
          response: { rows: '$.rows[*]', fields: { upc: { at: '@.g', as: 'gtin14' }, category: '@.label' } },
        },
        [`GET ${C}/products/{upc}`]: {
          response: { rows: '$', fields: { upc: '@.g', category: { at: '@.label', match: '^in (.+)$' } } },
        },
      },
    },
    HEADERS,
  ));

test('what a profile needs of Node is named in a page', async () => {
  const profile: ProfileInput = {
    name: 'mine',
    operations: { [`GET ${C}/allProducts`]: { response: { rows: '$.items', schemas: { 200: 'list.json' } } } },
  };
  const refusal = page.evaluate(
    (source) => createHandlersInPage({ profile: JSON.parse(source) }),
    JSON.stringify(profile),
  );
  await expect(refusal).rejects.toThrow('this needs Node');
});
