/** An OpenAPI description in memory: its main file, the files it refers to, and the resolution of references. */
import { isPlainObject, type PlainObject, pointAt, textAt } from '../plain-object.ts';

/** An invalid description. The message is one sentence: file, problem, what to do. */
export class DescriptionError extends Error {}

export interface Description {
  /** The path as the user wrote it. */
  readonly source: string;
  readonly root: PlainObject;
  /** Every file read, by its name in references after {@link bindReferences}. */
  readonly files: ReadonlyMap<string, unknown>;
  /** References that cannot be resolved, with the reason; grows while the description is read. */
  readonly unresolvedReferences: Map<string, string>;
}

const MAX_DEPTH = 200;

/**
 * Rewrites every `$ref` of a parsed file to `FILE#POINTER`, so that it no longer depends on its file, and returns
 * the files referred to. An object that occurs twice (a YAML alias) is visited once.
 *
 * @param fileOf returns the file of a relative reference; undefined if it must not be read
 * @param displayName the name of the file in messages
 */
export function bindReferences(
  tree: unknown,
  own: string,
  fileOf: (reference: string) => string | undefined,
  displayName: string = own,
): string[] {
  const seen = new WeakSet<object>();
  const ancestors = new Set<object>();
  const files = new Set<string>();
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    if (ancestors.has(node))
      throw new DescriptionError(`${displayName}: a YAML alias refers to a node that contains it`);
    if (seen.has(node)) return;
    if (depth > MAX_DEPTH) throw new DescriptionError(`${displayName}: is nested deeper than ${MAX_DEPTH} levels`);
    seen.add(node);
    const reference = textAt(node, '$ref');
    if (reference !== undefined) {
      const [name = '', pointer = ''] = reference.split('#');
      const file = name === '' ? own : fileOf(name);
      if (file !== undefined) {
        files.add(file);
        (node as Record<string, unknown>).$ref = `${file}#${pointer}`;
      }
    }
    ancestors.add(node);
    for (const each of Object.values(node)) visit(each, depth + 1);
    ancestors.delete(node);
  };
  visit(tree, 0);
  files.delete(own);
  return [...files];
}

/** Resolves a `FILE#POINTER`; undefined, and recorded as unresolved, if there is no node. */
function follow(description: Description, reference: string): unknown {
  const hash = reference.indexOf('#');
  const name = hash < 0 ? reference : reference.slice(0, hash);
  const found = description.files.has(name)
    ? pointAt(description.files.get(name), hash < 0 ? '' : reference.slice(hash + 1))
    : undefined;
  if (found === undefined && !description.unresolvedReferences.has(reference)) {
    const why = description.files.has(name)
      ? 'there is no such node'
      : 'only files in the folder of the description are read';
    description.unresolvedReferences.set(reference, why);
  }
  return found;
}

/**
 * Resolves the references of a node, and returns the name of the last one. Members next to a `$ref` extend its target, as in
 * OpenAPI 3.1. A cycle of references is an empty node.
 */
export function deref(description: Description, node: unknown): { readonly node: PlainObject; readonly name?: string } {
  let current = node;
  let siblings: PlainObject = {};
  let name: string | undefined;
  const seen = new Set<string>();
  for (;;) {
    if (!isPlainObject(current)) return { node: siblings, ...(name !== undefined && { name }) };
    const reference = textAt(current, '$ref');
    if (reference === undefined) return { node: { ...current, ...siblings }, ...(name !== undefined && { name }) };
    if (seen.has(reference)) return { node: {} };
    seen.add(reference);
    const { $ref: _, ...own } = current;
    siblings = { ...own, ...siblings };
    name = reference
      .split('/')
      .at(-1)
      ?.replace(/\.(ya?ml|json)#?$/, '');
    current = follow(description, reference);
  }
}
