/** Determines whether a list can be validated element by element with the same result as the whole body. */
import { stepsOfFragment } from './pointer.ts';

/** A schema inside a document: the URI of the document, and the path from its root. */
export interface SchemaLocation {
  readonly document: string;
  readonly pointer: readonly string[];
}

export interface ListSchemaLocation {
  readonly items: SchemaLocation;
  readonly minItems: number;
  readonly maxItems: number;
}

/** Keywords that do not constrain values, such as annotations and definitions. */
const ANNOTATIONS = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
];
/** Keywords that constrain an object’s own members and leave the value of a named one to `properties`. */
const OBJECT_KEYWORDS = new Set([
  ...ANNOTATIONS,
  'type',
  'nullable',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
]);
/** Keywords that constrain each element separately, or only count them. */
const ARRAY_KEYWORDS = new Set([...ANNOTATIONS, 'type', 'nullable', 'items', 'minItems', 'maxItems']);

const hasOnlyKeywords = (schema: Record<string, unknown>, allowed: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((key) => allowed.has(key) || key.startsWith('x-'));

const MAX_RETAINED = 100;
const MAX_REFS = 20;

/**
 * Returns the schema of the elements of the list at a path, if the body is valid exactly if every element matches that schema
 * and the rest is valid with the first `minItems` elements in it. Undefined if this is unknown: a keyword other than
 * `properties` and `items` may then constrain the list or its elements (`allOf`, `uniqueItems`, `patternProperties`, …).
 *
 * @param path member names from the root of the body
 * @param read returns the schema at a location, undefined if there is none
 */
export function elementSchemaAt(
  start: SchemaLocation,
  path: readonly string[],
  read: (location: SchemaLocation) => unknown,
): ListSchemaLocation | undefined {
  let location: SchemaLocation | undefined = start;
  for (const name of path) {
    location = location && resolveChain(location, read);
    const schema = location && objectAt(location, read);
    if (!location || !schema || !hasOnlyKeywords(schema, OBJECT_KEYWORDS)) return undefined;
    location = { ...location, pointer: [...location.pointer, 'properties', name] };
  }
  location = location && resolveChain(location, read);
  const list = location && objectAt(location, read);
  if (!location || !list || !hasOnlyKeywords(list, ARRAY_KEYWORDS)) return undefined;
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = list;
  if (typeof items !== 'object' || items === null || Array.isArray(items)) return undefined;
  if (typeof minItems !== 'number' || minItems > MAX_RETAINED || typeof maxItems !== 'number') return undefined;
  return { items: { ...location, pointer: [...location.pointer, 'items'] }, minItems, maxItems };
}

function objectAt(
  location: SchemaLocation,
  read: (location: SchemaLocation) => unknown,
): Record<string, unknown> | undefined {
  const schema = read(location);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
  // A nested id changes the base URI of the references below it.
  return '$id' in schema && location.pointer.length > 0 ? undefined : (schema as Record<string, unknown>);
}

/** The target of a chain of references without other keywords. */
function resolveChain(start: SchemaLocation, read: (location: SchemaLocation) => unknown): SchemaLocation | undefined {
  let location = start;
  for (let followed = 0; followed < MAX_REFS; followed++) {
    const schema = objectAt(location, read);
    if (!schema) return undefined;
    if (!('$ref' in schema)) return location;
    if (typeof schema.$ref !== 'string' || !hasOnlyKeywords(schema, new Set([...ANNOTATIONS, '$ref'])))
      return undefined;
    const [before = '', fragment = ''] = schema.$ref.split('#');
    if (fragment !== '' && !fragment.startsWith('/')) return undefined;
    const target = before === '' ? location.document : URL.parse(before, location.document)?.href;
    if (target === undefined) return undefined;
    location = { document: target, pointer: stepsOfFragment(fragment) };
  }
  return undefined;
}
