/** The parameters of an operation that a template can send. */
import { type Description, deref } from './description.ts';
import type { DescribedOperation } from './operations.ts';
import { type SchemaShape, schemaShapeOf } from './shape.ts';
import { memberOf, textAt, treeAt } from './tree.ts';

export interface Parameter {
  readonly name: string;
  readonly place: 'query' | 'header' | 'cookie' | 'path';
  readonly required: boolean;
  readonly shape: SchemaShape;
  readonly description: string;
  readonly examples: readonly unknown[];
}

/** Returns the parameters of an operation; an object in `deepObject` style is expanded to one parameter per member. */
export function parametersOf(description: Description, described: DescribedOperation): Parameter[] {
  return described.parameters.flatMap((node) => {
    const name = textAt(node, 'name');
    const place = textAt(node, 'in') as Parameter['place'] | undefined;
    if (name === undefined || place === undefined || place === 'path') return [];
    const [content] = Object.values(treeAt(node, 'content'));
    const shape = schemaShapeOf(description, memberOf(node, 'schema') ?? memberOf(content, 'schema'));
    const about = textAt(node, 'description') ?? shape.description;
    const required = memberOf(node, 'required') === true;
    if (place === 'query' && shape.members.size > 0) {
      const deep = textAt(node, 'style') === 'deepObject';
      return [...shape.members].map(([member, { schema, required: own }]): Parameter => {
        const inner = schemaShapeOf(description, schema);
        return {
          name: deep ? `${name}[${member}]` : member,
          place,
          required: required && own,
          shape: inner,
          description: inner.description,
          examples: inner.examples,
        };
      });
    }
    return [{ name, place, required, shape, description: about, examples: examplesOf(description, node, shape) }];
  });
}

/** Examples of a parameter or media type: `example`, `examples`, then its schema's. */
export function examplesOf(description: Description, node: unknown, shape: SchemaShape): unknown[] {
  const named = Object.values(treeAt(node, 'examples')).flatMap((each) => {
    const value = memberOf(deref(description, each).node, 'value');
    return value === undefined ? [] : [value];
  });
  return [memberOf(node, 'example'), ...named, ...shape.examples].filter((each) => each !== undefined);
}
