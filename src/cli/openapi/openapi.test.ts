/** Descriptions of the bundled dialects: valid, and the source of the profile that they describe. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import { OPERATIONS } from '../../contract/index.ts';
import { authKeyOf, schemesOfKey } from '../../profile/auth-schemes.ts';
import { loadProfile } from '../../profile/load.ts';
import { draftFromDescription } from '../../profile/openapi/draft.ts';
import { loadDescription } from '../../profile/openapi/load.ts';
import { writeDraft } from '../../profile/openapi/write-yaml.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import type { ProfileData } from '../../profile/schema.ts';
import { newFolder } from '../../resources.test.support.ts';
import { openapi } from '../openapi.ts';
import { draftFromOpenapi } from '../profile/from-openapi.ts';

const folder = newFolder(afterAll);

/** The credentials of each operation without their values. */
const authOf = (data: ProfileData) =>
  OPERATIONS.map(({ key }) =>
    data.authExcept?.includes(key)
      ? 'none'
      : schemesOfKey(data, authKeyOf(data, key)).map(({ scheme, ...rest }) => [
          scheme,
          'in' in rest && [rest.in, rest.name],
        ]),
  );

interface DescribedContent {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The examples of a body. */
const examplesIn = ({ example, examples = {} }: DescribedContent): readonly unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];
interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly description: string }[];
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Record<string, DescribedContent>; readonly headers?: Record<string, DescribedContent> }
    >
  >;
}

describe.each(DIALECT_NAMES)('the dialect %s', (dialect) => {
  const file = join(folder, `${dialect}.json`);
  let document: Record<string, unknown>;
  beforeAll(async () => {
    expect(await openapi(['--profile', dialect, '--out', file])).toBe(0);
    document = JSON.parse(readFileSync(file, 'utf8'));
  });

  test('has a valid description of all 41 operations', async () => {
    expect(await new Validator().validate(document)).toEqual({ valid: true });
    const operations = Object.values(document.paths as object).flatMap((item) => Object.values(item as object));
    expect(operations).toHaveLength(41);
  });

  test('can be read as documentation: summaries, sections, meanings and values', () => {
    const operations = Object.values(document.paths as Record<string, Record<string, DescribedOperation>>).flatMap(
      (item) => Object.values(item),
    );
    for (const { operationId, summary, description, parameters = [], responses } of operations) {
      expect(summary, operationId).toMatch(/^[A-Z].+[^.]$/);
      expect(description, operationId).toMatch(/\(section \d(\.\d)?\)/);
      for (const { name, description: meaning } of parameters) expect(meaning, `${operationId} ${name}`).toMatch(/./);
      expect(responses, operationId).toHaveProperty('default');
    }
    // Errors are shown as responses of their own, or inside a 2xx.
    const errors = operations
      .flatMap(({ responses }) => Object.entries(responses))
      .flatMap(([status, { content = {} }]) => Object.values(content).map((each) => ({ status, ...each })))
      .filter((each) => (each.status.startsWith('2') ? each.examples?.refusal : examplesIn(each).length > 0));
    expect(errors.length).toBeGreaterThan(20);
    const delta = operations.find(({ operationId }) => operationId === 'updateProducts');
    if (delta?.parameters && dialect !== 'hypermedia')
      expect(delta.parameters.map(({ description }) => description).join()).toMatch(/delta window.*; one of .*1/);
  });

  test('has a response example of each operation, which its schema accepts', () => {
    const operations = Object.values(document.paths as Record<string, Record<string, DescribedOperation>>)
      .flatMap((item) => Object.values(item))
      .map(({ operationId, responses }) => {
        const successes = Object.entries(responses).flatMap(([status, each]) => (status.startsWith('2') ? [each] : []));
        return {
          operationId,
          shown: successes.flatMap(({ content = {} }) => Object.values(content)),
          headers: successes.flatMap(({ headers = {} }) => Object.values(headers)),
        };
      });
    const withoutExample = operations.filter(
      ({ shown, headers }) => [...shown, ...headers].flatMap(examplesIn).length === 0,
    );
    expect(withoutExample.map(({ operationId }) => operationId).sort()).toEqual([]);
    const shown = operations.flatMap((each) => each.shown);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const rejected = shown.filter((each) =>
      examplesIn(each).some((example) => typeof example !== 'string' && !ajv.validate(each.schema, example)),
    );
    expect(rejected).toEqual([]);
    expect(shown.length).toBeGreaterThan(25);
  });

  test('is drafted from its description again, with all bindings', async () => {
    const draft = draftFromDescription(loadDescription(file));
    expect(draft.undecided).toEqual([]);
    const env = Object.fromEntries(draft.variables.map((name) => [name, 'value']));
    const { data } = parseProfile(writeDraft(draft, file), 'draft.yaml', env);
    const { data: original } = await loadProfile(dialect);
    const withoutAuth = ({ auth: _, authFor: __, authExcept: ___, ...rest }: ProfileData) => rest;
    expect(withoutAuth(data)).toEqual(withoutAuth(original));
    expect(authOf(data)).toEqual(authOf(original));
  });
});

