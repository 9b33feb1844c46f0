import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { type JsonSchemaNode, profileJsonSchema } from './json-schema.ts';
import { parseProfile } from './parse-profile.ts';

/** Every key with a statement, and its schema. */
function* keysOf(node: JsonSchemaNode, path = ''): Generator<[string, JsonSchemaNode]> {
  if (node.description !== undefined) yield [path, node];
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = node;
  for (const [name, each] of Object.entries(properties)) yield* keysOf(each, `${path}.${name}`);
  if (typeof additionalProperties === 'object') yield* keysOf(additionalProperties, `${path}.*`);
  for (const each of [...(items ? [items] : []), ...anyOf, ...oneOf]) yield* keysOf(each, path);
}

test('the schema of profiles has a valid example for each key', () => {
  const schema = profileJsonSchema();
  const ajv = new Ajv2020({ strict: false });
  const keys = [...keysOf(schema)];
  expect(keys.length).toBeGreaterThan(400);
  const { $defs } = schema as { $defs?: object };
  for (const [path, node] of keys) {
    const examples = node.examples ?? (node.default === undefined ? node.enum : [node.default]) ?? [];
    expect(examples, path).not.toEqual([]);
    for (const example of examples) expect([path, example, ajv.validate({ ...node, $defs }, example)]).toContain(true);
  }
});

test('the examples are a profile', () => {
  const file = join(import.meta.dirname, 'schema/examples.yaml');
  expect(parseProfile(readFileSync(file, 'utf8'), file, {}, 'keep').data.name).toBe('examples');
});
