/** The names that a description lists for the requests of an operation, whatever they mean. */
import type { OperationKey } from '../contract/index.ts';
import { type Description, deref } from '../profile/openapi/description.ts';
import { findDescribedOperations } from '../profile/openapi/operations.ts';
import { type ResolvedSchema, resolveSchema } from '../profile/openapi/resolved-schema.ts';
import { memberOf, objectAt, type PlainObject } from '../profile/plain-object.ts';
import { secretKindOfHeader } from '../secrets/credential-names.ts';
import { isHeader } from './groups/parameters.ts';

export interface DescribedNames {
  /** Of query parameters, and of headers such as X-Window. */
  readonly parameters: readonly string[];
  readonly body?: DescribedBody | undefined;
}

/** The single values in a body, each as the members down to it. */
export interface DescribedBody {
  readonly form: 'json' | 'form' | 'array';
  readonly names: readonly string[];
}

/** Between the members down to a value of a body. */
export const STEP = '/';
const MAX_LEVELS = 4;

/** Reads the names of every described operation. */
export const describedNames = (description: Description): Map<OperationKey, DescribedNames> =>
  new Map(
    findDescribedOperations(description).found.map(({ key, node, parameters }) => [
      key,
      {
        parameters: parameters.flatMap(({ in: where, name }) =>
          typeof name === 'string' &&
          (where === 'query' || (where === 'header' && isHeader(name) && secretKindOfHeader(name) === undefined))
            ? [name]
            : [],
        ),
        body: bodyOf(description, node),
      },
    ]),
  );

function bodyOf(description: Description, node: PlainObject): DescribedBody | undefined {
  const content = Object.entries(objectAt(deref(description, memberOf(node, 'requestBody')).node, 'content'));
  for (const [type, media] of content) {
    const isForm = /urlencoded/i.test(type);
    if (!isForm && !/json/i.test(type)) continue;
    const schema = resolveSchema(description, memberOf(media, 'schema'));
    if (schema.type === 'array') return { form: 'array', names: [] };
    return { form: isForm ? 'form' : 'json', names: leavesOf(description, schema) };
  }
  return undefined;
}

const leavesOf = (description: Description, { members }: ResolvedSchema, level = 1): string[] =>
  [...members].flatMap(([name, { schema }]) => {
    const inner = level < MAX_LEVELS ? leavesOf(description, resolveSchema(description, schema), level + 1) : [];
    return inner.length > 0 ? inner.map((each) => `${name}${STEP}${each}`) : [name];
  });
