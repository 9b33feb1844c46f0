/** `mdwi profile check --fix` on profiles that were written for earlier releases. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startSimulatorServer } from '../../commands/start-simulator.ts';
import { differingKeys } from '../../learn/write/merge.ts';
import { newFolder } from '../../resources.test.support.ts';
import { perform } from '../perform.test.support.ts';

const root = join(import.meta.dirname, '../../..');
const of010 = (name: string): string => join(root, `suites/__fixtures__/releases/0.1.0/${name}/profile.yaml`);
const of020 = (name: string): string => join(root, `bench/strangers/${name}/profile.yaml`);

const commentsOf = (text: string): string[] => text.match(/(?<=(^|\s)# ).*$/gm) ?? [];

test.each([
  ['0.1.0', of010('kestrel')],
  ['0.1.0', of010('meridian')],
  ['0.2.0', of020('ferrum')],
])('a profile of %s keeps what it states, and the verdict of its service', async (_, profile) => {
  const folder = newFolder();
  const file = join(folder, 'acme.yaml');
  copyFileSync(profile, file);
  const simulator = await startSimulatorServer({ profile, products: 60 });
  onTestFinished(() => simulator.close());
  const target = ['--base-url', simulator.url];
  const { code, stdout, stderr } = await perform(['profile', 'check', 'acme.yaml', ...target, '--fix'], folder);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/acme\.yaml written; next:/);
  const [before, after] = [readFileSync(profile, 'utf8'), readFileSync(file, 'utf8')];
  expect(differingKeys(parse(before), parse(after))).toEqual([]);
  expect(commentsOf(before).filter((each) => !after.includes(each))).toEqual([]);
  const run = (name: string) => perform(['run', ...target, '--profile', name, '--summary'], folder);
  const [asBefore, fixed] = [await run(profile), await run('acme.yaml')];
  expect([fixed.code, fixed.stdout.split(' ')[1]]).toEqual([asBefore.code, asBefore.stdout.split(' ')[1]]);
  expect(fixed.code).not.toBe(1);
});

test('what a profile lacks is added to it', async () => {
  const folder = newFolder();
  const key = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
  writeFileSync(
    join(folder, 'acme.yaml'),
    `# Ours.\nname: acme\noperations:\n  ${key}:\n    response: { fields: { brand: "@.category" } } # as agreed\n`,
  );
  const simulator = await startSimulatorServer({ products: 40 });
  onTestFinished(() => simulator.close());
  const flags = ['profile', 'check', 'acme.yaml', '--base-url', simulator.url, '--fix', '--max-requests', '20'];
  const { stdout } = await perform(flags, folder);
  expect(stdout).toMatch(
    /probably wrong, and kept: .*brand: "@\.category" does not fit .*; the responses show "@\.brand"/,
  );
  const text = readFileSync(join(folder, 'acme.yaml'), 'utf8');
  expect(text).toContain('# Ours.');
  expect(text).toContain('# as agreed');
  expect(parse(text).operations[key]).toMatchObject({
    request: {},
    response: { rows: '$.products[*]', fields: { brand: '@.category', upc: '@.upc' } },
  });
});

test.each([
  [['acme.yaml', '--simulator', '--fix'], '--fix needs the file of a profile and --base-url URL'],
  [['acme.yaml', '--fix'], '--fix needs the file of a profile and --base-url URL'],
  [['none.yaml', '--base-url', 'http://127.0.0.1:9', '--fix'], 'none.yaml'],
])('%j is refused', async (args, says) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'acme.yaml'), 'name: acme\n');
  const { code, stderr } = await perform(['profile', 'check', ...args], folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
});
