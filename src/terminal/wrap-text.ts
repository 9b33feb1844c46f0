/** Wraps text to the width of a terminal. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * The rows of a text in this many columns. A letter may be two columns wide, or none; a word that is longer than a row is
 * broken. Styles continue in the next row.
 * @param byWord false fills each row; default: rows end at a blank where there is one
 * @example wrapText('one two', 4) // ['one', 'two']
 */
export function wrapText(
  text: string,
  columns: number,
  { byWord = true }: { readonly byWord?: boolean } = {},
): string[] {
  // Loaded only for a terminal.
  const { default: wrap } = load('wrap-ansi') as typeof import('wrap-ansi');
  return wrap(text, columns, { hard: true, trim: byWord, wordWrap: byWord }).split('\n');
}
