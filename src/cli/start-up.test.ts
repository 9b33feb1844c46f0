/** What commands load: each only what it uses, for a start-up that is quick and small. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { newFolder } from '../resources.test.support.ts';

const root = join(import.meta.dirname, '../..');

/** Runs the command line in a process of its own. */
async function loadedBy(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const dir = newFolder();
  const file = join(dir, 'modules.json');
  const support = join(import.meta.dirname, 'loaded.test.support.ts');
  const child = spawn(
    process.execPath,
    ['--import', pathToFileURL(support).href, join(import.meta.dirname, 'main.ts'), ...args],
    { cwd: root, env: { ...process.env, LOADED_MODULES: file, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  const modules = (JSON.parse(readFileSync(file, 'utf8')) as string[]).filter((each) => each.startsWith('file:'));
  const packages = modules.flatMap((each) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each)?.[1] ?? []);
  const here = `${pathToFileURL(root).href}/`;
  return {
    code,
    stderr,
    packages: [...new Set(packages)].sort(),
    files: modules.filter((each) => !each.includes('/node_modules/')).map((each) => each.replace(here, '')),
  };
}

/** What judges, sends or serves; no help needs it. */
const ENGINE =
  /^(?:suites|simulator\/(?!dialects\/names)|src\/(?:client|reading|rule|profile\/(?!profile-error)|run\/(?!exit-codes|interruption)))/;

test.each([['--help'], ['run --help'], ['help selftest']])(
  '%s loads no library and nothing that judges, sends or serves',
  async (line) => {
    const { code, packages, files } = await loadedBy(line.split(' '));
    expect(code).toBe(0);
    expect(packages).toEqual([]);
    expect(files).toContain('src/cli/command.ts');
    expect(files.filter((each) => ENGINE.test(each))).toEqual([]);
  },
);

const PROFILES = ['json-p3', 'yaml', 'zod'];

test.each([
  ['rules', []],
  ['plan --base-url http://127.0.0.1:1', ['json-p3']],
  ['plan --profile reference', PROFILES],
  [
    'profile check examples/product-reference.yaml',
    [...PROFILES, 'ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'],
  ],
])('%s loads no other library than %j', async (line, libraries) => {
  const { code, stderr, packages } = await loadedBy(line.split(' '), { ACME_KEY: 'k', PRODUCT_REFERENCE_KEY: 'k' });
  expect([code, stderr]).toEqual([0, '']);
  expect(packages).toEqual([...libraries].sort());
});

test('a run against a server loads the client, and no simulator, recorder, XML reader or test runner', async () => {
  const simulator = await startSimulator({ products: 20 });
  onTestFinished(() => simulator.close());
  const { code, packages, files } = await loadedBy([
    'run',
    '--base-url',
    simulator.url,
    '--profile',
    'reference',
    '--rule',
    'C.categories-named',
  ]);
  expect(code).toBe(0);
  expect(packages).toEqual([...PROFILES, 'undici'].sort());
  expect(files.filter((each) => each.startsWith('simulator/') && !each.endsWith('names.ts'))).toEqual([]);
});

test('a run against the simulator loads no fault, no oddity and no dialect but its own', async () => {
  const { code, packages, files } = await loadedBy(['run', '--rule', 'C.categories-named']);
  expect(code).toBe(0);
  for (const each of ['vitest', '@pollyjs/core', 'saxes', 'ajv']) expect(packages).not.toContain(each);
  expect(files).toContain('simulator/dialects/reference.ts');
  expect(
    files.filter((each) =>
      /^simulator\/(?:faults|oddities|gateway|replay|dialects\/(?:xml|tabular|from))\//.test(each),
    ),
  ).toEqual([]);
});

test('a run with --vitest without vitest installed sends nothing and says what to install', async () => {
  const { code, stderr } = await loadedBy(['run', '--vitest', 'verbose'], { HIDDEN_PACKAGE: 'vitest' });
  expect(code).toBe(2);
  expect(stderr).toBe(
    'mdwi run: --vitest needs the package vitest, version 5 or newer, which is not installed: npm install --save-dev vitest\n',
  );
});
