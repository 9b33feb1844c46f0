/** The parts of a JSON Schema that a draft needs, with references resolved and compositions merged. */

import { isPlainObject, listMember, memberOf, numberAt, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';

export interface SchemaMember {
  readonly schema: unknown;
  /** Whether it is listed under `required` and is not writeOnly. */
  readonly required: boolean;
}

export interface ResolvedSchema {
  /** `object`, `array`, `string`, `number`, `integer`, `boolean`; undefined if none or several are declared. */
  readonly type?: string;
  readonly nullable: boolean;
  /** The name of the referenced component. */
  readonly name?: string;
  readonly description: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Values of `enum` or `const`, or of a `oneOf` of constants, with the description of each. */
  readonly enumValues: readonly { readonly value: unknown; readonly description: string }[];
  /** From `example` and `examples`. */
  readonly examples: readonly unknown[];
  readonly defaultValue?: unknown;
  readonly members: ReadonlyMap<string, SchemaMember>;
  /** Whether other members are forbidden, by `additionalProperties` or `unevaluatedProperties`. */
  readonly closed: boolean;
  readonly items?: unknown;
  /** The schema of the values of a map. */
  readonly additionalProperties?: unknown;
  readonly xml: PlainObject;
}

/** A schema that states nothing. */
export const EMPTY_SCHEMA: ResolvedSchema = {
  nullable: false,
  description: '',
  enumValues: [],
  examples: [],
  members: new Map(),
  closed: false,
  xml: {},
};

const MAX_NESTING = 20;

/** Resolves a schema; a schema that contains itself by composition is read once. */
export function resolveSchema(description: Description, schema: unknown): ResolvedSchema {
  return read(description, schema, 0);
}

function read(description: Description, schema: unknown, depth: number): ResolvedSchema {
  if (depth > MAX_NESTING || !isPlainObject(schema)) return EMPTY_SCHEMA;
  const { node, name } = deref(description, schema);
  const own = { ...ownSchema(node), ...(name !== undefined && { name }) };
  const all = listMember(node, 'allOf').map((each) => read(description, each, depth + 1));
  const merged = all.reduce((sum, each) => intersect(sum, each), own);
  const choices = [...listMember(node, 'oneOf'), ...listMember(node, 'anyOf')];
  if (choices.length === 0) return merged;
  const constants = choices.flatMap((each) => {
    const value = memberOf(each, 'const');
    return value === undefined
      ? []
      : [{ value, description: textAt(each, 'title') ?? textAt(each, 'description') ?? '' }];
  });
  if (constants.length === choices.length) return intersect(merged, { ...EMPTY_SCHEMA, enumValues: constants });
  const alternatives = choices.map((each) => read(description, each, depth + 1));
  const real = alternatives.filter((each) => each.type !== 'null');
  const nullable = merged.nullable || real.length < alternatives.length || real.some((each) => each.nullable);
  const [first = EMPTY_SCHEMA, ...others] = real;
  const either = others.reduce(unite, first);
  return { ...intersect(merged, either), nullable };
}

function ownSchema(node: PlainObject): ResolvedSchema {
  const types = [memberOf(node, 'type')].flat().filter((each): each is string => typeof each === 'string');
  const real = types.filter((each) => each !== 'null');
  const required = new Set(listMember(node, 'required'));
  const members = new Map(
    Object.entries(objectAt(node, 'properties')).map(([name, schema]) => [
      name,
      { schema, required: required.has(name) && memberOf(schema, 'writeOnly') !== true },
    ]),
  );
  const type =
    types.length > 0 && real.length === 0
      ? 'null'
      : real.length === 1
        ? real[0]
        : real.length === 0
          ? members.size > 0
            ? 'object'
            : memberOf(node, 'items') !== undefined
              ? 'array'
              : undefined
          : undefined;
  const constant = memberOf(node, 'const');
  const names = [...listMember(node, 'x-enum-descriptions'), ...listMember(node, 'x-enumDescriptions')];
  const enumNames = [...listMember(node, 'x-enum-varnames'), ...listMember(node, 'x-enumNames')];
  const description = names.length > 0 ? names : enumNames;
  const listed = listMember(node, 'enum');
  const additional = memberOf(node, 'additionalProperties');
  const examples = [memberOf(node, 'example'), ...listMember(node, 'examples')].filter((each) => each !== undefined);
  const optional = {
    type,
    format: textAt(node, 'format'),
    pattern: textAt(node, 'pattern'),
    minLength: numberAt(node, 'minLength'),
    maxLength: numberAt(node, 'maxLength'),
    minItems: numberAt(node, 'minItems'),
    minimum: numberAt(node, 'minimum'),
    maximum: numberAt(node, 'maximum'),
    defaultValue: memberOf(node, 'default'),
    items: memberOf(node, 'items') ?? listMember(node, 'prefixItems')[0],
    additionalProperties: isPlainObject(additional) && Object.keys(additional).length > 0 ? additional : undefined,
  };
  return {
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<ResolvedSchema>),
    nullable: memberOf(node, 'nullable') === true || types.includes('null') || listed.includes(null),
    description: [textAt(node, 'title'), textAt(node, 'description')].filter(Boolean).join(': '),
    enumValues:
      constant !== undefined
        ? [{ value: constant, description: '' }]
        : listed
            .map((value, at) => ({ value, description: typeof description[at] === 'string' ? description[at] : '' }))
            .filter(({ value }) => value !== null),
    examples,
    members,
    closed: additional === false || memberOf(node, 'unevaluatedProperties') === false,
    xml: objectAt(node, 'xml'),
  };
}

/** The intersection of two schemas. */
function intersect(one: ResolvedSchema, other: ResolvedSchema): ResolvedSchema {
  const members = new Map([...one.members, ...other.members]);
  for (const [name, member] of members)
    members.set(name, {
      schema: member.schema,
      required: (one.members.get(name)?.required ?? false) || (other.members.get(name)?.required ?? false),
    });
  return {
    ...other,
    ...one,
    nullable: one.nullable || other.nullable,
    description: one.description || other.description,
    enumValues: one.enumValues.length > 0 ? one.enumValues : other.enumValues,
    examples: [...one.examples, ...other.examples],
    members,
    closed: one.closed || other.closed,
    xml: { ...other.xml, ...one.xml },
  };
}

/** The schema of a member that two alternatives describe. */
const eitherOf = (one: unknown, other: unknown): unknown =>
  one === undefined || JSON.stringify(one) === JSON.stringify(other) ? other : { anyOf: [one, other] };

/** The union of two schemas: only what both state is certain. */
function unite(one: ResolvedSchema, other: ResolvedSchema): ResolvedSchema {
  const { type: _, ...untyped } = one;
  const members = new Map([...one.members, ...other.members]);
  for (const [name, member] of members)
    members.set(name, {
      schema: eitherOf(one.members.get(name)?.schema, member.schema),
      required: (one.members.get(name)?.required ?? false) && (other.members.get(name)?.required ?? false),
    });
  return {
    ...(one.type === other.type ? one : untyped),
    nullable: one.nullable || other.nullable,
    enumValues:
      one.enumValues.length > 0 && other.enumValues.length > 0 ? [...one.enumValues, ...other.enumValues] : [],
    examples: [...one.examples, ...other.examples],
    members,
    closed: one.closed && other.closed,
  };
}
