/** Infers the JSON Schema of values: of the bodies that a simulator sent. */
import { isPlainObject, type PlainObject } from '../../plain-object.ts';

type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

const DATE_FORMATS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i,
} as const;
type DateFormat = keyof typeof DATE_FORMATS;
const DATE_FORMAT_NAMES = Object.keys(DATE_FORMATS) as DateFormat[];

/** The schema of the values at one place of a document, while it is inferred and annotated. */
export interface InferredSchema {
  readonly types: Set<JsonType>;
  /** The members of objects. */
  readonly members: Map<string, InferredSchema>;
  /** The elements of lists. */
  items?: InferredSchema;
  /** The values of a map, in place of members: the names in it are data. */
  entries?: InferredSchema;
  /** Whether a selector reads several elements of the list, whatever the length of the observed ones. */
  isRepeated?: true;
  /** How many objects there are, and the longest list. */
  objects: number;
  longest: number;
  /** How many values there are. */
  values: number;
  /** The formats that every text has. */
  formats?: readonly DateFormat[];
  /** The members that every object has. */
  readonly required: Set<string>;
  /** Keywords beside the type, e.g. `description` and `format`. */
  readonly annotations: Record<string, unknown>;
}

export const emptySchema = (): InferredSchema => ({
  types: new Set(),
  members: new Map(),
  objects: 0,
  longest: 0,
  values: 0,
  required: new Set(),
  annotations: {},
});

/** Members of equal type beyond this number are a map. */
const MAX_MEMBERS = 40;

function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

export function memberSchema(schema: InferredSchema, name: string): InferredSchema {
  const member = schema.members.get(name) ?? emptySchema();
  schema.members.set(name, member);
  return member;
}

export function itemSchema(schema: InferredSchema): InferredSchema {
  schema.items ??= emptySchema();
  return schema.items;
}

/** Extends a schema so that it describes one more value. */
export function addValue(schema: InferredSchema, value: unknown): void {
  schema.types.add(typeOf(value));
  schema.values++;
  if (typeof value === 'string')
    schema.formats = (schema.formats ?? DATE_FORMAT_NAMES).filter((each) => DATE_FORMATS[each].test(value));
  if (Array.isArray(value)) {
    schema.longest = Math.max(schema.longest, value.length);
    for (const each of value) addValue(itemSchema(schema), each);
  } else if (isPlainObject(value)) {
    schema.objects++;
    for (const [name, each] of Object.entries(value)) addValue(memberSchema(schema, name), each);
  }
}

function typesOf({ types }: InferredSchema): string | string[] | undefined {
  const listed = [...types].filter((each) => each !== 'integer' || !types.has('number')).sort();
  return listed.length <= 1 ? listed[0] : listed;
}

/** Whether the members are entries of a map, whose names are data. */
function isMap({ members, objects }: InferredSchema): boolean {
  const types = new Set([...members.values()].map((each) => JSON.stringify(typesOf(each))));
  const isPartial = [...members.values()].some(({ values }) => values < objects);
  return (
    types.size === 1 && (members.size > MAX_MEMBERS || (isPartial && members.size > 3 && !hasAnnotations(members)))
  );
}

const hasAnnotations = (members: InferredSchema['members']): boolean =>
  [...members.values()].some(({ annotations }) => Object.keys(annotations).length > 0);

/** The schema of the values of a map; its members become entries. */
export function mapValueSchema(schema: InferredSchema): InferredSchema {
  schema.entries ??= [...schema.members.values()].reduce(mergeSchemas, emptySchema());
  schema.members.clear();
  return schema.entries;
}

function mergeSchemas(one: InferredSchema, other: InferredSchema): InferredSchema {
  const items = one.items && other.items ? mergeSchemas(one.items, other.items) : (one.items ?? other.items);
  const formats = one.formats?.filter((each) => other.formats?.includes(each) ?? true) ?? other.formats;
  const members = new Map(one.members);
  for (const [name, each] of other.members) {
    const own = members.get(name);
    members.set(name, own ? mergeSchemas(own, each) : each);
  }
  return {
    types: new Set([...one.types, ...other.types]),
    members,
    ...(items && { items }),
    ...(formats && { formats }),
    ...((one.isRepeated || other.isRepeated) && { isRepeated: true as const }),
    objects: one.objects + other.objects,
    longest: Math.max(one.longest, other.longest),
    values: one.values + other.values,
    required: new Set([...one.required, ...other.required]),
    annotations: { ...other.annotations, ...one.annotations },
  };
}

/** The JSON Schema (2020-12) of an inferred one. A member is required only if it is in `required`. */
export function toJsonSchema(schema: InferredSchema): PlainObject {
  const type = typesOf(schema);
  const entries = schema.entries ?? (isMap(schema) ? mapValueSchema(schema) : undefined);
  const { members, items, annotations } = schema;
  const required = [...schema.required].filter((name) => members.has(name));
  return {
    ...(type !== undefined && { type }),
    ...annotations,
    ...(entries && { additionalProperties: toJsonSchema(entries) }),
    ...(members.size > 0 && {
      properties: Object.fromEntries([...members].map(([name, member]) => [name, toJsonSchema(member)])),
    }),
    ...(required.length > 0 && { required }),
    ...(schema.types.has('array') && { items: items ? toJsonSchema(items) : {} }),
  };
}

/**
 * The schema of an XML document, whose tree has attributes as `@name`, text as `#text` and child elements as lists.
 * OpenAPI writes an attribute as a member with `xml: { attribute: true }`; it has no word for text beside attributes.
 */
export function toXmlSchema(document: InferredSchema): PlainObject {
  const [root] = document.members;
  if (!root) return { type: 'object' };
  return elementSchema(root[1].items ?? emptySchema(), root[0]);
}

function elementSchema(element: InferredSchema, name?: string): PlainObject {
  const names = [...element.members.keys()];
  const xml = name === undefined ? {} : { xml: { name } };
  if (names.every((each) => each === '#text')) {
    const { annotations } = element.members.get('#text') ?? element;
    return { type: 'string', ...annotations, ...xml };
  }
  const properties = Object.fromEntries(
    names
      .filter((each) => each !== '#text')
      .map((each): [string, unknown] => {
        const member = memberSchema(element, each);
        if (each.startsWith('@'))
          return [each.slice(1), { type: 'string', ...member.annotations, xml: { attribute: true } }];
        const child = elementSchema(member.items ?? emptySchema());
        return [each, member.longest > 1 || member.isRepeated ? { type: 'array', items: child } : child];
      }),
  );
  return { type: 'object', ...xml, properties };
}
