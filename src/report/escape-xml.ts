/** Escapes text for XML and HTML documents, so that none of it is markup. */
import { printable } from '../exchange/printable.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML 1.0 does not allow, even as references. `printable` escapes lone surrogates and control characters. */
const NOT_IN_XML = /[\ufffe\uffff]/g;

/**
 * A text as content or attribute value, in one line. Characters that XML does not allow, and control sequences of
 * terminals and CI systems, are escaped.
 * @example escapeXml('<b>\u0000') // '&lt;b&gt;\\u0000'
 */
export const escapeXml = (text: string): string =>
  printable(text)
    .replace(NOT_IN_XML, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
