/**
 * Converts the schemas of described responses to JSON Schema 2020-12, for `response.schemas`. Only what a description clearly
 * states is included: `format` is an annotation, branches of `oneOf` may overlap by accident, and an object that is closed
 * within `allOf` rejects its own siblings.
 */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { isPlainObject, listMember, memberOf, numberAt, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';
import type { DescribedOperation } from './operations.ts';

export interface ResponseSchemas {
  /** Schemas by name; they refer to each other as `#/$defs/NAME`. */
  readonly defs: Readonly<Record<string, unknown>>;
  /** The name of the schema of the JSON body, by operation and status. */
  readonly stated: ReadonlyMap<OperationKey, Readonly<Record<string, string>>>;
}

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
/** Keywords with numbers, and the numbers they accept. */
const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;
const NUMBERS: Readonly<Record<string, (value: number) => boolean>> = {
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  multipleOf: (value) => value > 0,
  minProperties: isCount,
  maxProperties: isCount,
};
const NESTED = ['items', 'contains', 'propertyNames'];
/** Statuses that a gateway or a proxy often sends itself, with a body of its own format. */
const PROXY_STATUSES = /^(401|403|407|408|413|414|421|429|431|5\d\d|[1-5]XX|default)$/i;

/**
 * Returns the schemas of every successful JSON response, and of errors that the service itself sends.
 */
export function draftSchemas(description: Description, found: readonly DescribedOperation[]): ResponseSchemas {
  const defs: Record<string, unknown> = Object.create(null);
  const names = new Map<string, string>();

  /** A name that no other schema has. */
  function ownName(plain: string): string {
    let name = plain;
    while (Object.hasOwn(defs, name)) name += '_';
    return name;
  }

  /** The name of a referenced schema; each is converted once, so that cycles end. */
  function nameOf(reference: string, open: boolean): string {
    const id = `${reference}${open ? ' open' : ''}`;
    const existing = names.get(id);
    if (existing !== undefined) return existing;
    const plain = (reference.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_') || 'schema';
    const name = ownName(open ? `${plain}.open` : plain);
    names.set(id, name);
    defs[name] = {};
    defs[name] = convert(deref(description, { $ref: reference }).node, open);
    return name;
  }

  function convert(schema: unknown, open: boolean): unknown {
    if (!isPlainObject(schema)) return schema === false ? false : {};
    const reference = textAt(schema, '$ref');
    if (reference !== undefined) {
      const { $ref: _, ...siblings } = schema;
      const target = { $ref: `#/$defs/${nameOf(reference, open || Object.keys(siblings).length > 0)}` };
      return Object.keys(siblings).length > 0 ? { allOf: [target, convert(siblings, true)] } : target;
    }
    const all = listMember(schema, 'allOf');
    const any = ['anyOf', 'oneOf'].map((each) => listMember(schema, each)).filter((each) => each.length > 0);
    const composed = all.length + any.length > 0;
    const result: Record<string, unknown> = {};
    const types = [memberOf(schema, 'type')].flat().filter((each) => typeof each === 'string' && TYPES.includes(each));
    if (types.length > 0) result.type = types.length === 1 ? types[0] : types;
    for (const [name, takes] of Object.entries(NUMBERS)) {
      const number = numberAt(schema, name);
      if (number !== undefined && takes(number)) result[name] = number;
    }
    if (listMember(schema, 'enum').length > 0) result.enum = schema.enum;
    if (memberOf(schema, 'uniqueItems') === true) result.uniqueItems = true;
    if (memberOf(schema, 'const') !== undefined) result.const = schema.const;
    const pattern = textAt(schema, 'pattern');
    if (pattern !== undefined && isPattern(pattern)) result.pattern = pattern;
    for (const [edge, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      const limit = memberOf(schema, exclusive);
      if (typeof limit === 'number') result[exclusive] = limit;
      else if (limit === true && numberAt(schema, edge) !== undefined) {
        result[exclusive] = schema[edge];
        delete result[edge];
      }
    }
    for (const name of NESTED) if (isPlainObject(schema[name])) result[name] = convert(schema[name], false);
    const properties = objectAt(schema, 'properties');
    if (Object.keys(properties).length > 0)
      result.properties = Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, convert(each, false)]),
      );
    const required = listMember(schema, 'required').filter(
      (name) => typeof name === 'string' && memberOf(properties[name], 'writeOnly') !== true,
    );
    if (required.length > 0) result.required = [...new Set(required)];
    const additional = memberOf(schema, 'additionalProperties');
    if (isPlainObject(additional)) result.additionalProperties = convert(additional, false);
    else if (additional === false && !open && !composed && memberOf(schema, 'patternProperties') === undefined)
      result.additionalProperties = false;
    const parts = [
      ...all.map((each) => convert(each, true)),
      ...any.map((branches) => ({ anyOf: branches.map((each) => convert(each, open || composed)) })),
    ];
    if (parts.length > 0) result.allOf = parts;
    return memberOf(schema, 'nullable') === true ? { anyOf: [{ type: 'null' }, result] } : result;
  }

  const stated = new Map<OperationKey, Record<string, string>>();
  for (const { key, node } of found) {
    const byStatus: Record<string, string> = {};
    for (const [status, response] of Object.entries(objectAt(node, 'responses'))) {
      const content = Object.entries(objectAt(deref(description, response).node, 'content'));
      const described = content.filter(([, media]) => isPlainObject(memberOf(media, 'schema')));
      if (described.length === 0) continue;
      if (!/^2(\d\d|XX)$/.test(status) && PROXY_STATUSES.test(status)) continue;
      if (!/^[1-5](\d\d|XX)$/.test(status)) continue;
      const [only] = content;
      const schema =
        content.length === 1 && only && /^(application|text)\/(.+\+)?json\b/i.test(only[0])
          ? memberOf(only[1], 'schema')
          : undefined;
      if (!isPlainObject(schema)) continue;
      const reference = textAt(schema, '$ref');
      const isPlain = reference !== undefined && Object.keys(schema).length === 1;
      const name = isPlain ? nameOf(reference, false) : ownName(`${operationOf(key).name}_${status}`);
      if (!isPlain) defs[name] = convert(schema, false);
      byStatus[status] = name;
    }
    if (Object.keys(byStatus).length > 0) stated.set(key, byStatus);
  }
  return { defs, stated };
}

/** The file of the schemas, as the key `schemas` of a profile names it. */
export const schemasDocument = ({ defs, stated }: ResponseSchemas): PlainObject => ({
  operations: Object.fromEntries(
    [...stated].map(([key, names]) => [
      key,
      Object.fromEntries(Object.entries(names).map(([status, name]) => [status, `#/$defs/${name}`])),
    ]),
  ),
  $defs: defs,
});

/** Patterns are ECMAScript regular expressions; a pattern in another syntax is ignored. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
