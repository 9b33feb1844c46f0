/** An OpenAPI description in memory: its main file, the files it refers to, and how references are followed. */
import { isTree, pointAt, type Tree, textAt } from './tree.ts';

/** A description that cannot be used; the message is one sentence: file, what is wrong, what to do. */
export class DescriptionError extends Error {}

export interface Description {
  /** As the user named it. */
  readonly source: string;
  readonly root: Tree;
  /** Every file read, by the name references use for it after {@link bindReferences}. */
  readonly files: ReadonlyMap<string, unknown>;
  /** References that lead nowhere, with the reason; grows while the description is read. */
  readonly broken: Map<string, string>;
}

const MAX_DEPTH = 200;

/**
 * Rewrites every `$ref` of a parsed file to `FILE#POINTER`, so that it means the same wherever it is read, and tells
 * which files are referred to. A tree that is reached twice (a YAML alias) is visited once.
 *
 * @param fileOf the file a relative reference names; undefined when it may not be read
 * @param shown how the file is called in messages
 */
export function bindReferences(
  tree: unknown,
  own: string,
  fileOf: (reference: string) => string | undefined,
  shown: string = own,
): string[] {
  const seen = new WeakSet<object>();
  const above = new Set<object>();
  const files = new Set<string>();
  const visit = (node: unknown, depth: number): void => {
    if (typeof node !== 'object' || node === null) return;
    if (above.has(node)) throw new DescriptionError(`${shown}: a YAML alias stands inside what it names`);
    if (seen.has(node)) return;
    if (depth > MAX_DEPTH) throw new DescriptionError(`${shown}: is nested deeper than ${MAX_DEPTH} levels`);
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
    above.add(node);
    for (const each of Object.values(node)) visit(each, depth + 1);
    above.delete(node);
  };
  visit(tree, 0);
  files.delete(own);
  return [...files];
}

/** What stands at a `FILE#POINTER`; undefined, and remembered as broken, where nothing does. */
function follow(description: Description, reference: string): unknown {
  const cut = reference.indexOf('#');
  const name = cut < 0 ? reference : reference.slice(0, cut);
  const found = description.files.has(name)
    ? pointAt(description.files.get(name), cut < 0 ? '' : reference.slice(cut + 1))
    : undefined;
  if (found === undefined && !description.broken.has(reference)) {
    const why = description.files.has(name) ? 'nothing stands there' : 'only files beside the description are read';
    description.broken.set(reference, why);
  }
  return found;
}

/**
 * A node with its references followed, and the name of the last one. Members beside a `$ref` add to what it names, as
 * OpenAPI 3.1 has it. A circle of references is an empty node.
 */
export function deref(description: Description, node: unknown): { readonly node: Tree; readonly name?: string } {
  let current = node;
  let beside: Tree = {};
  let name: string | undefined;
  const seen = new Set<string>();
  for (;;) {
    if (!isTree(current)) return { node: beside, ...(name !== undefined && { name }) };
    const reference = textAt(current, '$ref');
    if (reference === undefined) return { node: { ...current, ...beside }, ...(name !== undefined && { name }) };
    if (seen.has(reference)) return { node: {} };
    seen.add(reference);
    const { $ref: _, ...own } = current;
    beside = { ...own, ...beside };
    name = reference
      .split('/')
      .at(-1)
      ?.replace(/\.(ya?ml|json)#?$/, '');
    current = follow(description, reference);
  }
}
