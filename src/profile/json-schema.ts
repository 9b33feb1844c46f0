/** The profile's JSON Schema, for editors: `# yaml-language-server: $schema=…/profile.schema.json`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { bundledPath } from './bundled.ts';
import { isPlainObject } from './plain-object.ts';
import { profileSchema } from './schema.ts';

/** The part of JSON Schema that zod writes. */
export interface JsonSchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchemaNode | boolean;
  readonly propertyNames?: JsonSchemaNode;
  readonly items?: JsonSchemaNode;
  readonly anyOf?: readonly JsonSchemaNode[];
  readonly oneOf?: readonly JsonSchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  examples?: readonly unknown[];
}

const valuesOf = (file: string): unknown => parse(readFileSync(file, 'utf8'), { merge: true });

/** The schema of a profile file, with an example for each key; selector functions exist in TypeScript only. */
export function profileJsonSchema(): JsonSchemaNode {
  const schema = z.toJSONSchema(profileSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchemaNode;
  const bundled = readdirSync(bundledPath()).filter((file) => file.endsWith('.yaml'));
  const examples = [...placesIn(schema, '', [valuesOf(join(import.meta.dirname, 'schema/examples.yaml'))])];
  const places = [
    ...examples,
    ...placesIn(
      schema,
      '',
      bundled.map((file) => valuesOf(bundledPath(file))),
    ),
  ];
  // A key that occurs in several places, such as that of a scheme, has the same example in all of them.
  const byKey = Map.groupBy(places, ({ id }) => id);
  for (const { node, id } of examples) {
    const example = (byKey.get(id) ?? [])
      .map(({ values }) => shortestOf(node, values))
      .find((each) => each !== undefined);
    if (node.description !== undefined && example !== undefined) node.examples = [example];
  }
  return { title: 'mdwi profile', ...schema } as JsonSchemaNode;
}

/** The shortest value. Of a map, one entry is a value, too. */
function shortestOf({ additionalProperties, properties }: JsonSchemaNode, values: readonly unknown[]): unknown {
  const isMap = typeof additionalProperties === 'object' && !properties;
  const entries = values.filter(isPlainObject).flatMap((each) => Object.entries(each));
  const all = isMap ? [...values, ...entries.map((entry) => Object.fromEntries([entry]))] : values;
  return all
    .map((value) => ({ value, length: JSON.stringify(value).length }))
    .sort((x, y) => x.length - y.length)
    .find(({ value }) => Object.keys(Object(value)).length > 0 || typeof value !== 'object')?.value;
}

/** Whether a value may be meant by one of several schemas. */
function isMeant(value: unknown, { type, properties, required = [], items }: JsonSchemaNode): boolean {
  if (items) return Array.isArray(value);
  if (type === 'object' || properties) {
    if (!isPlainObject(value) || !required.every((name) => name in value)) return false;
    return Object.entries(properties ?? {}).every(
      ([name, each]) => each.const === undefined || !(name in value) || value[name] === each.const,
    );
  }
  const types = [type].flat();
  return types.some(
    (each) => each === undefined || each === typeof value || (each === 'integer' && Number.isInteger(value)),
  );
}

interface SchemaPlace {
  readonly node: JsonSchemaNode;
  /** Equal for equal keys. */
  readonly id: string;
  readonly values: readonly unknown[];
}

/** Every schema below a node, with the values that profiles have there. */
function* placesIn(node: JsonSchemaNode, name: string, values: readonly unknown[]): Generator<SchemaPlace> {
  yield { node, id: `${name} ${JSON.stringify(node)}`, values };
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = node;
  const members = values.filter(isPlainObject).flatMap((each) => Object.entries(each));
  const at = (isHere: (key: string) => boolean) => members.flatMap(([key, value]) => (isHere(key) ? [value] : []));
  for (const [key, each] of Object.entries(properties))
    yield* placesIn(
      each,
      key,
      at((other) => other === key),
    );
  if (typeof additionalProperties === 'object')
    yield* placesIn(
      additionalProperties,
      name,
      at((other) => !(other in properties)),
    );
  if (items)
    yield* placesIn(
      items,
      name,
      values.flatMap((each) => (Array.isArray(each) ? each : [])),
    );
  for (const each of [...anyOf, ...oneOf])
    yield* placesIn(
      each,
      name,
      values.filter((value) => isMeant(value, each)),
    );
}
