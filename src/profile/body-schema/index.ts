/** Body schemas of a profile. They are compiled when it is loaded, so that errors are reported before any request. */
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import type { ProfileData } from '../schema.ts';
import { compileSelector } from '../selector.ts';
import { createSchemaCompiler } from './json-schema.ts';
import { compileStandard } from './standard.ts';
import { type BodySchema, BodySchemaError, type BodySchemas, isStandardSchema } from './types.ts';

/** Media types whose bodies are not JSON. */
const NOT_JSON = ['csv', 'xml', 'text', 'binary'];

/**
 * Compiles the `response.schemas` of a profile.
 *
 * @param path returns the profile’s file, in Node only; references are relative to it
 * @param fail creates the error to throw, given the location in the profile and the problem
 */
export function compileBodySchemas(
  data: ProfileData,
  path: () => string,
  fail: (location: readonly PropertyKey[], why: string) => Error,
): BodySchemas {
  let compiler: ReturnType<typeof createSchemaCompiler> | undefined;
  const compilerOfFile = () => {
    compiler ??= createSchemaCompiler(path());
    return compiler;
  };
  const stated = new Map<OperationKey, ReadonlyMap<string, BodySchema>>();
  for (const { key } of OPERATIONS) {
    const response = data.operations?.[key]?.response;
    if (!response?.schemas) continue;
    const rows = (typeof response.rows === 'string' && compileSelector(response.rows).stream) || [];
    const byStatus = new Map<string, BodySchema>();
    for (const [status, schema] of Object.entries(response.schemas)) {
      const location = ['operations', key, 'response', 'schemas', status];
      // `response.media` applies to successful responses only.
      if (NOT_JSON.includes(response.media ?? '') && /^2|^default$/.test(status))
        throw fail(location, `a schema applies to JSON and NDJSON bodies, but response.media is ${response.media}`);
      try {
        byStatus.set(
          status,
          isStandardSchema(schema)
            ? compileStandard(schema)
            : typeof schema === 'string'
              ? compilerOfFile().compileFile(schema, rows)
              : compilerOfFile().compileInline(schema, rows),
        );
      } catch (error) {
        if (!(error instanceof BodySchemaError)) throw error;
        throw fail([...location, ...error.within], error.message);
      }
    }
    stated.set(key, byStatus);
  }
  return stated;
}
