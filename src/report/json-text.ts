/** JSON reports. They may be printed: what a terminal or a CI system would obey is escaped as JSON escapes it. */

const UNPRINTABLE = /(?![\u200c\u200d])[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]|#(?=#[\w.-]*\[)/gu;

const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * A value as indented JSON that ends its last line. It reads back as the same value.
 * @example jsonText({ a: '##[error]' }) // '{\n  "a": "\\u0023#[error]"\n}\n'
 */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2).replace(UNPRINTABLE, escaped)}\n`;
