/** The names that a description lists for the requests of an operation, whatever they mean. */
import type { OperationKey } from '../contract/index.ts';
import { type Description, deref } from '../profile/openapi/description.ts';
import { findDescribedOperations } from '../profile/openapi/operations.ts';
import { resolveSchema } from '../profile/openapi/resolved-schema.ts';
import { memberOf, objectAt, type PlainObject } from '../profile/plain-object.ts';

export interface DescribedNames {
  readonly query: readonly string[];
  readonly body?: DescribedBody | undefined;
}

/** The members of a body, or of the one object in it. */
export interface DescribedBody {
  readonly form: 'json' | 'form' | 'array';
  readonly wrapper?: string | undefined;
  readonly names: readonly string[];
}

/** Reads the names of every described operation. */
export const describedNames = (description: Description): Map<OperationKey, DescribedNames> =>
  new Map(
    findDescribedOperations(description).found.map(({ key, node, parameters }) => [
      key,
      {
        query: parameters.flatMap((each) => (each.in === 'query' && typeof each.name === 'string' ? [each.name] : [])),
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
    const names = [...schema.members.keys()];
    const [only] = names;
    const inner =
      names.length === 1 ? resolveSchema(description, schema.members.get(only as string)?.schema) : undefined;
    if (inner && inner.members.size > 0) return { form: 'json', wrapper: only, names: [...inner.members.keys()] };
    return { form: isForm ? 'form' : 'json', names };
  }
  return undefined;
}
