/** The values of XML with their paths and offsets. */
import { ELEMENT, ELEMENT_END, marker, type PathValue, SyntaxMismatch } from './path-value.ts';

const MARKUP =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?[^>]*>|<(\/?)([^\s/<>]+)(?![^\s/<>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>|([^<]+)/gy;

const ATTRIBUTE = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g;

/** The values of elements and attributes. Throws SyntaxMismatch if elements do not nest. */
export function xmlValues(text: string): PathValue[] {
  const values: PathValue[] = [];
  const openElements: string[] = [];
  let read = 0;
  for (const match of text.matchAll(MARKUP)) {
    read += match[0].length;
    const [all, cdata, closing, name, attributes = '', empty, words] = match;
    const path = `/${['.', ...openElements.slice(1)].join('/')}`;
    if (cdata !== undefined) {
      const start = match.index + '<![CDATA['.length;
      values.push({ path, value: cdata, start, end: start + cdata.length });
    } else if (words !== undefined) {
      const value = words.trim();
      if (value === '') continue;
      const start = match.index + words.indexOf(value);
      values.push({ path, value, start, end: start + value.length });
    } else if (name === undefined) continue;
    else if (closing === '/') {
      if (openElements.pop() !== name) throw new SyntaxMismatch();
      values.push(marker(path, ELEMENT_END));
    } else {
      // The name of the root element differs between operations, its content does not.
      const isRoot = openElements.length === 0;
      const elementPath = isRoot ? '/.' : `${path}/${name}`;
      values.push(marker(elementPath, ELEMENT), ...(isRoot ? [marker(elementPath, name)] : []));
      const from = match.index + all.indexOf(name) + name.length;
      const attributeValues = [...attributes.matchAll(ATTRIBUTE)].map(
        ({ 0: pair, 1: attribute, 2: quoted = '', index }): PathValue => {
          const start = from + index + pair.length - quoted.length + 1;
          const value = quoted.slice(1, -1);
          return { path: `${elementPath}/@${attribute}`, value, start, end: start + value.length };
        },
      );
      values.push(...attributeValues.sort((a, b) => (a.path < b.path ? -1 : 1)));
      if (empty === '/') values.push(marker(elementPath, ELEMENT_END));
      else openElements.push(name);
    }
  }
  if (openElements.length > 0 || read !== text.length) throw new SyntaxMismatch();
  return values;
}
