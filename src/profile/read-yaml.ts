/** Reads YAML or JSON with the line of every key. */
import { createRequire } from 'node:module';
import type { Document, Node } from 'yaml';
import { ProfileError } from './profile-error.ts';
import { oneLine } from './profile-location.ts';

/** Loads a library on first use. */
const load = createRequire(import.meta.url);

/**
 * Parses a YAML or JSON text. Throws ProfileError.
 * @returns `lineOf`: returns `:LINE` of a location in the text
 */
export function readYaml(text: string, source: string) {
  const { LineCounter, parseDocument } = load('yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) throw new ProfileError(`${source}:${lines.linePos(wrong.pos[0]).line}: ${oneLine(wrong.message)}`);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: 50 });
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
  const { isAlias, isMap, isScalar, isSeq } = load('yaml') as typeof import('yaml');
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
