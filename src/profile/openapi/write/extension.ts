/** `x-mdwi`: the part of a profile that OpenAPI has no words for, as an extension of the description. */

import { isPlainObject, type PlainObject } from '../../plain-object.ts';
import type { OperationProfile, ProfileData } from '../../schema.ts';

/** The name of the extension: at the root the facts of the whole profile, at an operation those of the operation. */
export const EXTENSION = 'x-mdwi';

/** Credentials are described as security schemes, the others are at their operations or have a place of their own. */
const ELSEWHERE: readonly (keyof ProfileData)[] = ['$schema', 'name', 'auth', 'authFor', 'operations'];

/** Data without functions and schemas in code, which a description cannot contain. Locations of what is left out are added to `omitted`. */
function plainData(value: unknown, at: string, omitted: string[]): unknown {
  if (Array.isArray(value)) return value.map((each, index) => plainData(each, `${at}[${index}]`, omitted));
  if (isPlainObject(value) && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        const plain = plainData(each, at === '' ? name : `${at}.${name}`, omitted);
        return plain === undefined ? [] : [[name, plain]];
      }),
    );
  if (typeof value !== 'function' && typeof value !== 'object') return value;
  if (value !== null) omitted.push(at);
  return value === null ? null : undefined;
}

/** The extension at the root. */
export const profileExtension = (data: ProfileData, omitted: string[]): PlainObject =>
  plainData(
    Object.fromEntries(Object.entries(data).filter(([name]) => !ELSEWHERE.includes(name as keyof ProfileData))),
    '',
    omitted,
  ) as PlainObject;

/**
 * The extension of an operation: its bindings as the profile states them. The body schemas are in the description: of these
 * it contains the statuses only.
 */
export function operationExtension(declared: OperationProfile, key: string, omitted: string[]): PlainObject {
  const { schemas, ...response } = declared.response ?? {};
  const bindings = schemas ? { ...declared, response: { ...response, schemas: Object.keys(schemas) } } : declared;
  return plainData(bindings, `operations["${key}"]`, omitted) as PlainObject;
}
