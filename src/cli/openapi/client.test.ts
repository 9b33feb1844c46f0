/** A TypeScript client that is generated from the description of the reference dialect compiles, and talks to the simulator. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../../simulator/server.ts';
import { newFolder } from '../../resources.test.support.ts';
import { openapi } from '../openapi.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Generator {
  default(document: object): Promise<unknown[]>;
  astToString(nodes: unknown[]): string;
}

/** The generator is a package of its own, since it needs an older TypeScript. */
async function loadGenerator(): Promise<Generator> {
  const file = createRequire(join(ROOT, 'scripts/openapi-client/package.json'))
    .resolve('openapi-typescript')
    .replace(/\.cjs$/, '.mjs');
  return import(pathToFileURL(file).href) as Promise<Generator>;
}

const PROGRAM = `import createClient from 'openapi-fetch';
import type { paths } from './types.ts';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });
const upc = '042100000177';
const { data: product } = await client.GET('/PLATFORMAPI/prodRef/v1/products/{upc}', { params: { path: { upc } } });
const brand: string | undefined = product?.characteristics?.find(({ name }) => name === 'Brand')?.value;
const { data: delta } = await client.GET('/PLATFORMAPI/prodRef/v1/updateProducts', {
  params: { query: { weeks: 4, category: 'Tea' } },
});
const categories: string[] = delta?.products.map(({ category }) => category) ?? [];
const { data: job } = await client.POST('/webservices/drive', { body: { address: '2 Side Street', minutes: 5 } });
const asked = { params: { query: { jobId: job?.jobId ?? '' } } };
const { data: status } = await client.GET('/webservices/getDriveJobStatus', asked);
const state: 'queued' | 'running' | 'done' | 'failed' | undefined = status?.state;
const { error } = await client.GET('/webservices/getDriveJobStatus', { params: { query: { jobId: 'none' } } });
console.log(JSON.stringify({ brand, state, title: error?.title, categories: [...new Set(categories)] }));

export const refused = [
  // @ts-expect-error There are windows of 1, 4 and 13 weeks.
  () => client.GET('/PLATFORMAPI/prodRef/v1/updateProducts', { params: { query: { weeks: 2 } } }),
  // @ts-expect-error The body is required.
  () => client.POST('/webservices/drive', {}),
  // @ts-expect-error There is no such path.
  () => client.GET('/webservices/nothing', {}),
];
`;

test('a generated client looks up, filters, starts jobs and asks for deltas', async () => {
  const folder = newFolder();
  const [description, program] = ['openapi.json', 'program.ts'].map((name) => join(folder, name)) as [string, string];
  await openapi(['--profile', 'reference', '--out', description]);
  const { default: generate, astToString } = await loadGenerator();
  const types = astToString(await generate(JSON.parse(readFileSync(description, 'utf8'))));
  writeFileSync(join(folder, 'types.ts'), types);
  writeFileSync(program, PROGRAM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const flags =
    '--noEmit --strict --skipLibCheck --target esnext --module nodenext --allowImportingTsExtensions --types node';
  const tsc = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...flags.split(' '), program], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([tsc.status, tsc.stdout]).toEqual([0, '']);

  const simulator = await startSimulator({ products: 200 });
  onTestFinished(() => simulator.close());
  const { stdout } = await promisify(execFile)(process.execPath, [program, simulator.url]);
  expect(JSON.parse(stdout)).toEqual({
    brand: expect.stringMatching(/./),
    state: 'queued',
    title: expect.stringMatching(/./),
    categories: ['Tea'],
  });
  expect(simulator.client()).toMatchObject({ conforms: true, requests: 5 });
});
