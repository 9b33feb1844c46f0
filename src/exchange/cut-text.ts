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
