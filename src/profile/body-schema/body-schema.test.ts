import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../resources.test.support.ts';
import { loadProfile } from '../load.ts';
import { ProfileError } from '../profile-error.ts';
import type { BodySchema, SchemaBreach } from './types.ts';

const root = newFolder(afterAll);
let made = 0;

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

/** A folder with these files, and the path of the profile in it. */
function folderWith(files: { readonly [name: string]: string | object }): string {
  const folder = join(root, `f${++made} ü`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** The schema for 200 of the bulk list, from a YAML profile in the folder of these files. */
async function compiled(
  stated: string | object,
  files: { readonly [name: string]: string | object } = {},
  { rows = '$.items[*]', media = '' } = {},
): Promise<BodySchema> {
  const profile = `name: t
operations:
  ${BULK}:
    response:
      rows: ${rows}
      ${media}
      schemas:
        200: ${JSON.stringify(stated)}
`;
  const folder = folderWith({ 'p.yaml': profile, ...files });
  return (await loadProfile(join(folder, 'p.yaml'))).bodySchemas?.get(BULK)?.get('200') as BodySchema;
}

async function refusal(...args: Parameters<typeof compiled>): Promise<string> {
  const error = await compiled(...args).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProfileError);
  const { message } = error as Error;
  expect(message).not.toContain('\n');
  return message.slice(message.indexOf('p.yaml'));
}

const breaches = (schema: BodySchema, value: unknown): readonly SchemaBreach[] =>
  schema.check(value) as readonly SchemaBreach[];

describe('a JSON Schema', () => {
  test('inline, 2020-12 unless $schema is draft-07', async () => {
    const modern = await compiled({ type: 'array', prefixItems: [{ type: 'string' }], items: false });
    expect(breaches(modern, ['a'])).toEqual([]);
    expect(breaches(modern, ['a', 'b'])).toMatchObject([{ keyword: 'items' }]);
    const seven = await compiled({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      items: [{ type: 'string' }],
      additionalItems: false,
    });
    expect(breaches(seven, ['a', 'b'])).toMatchObject([{ keyword: 'additionalItems' }]);
  });

  test('in a JSON or YAML file, with references between files, each relative to its own', async () => {
    const files = {
      'schemas/list.json': {
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: 'parts/row.yaml' } } },
      },
      'schemas/parts/row.yaml': 'type: object\nproperties:\n  price: { $ref: "../../money.json#/$defs/us d~1" }\n',
      'money.json': { $defs: { 'us d/': { type: 'number', minimum: 0 } } },
    };
    const list = await compiled('schemas/list.json', files);
    expect(list.name).toBe('schemas/list.json');
    expect(breaches(list, { items: [{ price: 1 }] })).toEqual([]);
    expect(breaches(list, { items: [{ price: -1 }] })).toEqual([
      {
        path: ['items', '0', 'price'],
        keyword: 'minimum',
        demand: 'items/*/price/minimum',
        expected: 'must be at least 0',
      },
    ]);
  });

  test('with an id resolves its files relative to it, like their ids to its own', async () => {
    const base = 'https://example.com/schemas';
    const withIds = {
      'a.json': { $id: `${base}/a.json`, $ref: 'b.json' },
      'b.json': { $id: `${base}/b.json`, $ref: `${base}/c/c.json#/$defs/x` },
      'c/c.json': { $defs: { x: { type: 'integer' } } },
    };
    const schema = await compiled('a.json', withIds);
    expect(breaches(schema, 1)).toEqual([]);
    expect(breaches(schema, 'a')).toMatchObject([{ keyword: 'type', expected: 'must be a whole number' }]);
  });

  test('may be a part of a description', async () => {
    const api = {
      openapi: '3.1.0',
      paths: {},
      components: {
        schemas: {
          List: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
          Row: { type: 'object', example: {} },
        },
      },
    };
    const schema = await compiled('api.json#/components/schemas/List', { 'api.json': api });
    expect(breaches(schema, [{}])).toEqual([]);
    expect(breaches(schema, [1])).toMatchObject([{ path: ['0'], keyword: 'type' }]);
  });

  test('of several operations are in one file; those that an operation states itself go before', async () => {
    const profileWith = (operations: object) =>
      loadProfile(
        join(
          folderWith({
            'p.yaml': `name: t\nschemas: all.json\noperations:\n  ${BULK}: { response: { schemas: { 404: { type: array } } } }\n`,
            'all.json': { operations, $defs: { List: { type: 'object' } } },
          }),
          'p.yaml',
        ),
      );
    const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
    const stated = { 200: '#/$defs/List', 404: '#/$defs/List' };
    const { bodySchemas } = await profileWith({ [BULK]: stated, [LOOK_UP]: { '2XX': { type: 'array' } } });
    expect(bodySchemas?.get(BULK)?.get('200')?.check([])).toHaveLength(1);
    expect(bodySchemas?.get(BULK)?.get('404')?.check([])).toEqual([]);
    expect(bodySchemas?.get(LOOK_UP)?.get('2XX')?.check({})).toHaveLength(1);
    await expect(profileWith({ 'GET /nowhere': stated })).rejects.toThrow(
      /p\.yaml:2: schemas: all\.json.*: operations.* must be schemas by status, at an operation/,
    );
  });

  test('may use unknown keywords and formats, patterns without the flag u, and cents', async () => {
    const schema = await compiled({
      type: 'object',
      'x-owner': 'me',
      properties: {
        code: { type: 'string', pattern: '^[A\\-Z\\_]+$', format: 'our-own' },
        sum: { type: 'number', multipleOf: 0.01 },
        day: { type: 'string', format: 'date' },
      },
    });
    expect(breaches(schema, { code: 'A_', sum: 123456789012.34, day: '2026-11-14' })).toEqual([]);
    expect(breaches(schema, { sum: 19.991 })).toMatchObject([{ keyword: 'multipleOf' }]);
    expect(breaches(schema, { day: '14.11.2026' })).toMatchObject([{ keyword: 'format' }]);
  });

  test('names the branch that got furthest, and what would be allowed', async () => {
    const either = await compiled({
      anyOf: [{ type: 'null' }, { type: 'object', properties: { state: { enum: ['done', 'running'] } } }],
    });
    expect(breaches(either, { state: 'lost' })).toEqual([
      { path: ['state'], keyword: 'enum', demand: 'state/enum', expected: 'must be one of "done", "running"' },
    ]);
  });
});

