/** Text in XML and HTML documents: nothing of it becomes markup. */
import { printable } from '../exchange/printable.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What no XML 1.0 document can hold, not even as a reference; halves of surrogate pairs and controls are made printable. */
const NOT_IN_XML = /[\ufffe\uffff]/g;

/**
 * A text as content or as the value of an attribute, in one line. What XML cannot hold, and what terminals and CI systems
 * would obey when they print the document, is written as an escape.
 * @example escapeXml('<b>\u0000') // '&lt;b&gt;\\u0000'
 */
export const escapeXml = (text: string): string =>
  printable(text)
    .replace(NOT_IN_XML, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
