/** A TypeScript client that is generated from the description of the reference dialect talks to the simulator. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import createClient from 'openapi-fetch';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../../simulator/server.ts';
import { newFolder } from '../../resources.test.support.ts';
import { openapi } from '../openapi.ts';
import type { paths } from './client-types.test.support.ts';

/** The operations of the client; the types of all would be thousands of lines. */
const PATHS = [
  '/webservices/drive',
  '/PLATFORMAPI/prodRef/v1/products/{upc}',
  '/PLATFORMAPI/prodRef/v1/updateProducts',
];

interface Generator {
  default(document: object): Promise<unknown[]>;
  astToString(nodes: unknown[]): string;
}

/** The generator is a package of its own, since it needs an older TypeScript. */
async function loadGenerator(): Promise<Generator> {
  const folder = join(import.meta.dirname, '../../../scripts/openapi-client/package.json');
  const file = createRequire(folder)
    .resolve('openapi-typescript')
    .replace(/\.cjs$/, '.mjs');
  return import(pathToFileURL(file).href) as Promise<Generator>;
}

test('the types of the client are those that the description gives', async () => {
  const folder = newFolder();
  const file = join(folder, 'openapi.json');
  await openapi.run(['--profile', 'reference', '--out', file]);
  const document = JSON.parse(readFileSync(file, 'utf8')) as { readonly paths: Record<string, object> };
  const described = { ...document, paths: Object.fromEntries(PATHS.map((path) => [path, document.paths[path]])) };
  const { default: generate, astToString } = await loadGenerator();
  // To write the file again: npx vitest run src/cli/openapi/client.test.ts -u
  // Without comments: the wording of descriptions is no part of the types.
  const types = astToString(await generate(described)).replace(/ *\/\*\*[\s\S]*?\*\/\n/g, '');
  await expect(types).toMatchFileSnapshot('client-types.test.support.ts');
});

test('a generated client looks up, filters and starts jobs', async () => {
  const simulator = await startSimulator({ products: 200 });
  onTestFinished(() => simulator.close());
  const client = createClient<paths>({ baseUrl: simulator.url });
  const upc = '042100000177';
  const { data: product } = await client.GET('/PLATFORMAPI/prodRef/v1/products/{upc}', { params: { path: { upc } } });
  expect(product?.upc).toBe(upc);
  expect(product?.characteristics?.map(({ name }) => name)).toContain('Brand');
  const { data: delta } = await client.GET('/PLATFORMAPI/prodRef/v1/updateProducts', {
    params: { query: { weeks: 4, category: 'Tea' } },
  });
  expect(delta?.products.length).toBeGreaterThan(0);
  expect(new Set(delta?.products.map(({ category }) => category))).toEqual(new Set(['Tea']));
  const { data: job } = await client.POST('/webservices/drive', { body: { address: '2 Side Street', minutes: 5 } });
  expect(job?.jobId).toMatch(/./);
  const unknown = { params: { path: { upc: '999999999993' } } };
  const { error } = await client.GET('/PLATFORMAPI/prodRef/v1/products/{upc}', unknown);
  expect(error).toBeDefined();
  expect(simulator.client()).toMatchObject({ conforms: true, requests: 4 });
});
