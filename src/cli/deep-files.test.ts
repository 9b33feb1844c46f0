/** Files and responses nested without end: each command refuses them in a sentence of its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../simulator/gateway/servers.test.support.ts';
import { createLiveSource } from '../client/live-source.ts';
import { ProfileError } from '../profile/profile-error.ts';
import { newFolder } from '../resources.test.support.ts';
import { UsageError } from '../usage-error.ts';
import { compare } from './compare.ts';
import { githubIssues } from './github-issues.ts';
import { history } from './history.ts';
import { profile } from './profile.ts';
import { run } from './run.ts';
import { waive } from './waive.ts';

const folder = newFolder(afterAll);

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const at = (name: string): string => join(folder, name);
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const operation = (part: string): string => `name: acme\noperations:\n  ${BULK}: { ${part} }\n`;

const JSON_WITH = (member: string) => (text: string, nested: string) => `{"${member}":${nested},${text.slice(1)}`;

beforeAll(async () => {
  expect(await run(['--simulator', '--rule', 'C.upc-12-digits', '--quiet', '--report', `json=${at('run.json')}`])).toBe(
    0,
  );
});

/** Calls that read a file which the text of the file without end is written to. */
const DOORS: readonly (readonly [
  file: string,
  text: (nested: string) => string,
  read: (file: string) => Promise<unknown>,
])[] = [
  ['a.yaml', (nested) => nested, (file) => profile(['check', file])],
  ['block.yaml', () => `${'- '.repeat(50_000)}1`, (file) => profile(['check', file])],
  ['b.yaml', (nested) => operation(`request: { json: ${nested} }`), (file) => profile(['check', file])],
  ['c.json', (nested) => `{"name":"acme","examples":{"upc":${nested}}}`, (file) => profile(['check', file])],
  [
    'd.mjs',
    (nested) => `export default { name: 'acme', description: JSON.parse(${JSON.stringify(nested)}) };`,
    (file) => profile(['check', file]),
  ],
  [
    'schema.json',
    (nested) => `{"$schema":"https://json-schema.org/draft/2020-12/schema","default":${nested}}`,
    async (file) => {
      writeFileSync(
        at('with-schema.yaml'),
        operation(`request: {}, response: { schemas: { 200: ${JSON.stringify(file)} } }`),
      );
      return profile(['check', at('with-schema.yaml')]);
    },
  ],
  [
    'sample.json',
    (nested) => nested,
    async (file) => {
      writeFileSync(at('with-sample.yaml'), operation(`request: {}, response: { sample: ${JSON.stringify(file)} }`));
      return profile(['check', at('with-sample.yaml')]);
    },
  ],
  [
    'api.yaml',
    (nested) => `openapi: 3.1.0\npaths: { /x: ${nested} }`,
    (file) => profile(['from-openapi', file, '--out', at('new.yaml')]),
  ],
  [
    'api.json',
    (nested) => `{"openapi":"3.1.0","paths":{"/x":${nested}}}`,
    (file) => profile(['from-openapi', file, '--out', at('new.yaml')]),
  ],
  ['waivers.yaml', (nested) => `waivers: ${nested}`, (file) => run(['--simulator', '--waivers', file])],
  [
    'written.yaml',
    (nested) => `waivers: ${nested}`,
    (file) => waive(['--from', at('run.json'), '--reason', 'x', '--expires', '2999-01-01', '--waivers', file]),
  ],
  ['config.yaml', (nested) => `targets: ${nested}`, (file) => run(['--config', file])],
  [
    'deep-run.json',
    (nested) => JSON_WITH('later')(readFileSync(at('run.json'), 'utf8'), nested),
    (file) => compare([at('run.json'), file]),
  ],
  [
    'stored.json',
    (nested) => JSON_WITH('later')(readFileSync(at('run.json'), 'utf8'), nested),
    (file) => history([at('past'), file]),
  ],
  ['issues.json', (nested) => nested, (file) => githubIssues([file])],
];

test.each(DOORS)('%s is refused, however it is nested', async (name, text, read) => {
  for (const nested of [lists(300), objects(5_000), lists(50_000)]) {
    writeFileSync(at(name), text(nested));
    const refusal = await read(at(name)).catch((error: unknown) => error);
    expect([UsageError, ProfileError].some((each) => refusal instanceof each)).toBe(true);
    expect((refusal as Error).message).not.toMatch(/call stack|^\s+at /m);
    expect((refusal as Error).message).toContain(name);
  }
});

test('a history skips a file without end', async () => {
  mkdirSync(at('old'));
  writeFileSync(at('old/2026-11-20T00-00-00-000Z-x.json'), lists(50_000));
  expect(await history([at('old'), at('run.json')])).toBe(0);
});

test('a login response without end has no token', async () => {
  const base = await serve((_, response) => response.end(objects(50_000)));
  const login = {
    scheme: 'login',
    request: { method: 'POST', url: '/in' },
    token: '$..token',
    in: 'header',
    name: 'X-S',
    value: '{token}',
  } as const;
  const source = createLiveSource({ base, auth: [login] });
  onTestFinished(() => source.close());
  const { failure } = await source.send({ method: 'GET', url: `${base}/x`, headers: [] });
  expect(failure?.message).toContain('no token in the response (200)');
});
