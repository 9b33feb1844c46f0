/** Escapes text for XML and HTML documents, so that none of it is markup. */
import { printable } from '../exchange/printable.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text as content or attribute value, in one line. Characters that XML does not allow, and control sequences of
 * terminals and CI systems, are escaped.
 * @example escapeXml('<b>\u0000') // '&lt;b&gt;\\u0000'
 */
export const escapeXml = (text: string): string =>
  printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char] as string);
