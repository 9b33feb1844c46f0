/** Reads and parses schema files, and maps locations to lines. */
import { builtinModule } from '../../builtin-module.ts';
import { ProfileError } from '../profile-error.ts';
import { readYaml } from '../read-yaml.ts';
import { BodySchemaError } from './types.ts';

export interface SchemaDocument {
  /** Absolute path; for an inline schema, that of the profile. */
  readonly path: string;
  readonly tree: unknown;
  /** Creates the error to throw for a location in it. */
  errorAt(at: readonly (string | number)[], what: string): BodySchemaError;
}

const MAX_BYTES = 16 << 20;

/**
 * Reads a JSON or YAML file. Throws a BodySchemaError with file and line.
 * @param displayName the name of the file in messages
 */
export function readSchemaDocument(path: string, displayName: string): SchemaDocument {
  const { readFileSync, statSync } = builtinModule('node:fs');
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new BodySchemaError(`${displayName}: there is no such file (resolved to ${path})`);
  if (found.size > MAX_BYTES) throw new BodySchemaError(`${displayName}: is larger than ${MAX_BYTES} bytes`);
  const { tree, lineOf } = readDocument(readFileSync(path, 'utf8'), displayName);
  return {
    path,
    tree,
    errorAt: (at, what) =>
      new BodySchemaError(
        `${displayName}${at.length > 0 ? lineOf(at) : ''}: ${at.length > 0 ? `${at.join('/')} ` : ''}${what}`,
      ),
  };
}

function readDocument(text: string, displayName: string): ReturnType<typeof readYaml> {
  try {
    return readYaml(text, displayName);
  } catch (error) {
    if (error instanceof ProfileError) throw new BodySchemaError(error.message);
    throw error;
  }
}

/** A schema inline in the profile. */
export const inlineDocument = (path: string, tree: object): SchemaDocument => ({
  path,
  tree,
  errorAt: (at, what) => new BodySchemaError(at.length > 0 ? `${at.join('/')} ${what}` : what, at),
});

/** The location of the first matching member, for errors whose location the compiler does not report. */
export function findLocation(
  node: unknown,
  matches: (key: string, value: unknown) => boolean,
  at: readonly (string | number)[] = [],
): (string | number)[] {
  if (typeof node !== 'object' || node === null) return [];
  for (const [key, value] of Object.entries(node)) {
    const location = [...at, Array.isArray(node) ? Number(key) : key];
    if (matches(key, value)) return location;
    const deeper = findLocation(value, matches, location);
    if (deeper.length > 0) return deeper;
  }
  return [];
}
