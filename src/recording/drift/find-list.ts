/** Finds the long list of a body from its beginning, so that the list can be read row by row. */
import { readJsonBeginning } from '../../json-nodes.ts';

/** How many bytes of a body are searched for its list. */
export const BEGINNING_BYTES = 64 * 1024;

/**
 * The member names from the root to the outermost list that is still open at the end of the beginning of a JSON text;
 * undefined if there is none.
 * @example findJsonList('{"meta":{},"products":[{"upc":"1"},{"up') // ['products']
 */
export function findJsonList(beginning: string): readonly string[] | undefined {
  const path: string[] = [];
  let node = readJsonBeginning(beginning);
  while (node?.letter === '{' && node.end < 0) {
    node = node.children.at(-1);
    path.push(node?.name ?? '');
  }
  return node?.letter === '[' && node.end < 0 ? path : undefined;
}

/**
 * The element names from the root to the first element that occurs twice in the same parent, from the beginning of an XML
 * text.
 * @example findXmlRows('<a><b><c/><c/>') // ['a', 'b', 'c']
 */
export function findXmlRows(beginning: string): readonly string[] | undefined {
  const open: { readonly name: string; readonly seenNames: Set<string> }[] = [{ name: '', seenNames: new Set() }];
  const tags =
    /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[?!][^>]*>|<(\/?)([\w.:-]+)(?![\w.:-])((?:"[^"<]*"|'[^'<]*'|[^<>"'])*?)(\/?)>/gs;
  for (const [, close, qualified, , empty] of beginning.matchAll(tags)) {
    if (qualified === undefined) continue;
    const name = qualified.slice(qualified.indexOf(':') + 1);
    if (close) {
      open.pop();
      if (open.length === 0) return undefined;
      continue;
    }
    const { seenNames } = open.at(-1) as { seenNames: Set<string> };
    if (seenNames.has(name)) return [...open.slice(1).map((each) => each.name), name];
    seenNames.add(name);
    if (!empty) open.push({ name, seenNames: new Set() });
  }
  return undefined;
}
