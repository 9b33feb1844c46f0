/** Reads YAML or JSON with the line of every key. A merge key (`<<: *anchor`) adds the members of a map that the other map lacks. */
import type { Document, Node } from 'yaml';
import { requireFrom } from '../builtin-module.ts';
import { ProfileError } from './profile-error.ts';
import { MAX_FILE_DEPTH, oneLine, TOO_DEEP, yamlProblem } from './profile-location.ts';

/** Loads the library on first use. */
const loadYaml = () => requireFrom(import.meta.url, 'yaml') as typeof import('yaml');

/** The most values of a file in which each alias counts as a copy of its anchor: a short file can expand without end. */
const MAX_VALUES = 200_000;

/**
 * Checks the depth of a document and the number of its values with its aliases. Throws ProfileError with the line of what is
 * too much.
 */
function checkExpandedSize(document: Document, source: string, lineOf: (offset: number) => number): void {
  const { isAlias, isCollection, isPair } = loadYaml();
  const sizes = new Map<string, number>();
  const refuse = (node: Node | null, what: string): never => {
    throw new ProfileError(`${source}:${lineOf(node?.range?.[0] ?? 0)}: ${what}`);
  };
  const sizeOf = (node: unknown, depth: number): number => {
    if (depth > MAX_FILE_DEPTH) refuse(node as Node, TOO_DEEP);
    if (isAlias(node)) {
      const name = oneLine(node.source);
      return sizes.get(node.source) ?? refuse(node, `the alias *${name} is part of its own anchor; remove it`);
    }
    if (isPair(node)) return sizeOf(node.key, depth) + sizeOf(node.value, depth);
    let size = 1;
    for (const item of isCollection(node) ? node.items : []) {
      size += sizeOf(item, depth + 1);
      if (size <= MAX_VALUES || sizes.size === 0) continue;
      const last = (isPair(item) ? item.value : item) as Node | null;
      const alias = isAlias(last) ? `with the alias *${oneLine(last.source)} ` : '';
      refuse(
        last,
        `${alias}the file has more than ${MAX_VALUES} values; use aliases in fewer places, or let them name smaller values`,
      );
    }
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (anchor !== undefined) sizes.set(anchor, size);
    return size;
  };
  sizeOf(document.contents, 0);
}

/**
 * Parses a YAML or JSON text. Throws ProfileError.
 * @returns `lineOf`: returns `:LINE` of a location in the text
 */
export function readYaml(text: string, source: string) {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const [wrong] = document.errors;
  if (wrong) throw new ProfileError(`${source}:${lines.linePos(wrong.pos[0]).line}: ${yamlProblem(wrong)}`);
  checkExpandedSize(document, source, (offset) => lines.linePos(offset).line);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    throw new ProfileError(`${source}: ${oneLine((error as Error).message)}`);
  }
  return {
    tree: tree ?? {},
    lineOf: (path: readonly PropertyKey[]) => `:${lines.linePos(offsetOf(document, path)).line}`,
  };
}

/** The offset of a path’s key; for a missing key, that of its nearest existing parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const { isAlias, isMap, isScalar, isSeq } = loadYaml();
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === step)
      : undefined;
    const key = (pair?.key ?? (isSeq(node) ? node.items[Number(step)] : undefined)) as Node | null | undefined;
    if (!key?.range) break;
    offset = key.range[0];
    node = pair ? pair.value : key;
  }
  return offset;
}
