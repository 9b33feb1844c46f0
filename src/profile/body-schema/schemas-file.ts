/** The file of `schemas` of a profile: the body schemas of all operations, by operation and status, beside their definitions. */
import { z } from 'zod';
import { builtinModule } from '../../builtin-module.ts';
import { memberOf } from '../plain-object.ts';
import type { FailAt } from '../profile-location.ts';
import { operationKey, response } from '../schema/response.ts';
import type { ProfileData } from '../schema.ts';
import { readSchemaDocument } from './documents.ts';
import { BodySchemaError } from './types.ts';

const stated = z.partialRecord(operationKey, response.shape.schemas.unwrap());

/**
 * Returns the profile with the schemas of its file at their operations; those that an operation states itself stay.
 *
 * @param file returns the path of the profile file, in Node only
 */
export function withSchemasFile(data: ProfileData, file: () => string, fail: FailAt): ProfileData {
  const { schemas: name } = data;
  if (name === undefined) return data;
  const operations = { ...data.operations };
  for (const [key, schemas] of Object.entries(readStated(name, file(), fail))) {
    const operation = operations[key as keyof typeof operations];
    const own = operation?.response?.schemas;
    const ofFile = Object.entries(schemas ?? {}).map(([status, schema]) => [
      status,
      typeof schema === 'string' && schema.startsWith('#') ? `${name}${schema}` : schema,
    ]);
    const response = { ...operation?.response, schemas: { ...Object.fromEntries(ofFile), ...own } };
    operations[key as keyof typeof operations] = { ...operation, response };
  }
  return { ...data, operations };
}

function readStated(name: string, profile: string, fail: FailAt): z.output<typeof stated> {
  const { dirname, resolve } = builtinModule('node:path');
  try {
    const { tree, errorAt } = readSchemaDocument(resolve(dirname(profile), name), name);
    const { data, error } = stated.safeParse(memberOf(tree, 'operations'));
    const issue = error?.issues[0];
    if (issue) throw errorAt(['operations', ...issue.path.map(String)], 'must be schemas by status, at an operation');
    return data ?? {};
  } catch (error) {
    throw error instanceof BodySchemaError ? fail(['schemas'], error.message) : error;
  }
}
