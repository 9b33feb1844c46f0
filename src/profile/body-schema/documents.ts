/** Schema files: read, parsed, and able to say on which line something stands. */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BodySchemaError } from './types.ts';

const load = createRequire(import.meta.url);

export interface SchemaDocument {
  /** Absolute; of a schema in the profile itself, the profile’s. */
  readonly path: string;
  readonly tree: unknown;
  /** What is wrong at a place in it, as the error to throw. */
  wrong(at: readonly (string | number)[], what: string): BodySchemaError;
}

const MAX_BYTES = 16 << 20;

/**
 * Reads a JSON or YAML file. Throws a BodySchemaError with file and line.
 * @param shown how the file is named in messages
 */
export function readSchemaDocument(path: string, shown: string): SchemaDocument {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new BodySchemaError(`${shown}: there is no such file (it would be ${path})`);
  if (found.size > MAX_BYTES) throw new BodySchemaError(`${shown}: is larger than ${MAX_BYTES} bytes`);
  const { LineCounter, parseDocument } = load('yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) throw new BodySchemaError(`${shown}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
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
    throw new BodySchemaError(`${shown}: ${(error as Error).message}`);
  }
  return {
    path,
    tree,
    wrong: (at, what) =>
      new BodySchemaError(`${shown}${lineOf(at)}: ${at.length > 0 ? `${at.join('/')} ` : ''}${what}`),
  };
}

/** A schema that stands in the profile itself. */
export const inlineDocument = (path: string, tree: object): SchemaDocument => ({
  path,
  tree,
  wrong: (at, what) => new BodySchemaError(at.length > 0 ? `${at.join('/')} ${what}` : what, at),
});

/** The place of the first member that is meant, for a message about something the compiler tells no place of. */
export function placeWhere(
  node: unknown,
  isMeant: (key: string, value: unknown) => boolean,
  at: readonly (string | number)[] = [],
): (string | number)[] {
  if (typeof node !== 'object' || node === null) return [];
  for (const [key, value] of Object.entries(node)) {
    const place = [...at, Array.isArray(node) ? Number(key) : key];
    if (isMeant(key, value)) return place;
    const deeper = placeWhere(value, isMeant, place);
    if (deeper.length > 0) return deeper;
  }
  return [];
}
