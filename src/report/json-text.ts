/** JSON reports. Control sequences of terminals and CI systems are written as JSON escapes, since reports may be printed. */

import { INVISIBLE } from '../exchange/printable.ts';

const UNPRINTABLE = new RegExp(String.raw`[\u007f-\u009f]|${INVISIBLE}|#(?=#[\w.-]*\[)`, 'gu');

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * A value as indented JSON with a final line feed. Parsing returns the same value.
 * @example jsonText({ a: '##[error]' }) // '{\n  "a": "\\u0023#[error]"\n}\n'
 */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2).replace(UNPRINTABLE, escaped)}\n`;
