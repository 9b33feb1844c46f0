/** Shortens example bodies: lists keep their first elements. */
import { isPlainObject } from '../../plain-object.ts';

/** The elements of a list that an example shows. */
const MAX_ELEMENTS = 2;
const MAX_LINES = 4;

/** @example shortenJson({ items: [1, 2, 3] }) // { items: [1, 2] } */
export function shortenJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map(shortenJson);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortenJson(each)]));
}

/** The first lines of a text. */
export const shortenLines = (text: string): string =>
  (text.match(/[^\n]*(?:\n|$)/g) ?? []).slice(0, MAX_LINES).join('');

const TAG =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w:.-]+)(?:"[^"]*"|'[^']*'|[^>"'])*?(\/?)>/g;

/** Removes all but the first elements of each name from each element of a well-formed XML document. */
export function shortenXml(text: string): string {
  let shortened = '';
  let from = 0;
  /** The number of child elements by name, for each open element. */
  const counts: Map<string, number>[] = [new Map()];
  /** The depth of the element that is left out; undefined outside such an element. */
  let omitted: number | undefined;
  for (const { 0: tag, 1: end, 2: name, 3: empty, index } of text.matchAll(TAG)) {
    if (name === undefined) continue;
    const after = index + tag.length;
    if (end === '') {
      const siblings = counts.at(-1) as Map<string, number>;
      const count = (siblings.get(name) ?? 0) + 1;
      siblings.set(name, count);
      if (omitted === undefined && count > MAX_ELEMENTS) {
        shortened += text.slice(from, index);
        omitted = counts.length;
      }
      if (empty === '') counts.push(new Map());
    } else counts.pop();
    if (omitted === counts.length && (end !== '' || empty !== '')) {
      from = after;
      omitted = undefined;
    }
  }
  return shortened + text.slice(from);
}
