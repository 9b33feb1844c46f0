/** Reads and parses schema files, and maps locations to lines. */
import { builtinModule, requireFrom } from '../../builtin-module.ts';
import { isDeeperThan } from '../plain-object.ts';
import { MAX_FILE_DEPTH, TOO_DEEP, yamlProblem } from '../profile-location.ts';
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
  const { LineCounter, parseDocument } = requireFrom(import.meta.url, 'yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw new BodySchemaError(`${displayName}:${lines.linePos(broken.pos[0]).line}: ${yamlProblem(broken)}`);
  const lineOf = (at: readonly (string | number)[]): string => {
    for (let length = at.length; length > 0; length--) {
      const node = document.getIn(at.slice(0, length), true) as { range?: readonly number[] } | undefined;
      if (node?.range) return `:${lines.linePos(node.range[0] as number).line}`;
    }
    return '';
  };
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw new BodySchemaError(`${displayName}: ${(error as Error).message}`);
  }
  if (isDeeperThan(tree, MAX_FILE_DEPTH)) throw new BodySchemaError(`${displayName}: ${TOO_DEEP}`);
  return {
    path,
    tree,
    errorAt: (at, what) =>
      new BodySchemaError(`${displayName}${lineOf(at)}: ${at.length > 0 ? `${at.join('/')} ` : ''}${what}`),
  };
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