describe('what cannot be used is one sentence with its place', () => {
  const KEY = String.raw`operations\["GET .*"\]\.response\.schemas`;
  test.each<[string, Parameters<typeof compiled>, string]>([
    ['a missing file', ['no.json'], `^p.yaml:8: ${KEY}\\.200: no\\.json: there is no such file`],
    [
      'a keyword misused',
      [{ type: 'strng' }],
      `^p.yaml:8: ${KEY}\\.200\\.type: type is not valid JSON Schema: it must be one of "array", "boolean", .*, or must be a list`,
    ],
    [
      'one in a file',
      ['s.json', { 's.json': { properties: { a: { minimum: 'x' } } } }],
      `^p.yaml:8: ${KEY}\\.200: s\\.json:4: properties/a/minimum is not valid JSON Schema: it must be a number`,
    ],
    ['a broken file', ['s.json', { 's.json': '{\n"a": [' }], `200: s\\.json:\\d: `],
    ['a bad pattern', [{ pattern: '(' }], `\\.pattern: pattern is not a regular expression: Invalid`],
    [
      'a reference to no file',
      ['s.json', { 's.json': { properties: { a: { $ref: 'b.json' } } } }],
      `s\\.json:4: properties/a/\\$ref “b\\.json” does not refer to an existing file \\(resolved to b\\.json\\)`,
    ],
    [
      'a reference over the network',
      [{ $ref: 'https://example.com/x.json' }],
      `“https://example\\.com/x\\.json” does not refer to an existing file; only references to files are resolved, never over the network`,
    ],
    ['a reference into nothing', [{ items: { $ref: '#/$defs/no' } }], `“#/\\$defs/no” has no target in its file`],
    ['a part that is not there', ['s.json#/a/b', { 's.json': {} }], `s\\.json: has no member at #/a/b`],
    [
      'an unknown draft',
      [{ $schema: 'http://json-schema.org/draft-04/schema#' }],
      `“http://json-schema\\.org/draft-04/schema#” is not supported: use 2020-12 \\(the default\\) or draft-07`,
    ],
    [
      'two drafts',
      [
        's.json',
        {
          's.json': { $schema: 'http://json-schema.org/draft-07/schema#', items: { $ref: 't.json' } },
          't.json': { $schema: 'https://json-schema.org/draft/2020-12/schema' },
        },
      ],
      `t\\.json:2: \\$schema is 2020-12, while the schema that refers to it is draft-07`,
    ],
    ['a list', ['s.json', { 's.json': [] }], `s\\.json: is not a schema: a schema is an object`],
    [
      'a body that is no JSON',
      [{}, {}, { media: 'media: csv' }],
      `a schema applies to JSON and NDJSON bodies, but response\\.media is csv`,
    ],
  ])('%s', async (_, given, says) => {
    expect(await refusal(...given)).toMatch(new RegExp(says));
  });

  test('a status that is none', async () => {
    const folder = folderWith({
      'p.yaml': `name: t\noperations: { "${BULK}": { response: { schemas: { ok: {} } } } }`,
    });
    await expect(loadProfile(join(folder, 'p.yaml'))).rejects.toThrow(
      /a key must be written as 200, 2XX, default or refusal/,
    );
  });
});

