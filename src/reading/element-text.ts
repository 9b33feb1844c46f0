/** The text of a node of the XML tree. */

/** The text of an XML element that has no child elements. */
export function textOfElement(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('#text' in node)) return undefined;
  return Object.keys(node).every((name) => name === '#text' || name.startsWith('@')) ? node['#text'] : undefined;
}
