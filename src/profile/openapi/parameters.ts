/** The parameters of an operation that a template can send. */

import { memberOf, objectAt, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';
import type { DescribedOperation } from './operations.ts';
import { type ResolvedSchema, resolveSchema } from './resolved-schema.ts';

export interface Parameter {
  readonly name: string;
  readonly place: 'query' | 'header' | 'cookie' | 'path';
  readonly required: boolean;
  readonly schema: ResolvedSchema;
  readonly description: string;
  readonly examples: readonly unknown[];
}

/** Returns the parameters of an operation; an object in `deepObject` style is expanded to one parameter per member. */
export function parametersOf(description: Description, described: DescribedOperation): Parameter[] {
  return described.parameters.flatMap((node) => {
    const name = textAt(node, 'name');
    const place = textAt(node, 'in') as Parameter['place'] | undefined;
    if (name === undefined || place === undefined || place === 'path') return [];
    const [content] = Object.values(objectAt(node, 'content'));
    const resolvedSchema = resolveSchema(description, memberOf(node, 'schema') ?? memberOf(content, 'schema'));
    const parameterDescription = textAt(node, 'description') ?? resolvedSchema.description;
    const required = memberOf(node, 'required') === true;
    if (place === 'query' && resolvedSchema.members.size > 0) {
      const deep = textAt(node, 'style') === 'deepObject';
      return [...resolvedSchema.members].map(([member, { schema, required: own }]): Parameter => {
        const inner = resolveSchema(description, schema);
        return {
          name: deep ? `${name}[${member}]` : member,
          place,
          required: required && own,
          schema: inner,
          description: inner.description,
          examples: inner.examples,
        };
      });
    }
    return [
      {
        name,
        place,
        required,
        schema: resolvedSchema,
        description: parameterDescription,
        examples: examplesOf(description, node, resolvedSchema),
      },
    ];
  });
}

/** Examples of a parameter or media type: `example`, `examples`, then its schema's. */
export function examplesOf(description: Description, node: unknown, resolvedSchema: ResolvedSchema): unknown[] {
  const named = Object.values(objectAt(node, 'examples')).flatMap((each) => {
    const value = memberOf(deref(description, each).node, 'value');
    return value === undefined ? [] : [value];
  });
  return [memberOf(node, 'example'), ...named, ...resolvedSchema.examples].filter((each) => each !== undefined);
}