describe('a list is checked row by row', () => {
  const row = { type: 'object', required: ['upc'] };
  const list = (more: object = {}, above: object = {}) => ({
    type: 'object',
    properties: { items: { type: 'array', items: row, ...more } },
    ...above,
  });

  test.each<[string, object, { rows?: string }?]>([
    ['at the path of the rows', list()],
    ['next to other members', list({}, { required: ['items', 'asOf'], additionalProperties: false, minProperties: 1 })],
    ['with so many at least', list({ minItems: 2 })],
    [
      'through references',
      { $ref: '#/$defs/l', $defs: { l: { properties: { items: { $ref: '#/$defs/r' } } }, r: { items: row } } },
    ],
    ['of the whole body', { type: 'array', items: row }, { rows: '$[*]' }],
    ['named without [*]', list(), { rows: '$.items' }],
  ])('%s', async (_, stated, options) => {
    const { rows } = await compiled(stated, {}, options);
    expect(rows?.check({ upc: 1 })).toEqual([]);
    expect(rows?.check({})).toMatchObject([{ keyword: 'required' }]);
  });

  test.each<[string, object]>([
    ['elements are compared', list({ uniqueItems: true })],
    ['one of them is sought', list({ contains: { type: 'object' } })],
    ['another keyword may constrain them', list({}, { allOf: [{ properties: { items: { maxItems: 3 } } }] })],
    ['names are matched', list({}, { patternProperties: { '^i': { minItems: 1 } } })],
    ['too many must be kept', list({ minItems: 5000 })],
    ['the schema is silent on them', { type: 'object' }],
    ['an id moves the base', list({ $id: 'https://example.com/x' })],
    ['a reference has company', { $ref: '#/$defs/l', minProperties: 1, $defs: { l: list() } }],
  ])('but not where %s', async (_, stated) => {
    expect((await compiled(stated)).rows).toBeUndefined();
  });
});

describe('a Standard Schema', () => {
  test('in a TypeScript profile is not changed when the data is parsed', async () => {
    const folder = folderWith({
      'p.mts': `const seen = { issues: [{ message: 'no', path: ['a', { key: 0 }], code: 'mine' }] };
export default { name: 't', operations: { '${BULK}': { response: { schemas: { 200: {
  kind: 'plain', note: '$' + '{NOT_SET}', '~standard': { version: 1, vendor: 'ours', validate: async (v) => v === 1 ? { value: v } : seen },
} } } } } };`,
    });
    const schema = (await loadProfile(join(folder, 'p.mts'))).bodySchemas?.get(BULK)?.get('200') as BodySchema;
    expect(schema.name).toBe('the ours schema');
    expect(await schema.check(1)).toEqual([]);
    expect(await schema.check(2)).toEqual([{ path: ['a', 0], keyword: 'mine', demand: 'a/*/mine', expected: 'no' }]);
  });
});
