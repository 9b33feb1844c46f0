/** Completes bodies by a JSON Schema: what the profile does not bind gets the smallest value that the schema allows. */
import type { SchemaNode } from '../../../src/profile/body-schema/types.ts';
import { isPlainObject, type PlainObject } from '../../../src/profile/plain-object.ts';
import { mapRows } from '../../model/iterable.ts';
import { LazyRows } from './serialize.ts';
import { textOfPattern } from './text-of-pattern.ts';

/** A schema that contains itself is followed to this depth. */
const MAX_DEPTH = 40;

/** The body as a client decodes it. */
export function decodedBody(node: unknown): unknown {
  if (node instanceof LazyRows) return Array.from(node.rows, decodedBody);
  if (Array.isArray(node)) return node.map(decodedBody);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, decodedBody(each)]));
}

const isAccepted = (node: SchemaNode, value: unknown): boolean => node.accepts(decodedBody(value));
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The keywords by which a schema without a type shows it. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required'],
  array: ['items', 'minItems'],
  string: ['pattern', 'minLength', 'format'],
  number: ['minimum', 'maximum', 'multipleOf'],
};

/** The types that a schema allows; by its keywords if it names none. */
function typesOf(schema: PlainObject): string[] {
  const named = [schema.type].flat().filter((each) => typeof each === 'string');
  if (schema.nullable === true) named.push('null');
  if (named.length > 0) return named;
  return Object.keys(KEYWORDS)
    .filter((type) => KEYWORDS[type]?.some((each) => each in schema))
    .slice(0, 1);
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'mdwi@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const textsFor = ({ pattern, format, minLength = 0 }: PlainObject): string[] => [
  ...(typeof pattern === 'string' ? [textOfPattern(pattern)] : []),
  ...(typeof format === 'string' && TEXTS[format] !== undefined ? [TEXTS[format]] : []),
  'text'.padEnd(Number(minLength), 'x'),
  '',
  'x',
];

function numbersFor({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 }: PlainObject): number[] {
  const step = Number(multipleOf);
  const above = (bound: number) => Math.ceil(bound / step) * step;
  return [
    0,
    ...(typeof minimum === 'number' ? [above(minimum), minimum] : []),
    ...(typeof exclusiveMinimum === 'number' ? [above(exclusiveMinimum), above(exclusiveMinimum) + step] : []),
    ...[maximum, exclusiveMaximum].flatMap((bound) =>
      typeof bound === 'number' ? [Math.floor(bound / step) * step, bound - step] : [],
    ),
  ];
}

/** Other ways to write a value: a number as a text with decimals, a text of digits as a number. */
function otherForms(value: unknown): unknown[] {
  if (typeof value === 'number') return [String(value), ...[0, 1, 2, 3, 4].map((decimals) => value.toFixed(decimals))];
  if (typeof value !== 'string' || value.trim() === '' || Number.isNaN(Number(value))) return [];
  return [Number(value), ...[0, 1, 2, 3, 4].map((decimals) => Number(value).toFixed(decimals))];
}

/** The simplest values of a type, without the members that the schema requires; default: texts. */
const SIMPLEST: Readonly<Record<string, (schema: PlainObject) => unknown[]>> = {
  object: () => [{}],
  array: () => [[]],
  number: numbersFor,
  integer: numbersFor,
  boolean: () => [false, true],
  null: () => [null],
};

/** The given value, or the first of those that the schema names or allows. */
function valueFor(node: SchemaNode, schema: PlainObject, value: unknown): unknown {
  if ('const' in schema) return isSame(schema.const, value) ? value : schema.const;
  if (Array.isArray(schema.enum)) {
    const same =
      schema.enum.find((each) => isSame(each, value)) ?? schema.enum.find((each) => String(each) === String(value));
    return same === undefined ? schema.enum[0] : same;
  }
  const types = typesOf(schema);
  if (typeof value === 'object' && value !== null) return value;
  if (value === null && (types.length === 0 || types.includes('null'))) return value;
  const isAbsent = value === undefined || value === null;
  if (!isAbsent && isAccepted(node, value)) return value;
  const named = [schema.default, schema.example, ...[schema.examples ?? []].flat()].filter(
    (each) => each !== undefined,
  );
  const type = types.find((each) => each !== 'null') ?? types[0] ?? '';
  const simplest = (SIMPLEST[type] ?? textsFor)(schema);
  // The members of an object and the elements of a list are completed below.
  if (type === 'object' || type === 'array') return named.find((each) => isAccepted(node, each)) ?? simplest[0];
  const candidates = [...(isAbsent ? [] : otherForms(value)), ...named, ...simplest];
  return candidates.find((each) => isAccepted(node, each)) ?? candidates[0];
}

