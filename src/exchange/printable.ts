/** Makes untrusted text safe for terminals and logs, which interpret control characters and commands of CI systems. */

/**
 * Characters that are no sign of a text: bidi controls, characters without width, line separators, lone surrogates and
 * noncharacters (Unicode 23.7). Joiners and variation selectors stay, because emoji and scripts need them.
 */
export const INVISIBLE = String.raw`(?![\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}\p{NChar}]`;

/** Those, and control characters (ESC, BEL, CR, C1 …). */
const UNPRINTABLE = new RegExp(String.raw`\p{Cc}|${INVISIBLE}`, 'gu');

/** `##[error]`, `##vso[…]`, `##teamcity[…]`: commands of CI systems, which some of them detect anywhere in a line. */
const COMMAND = /#(?=#[\w.-]*\[)/g;

/** `::error::`, `::set-output …`, a heading of a Buildkite log: commands at the beginning of a line, after optional blanks. */
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
 * Whether a terminal shows a text unchanged and a CI system finds no command in it.
 * @example isPrintable('caf\u00e9') // true
 */
export const isPrintable = (text: string): boolean => printable(text) === text;

/**
 * Returns an untrusted text as one line that terminals and CI systems do not interpret: commands and control characters
 * are escaped. Quotes and backslashes stay, because people read the line. The function is idempotent.
 * @example printable('{"a":1}\n\u001b[2J') // '{"a":1}\\n\\u001b[2J'
 * @example printable('::error::no') // '\\u003a:error::no'
 */
export const printable = (text: string): string =>
  text
    .replace(UNPRINTABLE, escaped)
    .replace(COMMAND, escaped)
    .replace(COMMAND_OF_LINE, (_, blanks: string, mark: string) => `${blanks}${escaped(mark)}`);

/** The same for a text of several lines: line breaks stay. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** How much of a cut word is shown: enough to recognize it, too little to be a credential. */
const SHOWN_OF_WORD = 8;

/**
 * The beginning of a text. A word that does not fit is cut to 8 characters: it may be a credential, and the functions that
 * hide credentials do not recognize half of one.
 * @param length in UTF-16 code units; a longer text ends with `…`
 * @example cutText('the token eyJhbGciOiJIUzI1NiJ9', 20) // 'the token eyJhbGci…'
 */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length);
  const word = /[^\s"'<>&,;:|()[\]{}]*$/.exec(kept)?.[0] ?? '';
  return `${kept.slice(0, kept.length - Math.max(0, word.length - SHOWN_OF_WORD))}…`;
}