test('a profile with credentials and body schemas is described without their values, and drafted again', async () => {
  const file = join(folder, 'product-reference.json');
  const source = join(import.meta.dirname, '../../../examples/product-reference.yaml');
  await openapi(['--profile', source, '--out', file]);
  const document = JSON.parse(readFileSync(file, 'utf8'));
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(document.components.schemas['product-list'].properties.items.items).toEqual({
    $ref: '#/components/schemas/product-list/$defs/product',
  });
  const out = join(folder, 'product-reference.yaml');
  await draftFromOpenapi([file, '--out', out]);
  const drafted = await loadProfile(out, {}, 'keep');
  const original = await loadProfile(source, {}, 'keep');
  const bindings = ({ operations }: ProfileData) =>
    Object.entries(operations ?? {}).map(([key, each]) => [
      key,
      { ...each?.response, schemas: Object.keys(each?.response?.schemas ?? {}) },
      each?.request,
    ]);
  expect(bindings(drafted.data)).toEqual(bindings(original.data));
  expect(drafted.data.implements).toEqual(original.data.implements);
});

test('credentials of one form for several groups stay apart, and their values are not written', async () => {
  const [source, file, out] = ['two.yaml', 'two.json', 'two-again.yaml'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const basic = (username: string) => `{ scheme: basic, username: ${username}, password: secret-of-${username} }`;
  writeFileSync(source, `name: two\nauth: ${basic('panel')}\nauthFor: { A: ${basic('desk')} }\n`);
  await openapi(['--profile', source, '--out', file]);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('secret-of');
  expect(JSON.parse(text).components.securitySchemes).toEqual({
    basic: { type: 'http', scheme: 'basic' },
    basic2: { type: 'http', scheme: 'basic' },
  });
  await draftFromOpenapi([file, '--out', out]);
  const { data } = await loadProfile(out, {}, 'keep');
  const groupsOf = (drafted: ProfileData) =>
    Map.groupBy(OPERATIONS, ({ key }) => JSON.stringify(schemesOfKey(drafted, authKeyOf(drafted, key))));
  const separated = [...groupsOf(data).values()].map((each) => new Set(each.map(({ group }) => group === 'A')).size);
  expect(separated).toEqual([1, 1]);
});

test('what the simulator cannot show is an error that names operations and reasons, and nothing is written', async () => {
  const [source, file] = ['lacking.yaml', 'lacking.json'].map((name) => join(folder, name)) as [string, string];
  const request = 'request: { query: { id: "{catalogueId}" } }, response: { rows: "$.list[*]", fields: { id: "@.x" } }';
  writeFileSync(
    source,
    `name: lacking
implements: ["GET /PLATFORMAPI/prodRef/v1/allCategories", "POST /data-access/v1/Catalogues"]
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories: { request: {}, response: { rows: "$..list[*]", fields: { category: "@.x" } } }
  POST /data-access/v1/Catalogues: { ${request} }
`,
  );
  const refused = expect(openapi(['--profile', source, '--out', file])).rejects;
  await refused.toThrow(/no successful response of 2 operations\n {2}POST .*Catalogues: the profile gives no example/);
  await refused.toThrow(/GET .*allCategories is not simulated and responds 501: response.rows: /);
  expect(existsSync(file)).toBe(false);
});

test.each([
  `oauth2, tokenUrl: "\${TOKEN_URL}", clientId: me, clientSecret: "\${SECRET}"`,
  `oauth2, tokenUrl: "https://\${HOST}/\${TENANT}/to ken", clientId: me, clientSecret: "\${SECRET}"`,
  `login, request: { url: "https://\${HOST}/in", json: { key: "\${SECRET}" } }, token: $.t, in: header, name: X-Session`,
  `mtls, cert: "\${CERT}", key: "\${KEY}"`,
])('the environment does not matter: %s', async (scheme) => {
  const source = join(folder, 'unset.yaml');
  const reference = readFileSync(join(import.meta.dirname, '../../profile/bundled/reference.yaml'), 'utf8');
  writeFileSync(
    source,
    reference.replace('name: reference', 'name: unset').replace('scheme: none', `scheme: ${scheme}`),
  );
  expect(await openapi(['--profile', source, '--out', join(folder, 'unset.json')])).toBe(0);
});

test('the ending of the file is its format', async () => {
  const file = join(folder, 'reference.yaml');
  await openapi(['--out', file]);
  expect(parseYaml(readFileSync(file, 'utf8'))).toEqual(
    JSON.parse(readFileSync(join(folder, 'reference.json'), 'utf8')),
  );
  await expect(openapi(['--out', 'openapi.txt'])).rejects.toThrow('is a .json, .yaml or .yml file');
  await expect(openapi(['--server', 'ftp://x'])).rejects.toThrow('is not an http(s) address');
});

test('no credential of an address is written', async () => {
  const [source, file] = [join(folder, 'token.yaml'), join(folder, 'token.json')];
  const reference = readFileSync('src/profile/bundled/reference.yaml', 'utf8');
  const tokenUrl = 'https://me:hush-hush@login.example/token?key=hush-hush';
  writeFileSync(
    source,
    reference.replace('scheme: none', `scheme: oauth2, tokenUrl: "${tokenUrl}", clientId: a, clientSecret: b`),
  );
  expect(await openapi(['--profile', source, '--out', file, '--server', 'https://api.example/v1/'])).toBe(0);
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('"https://login.example/token"');
  expect(written).toContain('"https://api.example/v1"');
  expect(written).not.toContain('hush');
  for (const server of ['https://me:hush-hush@api.example', 'https://api.example/?key=hush-hush'])
    await expect(openapi(['--server', server])).rejects.toThrow(/^(?!.*hush).* contains (?:credentials|a query)/);
});