function withMembers(node: SchemaNode, schema: PlainObject, value: PlainObject, depth: number): PlainObject {
  const properties = isPlainObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const result: Record<string, unknown> = { ...value };
  const schemaOf = (name: string): SchemaNode | undefined => {
    if (Object.hasOwn(properties, name)) return node.below('properties', name);
    return isPlainObject(schema.additionalProperties) ? node.below('additionalProperties') : undefined;
  };
  for (const name of new Set([...Object.keys(value), ...required])) {
    const member = schemaOf(name);
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined && !required.includes(name)) continue;
    result[name] = member ? complete(member, given, depth + 1) : given === undefined ? 'text' : given;
  }
  return result;
}

function withElements(
  node: SchemaNode,
  schema: PlainObject,
  value: readonly unknown[] | LazyRows,
  depth: number,
): unknown {
  const { items, minItems = 0, maxItems } = schema;
  const each = (element: unknown): unknown =>
    items === undefined || typeof items === 'boolean' ? element : complete(node.below('items'), element, depth + 1);
  if (value instanceof LazyRows) return new LazyRows(mapRows(value.rows, each));
  const kept = typeof maxItems === 'number' ? value.slice(0, maxItems) : value;
  const missing = Array.from({ length: Math.max(0, Number(minItems) - kept.length) }, () => undefined);
  return [...kept, ...missing].map((element) => each(element) ?? 'text');
}

/** Whether every value that was given is in the result, perhaps in another form. */
const keeps = (given: PlainObject, result: unknown): boolean =>
  isPlainObject(result) &&
  Object.entries(given).every(
    ([name, value]) =>
      typeof value === 'object' || [value, ...otherForms(value)].some((form) => isSame(form, result[name])),
  );

const CONDITIONAL = ['if', 'allOf', 'anyOf', 'oneOf'];

/** Completes a value. Where a condition on a generated member would replace a given one, another member is generated. */
function complete(node: SchemaNode, given: unknown, depth: number): unknown {
  const result = completeOnce(node, given, depth);
  const { schema } = node;
  if (!isPlainObject(schema) || !isPlainObject(given) || !isPlainObject(result) || keeps(given, result)) return result;
  if (!CONDITIONAL.some((keyword) => keyword in schema) || depth > MAX_DEPTH) return result;
  for (const [name, member] of Object.entries(isPlainObject(schema.properties) ? schema.properties : {})) {
    if (Object.hasOwn(given, name) || !isPlainObject(member) || !Array.isArray(member.enum)) continue;
    for (const value of member.enum) {
      const other = completeOnce(node, { ...given, [name]: value }, depth);
      if (keeps(given, other) && isAccepted(node, other)) return other;
    }
  }
  return result;
}

function completeOnce(node: SchemaNode, given: unknown, depth: number): unknown {
  const { schema } = node;
  if (!isPlainObject(schema) || depth > MAX_DEPTH) return given ?? (depth > 0 ? 'text' : given);
  const target = node.referenced();
  let value = target ? complete(target, given, depth + 1) : given;
  for (const index of Array.isArray(schema.allOf) ? schema.allOf.keys() : [])
    value = complete(node.below('allOf', String(index)), value, depth + 1);
  for (const keyword of ['oneOf', 'anyOf']) {
    const choices = Array.isArray(schema[keyword])
      ? schema[keyword].map((_, index) => node.below(keyword, String(index)))
      : [];
    if (choices.length === 0 || choices.some((choice) => isAccepted(choice, value))) continue;
    const completed = choices.map((choice) => ({ choice, result: complete(choice, value, depth + 1) }));
    value = (completed.find(({ choice, result }) => isAccepted(choice, result)) ?? completed[0])?.result;
  }
  const isOnlyComposed =
    value !== undefined && typesOf(schema).length === 0 && !('const' in schema) && !('enum' in schema);
  if (!isOnlyComposed) value = valueFor(node, schema, value);
  if (isPlainObject(value) && !(value instanceof LazyRows)) value = withMembers(node, schema, value, depth);
  else if (Array.isArray(value) || value instanceof LazyRows) value = withElements(node, schema, value, depth);
  if ('if' in schema) {
    const branch = isAccepted(node.below('if'), value) ? 'then' : 'else';
    if (branch in schema) value = complete(node.below(branch), value, depth + 1);
  }
  return value;
}

/**
 * Adds what a schema requires to a body, and changes a value only if the schema forbids it. What the schema does not state
 * stays as it is; the result may still breach a keyword such as `uniqueItems`, which the caller checks.
 *
 * @param body undefined: the smallest body is generated
 * @example completeBody(schema, { code: 'E-1' }) // { code: 'E-1', '@type': 'Fault' }
 */
export const completeBody = (schema: SchemaNode, body: unknown): unknown => complete(schema, body, 0);

/** A body, completed by the JSON Schema that a profile states for it, if there is one. */
export const completed = (
  stated: { readonly schema: { readonly json?: SchemaNode } } | undefined,
  body: unknown,
): unknown => (stated?.schema.json ? completeBody(stated.schema.json, body) : body);
