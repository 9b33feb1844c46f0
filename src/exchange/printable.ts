/** Making text of others fit for terminals and logs, which obey some characters and some beginnings of lines. */

/**
 * Controls (ESC, BEL, CR, C1 …), characters that order or hide others (bidi controls, zero width), separators of lines,
 * and halves of surrogate pairs. Joiners stay, for emoji and scripts need them.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** `##[error]`, `##vso[…]`, `##teamcity[…]`: commands of CI systems, some of which look for them anywhere in a line. */
const COMMAND = /#(?=#[\w.-]*\[)/g;

/** `::error::`, `::set-output …`, a heading of a Buildkite log: commands at the beginning of a line, blanks before it or not. */
const COMMAND_OF_LINE = /^(\s*)(:(?=:)|[-+~^](?=[-+~^]{2}(?:\s|$)))/;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  [...text]
    .map((char) => {
      const code = char.codePointAt(0) as number;
      return SHORT[char] ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`);
    })
    .join('');

/**
 * Whether a terminal shows a text as it is and a log obeys nothing in it.
 * @example isPrintable('caf\u00e9') // true
 */
export const isPrintable = (text: string): boolean => printable(text) === text;

/**
 * A text of others as one line that a terminal and a CI system only show: what they would obey is written as an escape.
 * Quotes and backslashes stay as they are, for it is read by people. Doing it twice does no more than once.
 * @example printable('{"a":1}\n\u001b[2J') // '{"a":1}\\n\\u001b[2J'
 * @example printable('::error::no') // '\\u003a:error::no'
 */
export const printable = (text: string): string =>
  text
    .replace(UNPRINTABLE, escaped)
    .replace(COMMAND, escaped)
    .replace(COMMAND_OF_LINE, (_, blanks: string, mark: string) => `${blanks}${escaped(mark)}`);

/** The same for a text of several lines, which stay lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
