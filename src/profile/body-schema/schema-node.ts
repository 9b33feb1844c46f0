/** Walks a JSON Schema, so that values can be generated from it. */
import { isPlainObject } from '../plain-object.ts';
import type { SchemaLocation } from './element-schema.ts';
import { stepsOfFragment } from './pointer.ts';
import type { SchemaNode } from './types.ts';

/**
 * The schema at a location.
 *
 * @param read returns the schema at a location, undefined if there is none
 * @param compile returns the validator of the schema at a location
 */
export function schemaNodeAt(
  location: SchemaLocation,
  read: (location: SchemaLocation) => unknown,
  compile: (location: SchemaLocation) => (value: unknown) => unknown,
): SchemaNode {
  const nodes = new Map<string, SchemaNode>();
  const nodeFor = ({ document, pointer }: SchemaLocation): SchemaNode => {
    const key = JSON.stringify([document, pointer]);
    const known = nodes.get(key);
    if (known) return known;
    const schema = read({ document, pointer });
    let validate: ((value: unknown) => unknown) | undefined;
    const node: SchemaNode = {
      schema,
      accepts(value) {
        validate ??= typeof schema === 'boolean' ? () => schema : compile({ document, pointer });
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
  return nodeFor(location);
}
