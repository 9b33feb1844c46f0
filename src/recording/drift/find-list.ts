/** Finds the long list of a body from its beginning, so that the list can be read row by row. */
import { readJsonBeginning } from '../../json-nodes.ts';
import { readXmlBeginning, type XmlElement } from '../../xml-nodes.ts';

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
export const findXmlRows = (beginning: string): readonly string[] | undefined =>
  repeatedIn(readXmlBeginning(beginning));

function repeatedIn({ children }: XmlElement): readonly string[] | undefined {
  const seenNames = new Set<string>();
  for (const child of children) {
    if (!('name' in child)) continue;
    const name = child.name.slice(child.name.indexOf(':') + 1);
    const below = seenNames.has(name) ? [] : repeatedIn(child);
    if (below) return [name, ...below];
    seenNames.add(name);
  }
  return undefined;
}
