/** Walks a JSON Schema: to generate values from it, and to validate a list element by element. */
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { stepsOfFragment } from './pointer.ts';
import type { SchemaNode } from './types.ts';

/** A schema inside a document: the URI of the document, and the path from its root. */
export interface SchemaLocation {
  readonly document: string;
  readonly pointer: readonly string[];
}

/** A schema with its location. */
interface LocatedNode extends SchemaNode {
  readonly location: SchemaLocation;
  below(...steps: readonly string[]): LocatedNode;
  referenced(): LocatedNode | undefined;
}

/**
 * The schema at a location.
 *
 * @param read returns the schema at a location, undefined if there is none
 * @param compile returns the validator of the schema at a location
 */
export function schemaNodeAt(
  start: SchemaLocation,
  read: (location: SchemaLocation) => unknown,
  compile: (location: SchemaLocation) => (value: unknown) => unknown,
): LocatedNode {
  const nodes = new Map<string, LocatedNode>();
  const nodeFor = (location: SchemaLocation): LocatedNode => {
    const { document, pointer } = location;
    const key = JSON.stringify([document, pointer]);
    const known = nodes.get(key);
    if (known) return known;
    const schema = read(location);
    let validate: ((value: unknown) => unknown) | undefined;
    const node: LocatedNode = {
      schema,
      location,
      accepts(value) {
        validate ??= typeof schema === 'boolean' ? () => schema : compile(location);
        return validate(value) === true;
      },
      below: (...steps) => nodeFor({ document, pointer: [...pointer, ...steps] }),
      referenced() {
        if (!isPlainObject(schema) || typeof schema.$ref !== 'string') return undefined;
        const [before = '', fragment = ''] = schema.$ref.split('#');
        const target = before === '' ? document : URL.parse(before, document)?.href;
        const isPointer = fragment === '' || fragment.startsWith('/');
        return target === undefined || !isPointer
          ? undefined
          : nodeFor({ document: target, pointer: stepsOfFragment(fragment) });
      },
    };
    nodes.set(key, node);
    return node;
  };
  return nodeFor(start);
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

const hasOnlyKeywords = (schema: PlainObject, allowed: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((key) => allowed.has(key) || key.startsWith('x-'));

const REFERENCE_KEYWORDS = new Set([...ANNOTATIONS, '$ref']);
const MAX_RETAINED = 100;
const MAX_REFS = 20;

/** The target of a chain of references without other keywords; undefined if it is no object. */
function resolved(start: LocatedNode): (LocatedNode & { readonly schema: PlainObject }) | undefined {
  let node: LocatedNode | undefined = start;
  for (let followed = 0; node && followed < MAX_REFS; followed++) {
    const { schema, location }: LocatedNode = node;
    // A nested id changes the base URI of the references below it.
    if (!isPlainObject(schema) || ('$id' in schema && location.pointer.length > 0)) return undefined;
    if (!('$ref' in schema)) return { ...node, schema };
    node = hasOnlyKeywords(schema, REFERENCE_KEYWORDS) ? node.referenced() : undefined;
  }
  return undefined;
}

/**
 * Returns the schema of the elements of the list at a path, if the body is valid exactly if every element matches that schema
 * and the rest is valid with the first `minItems` elements in it. Undefined if this is unknown: a keyword other than
 * `properties` and `items` may then constrain the list or its elements (`allOf`, `uniqueItems`, `patternProperties`, …).
 *
 * @param path member names from the root of the body
 */
export function elementSchemaAt(
  start: LocatedNode,
  path: readonly string[],
): { readonly items: SchemaLocation; readonly minItems: number; readonly maxItems: number } | undefined {
  let node = resolved(start);
  for (const name of path) {
    if (!node || !hasOnlyKeywords(node.schema, OBJECT_KEYWORDS)) return undefined;
    node = resolved(node.below('properties', name));
  }
  if (!node || !hasOnlyKeywords(node.schema, ARRAY_KEYWORDS)) return undefined;
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema;
  if (!isPlainObject(items)) return undefined;
  if (typeof minItems !== 'number' || minItems > MAX_RETAINED || typeof maxItems !== 'number') return undefined;
  return { items: node.below('items').location, minItems, maxItems };
}
