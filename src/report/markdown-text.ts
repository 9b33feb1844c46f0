/** Text in Markdown reports, as CommonMark and GitHub read it: nothing of it becomes markup. */
import { printable } from '../exchange/printable.ts';

/**
 * Words that mean nothing to any Markdown: no character of markup, no address, no mention, no reference, no emoji code. A
 * colon is followed by a blank, a dot by no letter.
 */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ,;()'"’‘“”–—…/%+=€£·→-]|[.:?](?=[\s)”’"]|$)|(?<=\d)\.(?=\d))*$/u;
/** What GitHub makes links of though it looks like words: `GH-12`, a commit. */
const REFERENCE = /\bGH-\d|\b[0-9a-f]{7,}\b/i;

/** Longer than every run of backticks in a text. */
const fenceFor = (text: string): string =>
  '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);

/**
 * A text as a code span: the one place where Markdown reads no markup, and where GitHub makes no links and mentions.
 * @example codeSpan('<b>') // '`<b>`'
 */
export function codeSpan(text: string): string {
  const line = printable(text);
  if (line === '') return '';
  const fence = fenceFor(line);
  // One blank on both sides is taken away again, unless there are only blanks.
  const padded = /^`|`$/.test(line) || (/^ .* $/.test(line) && line.trim() !== '') ? ` ${line} ` : line;
  return `${fence}${padded}${fence}`;
}

/**
 * A text for a heading, a paragraph or a cell: plain words as they are, all else as a code span.
 * @example markdownText('answered 500') // 'answered 500'
 * @example markdownText('answered <b>') // '`answered <b>`'
 */
export const markdownText = (text: string): string =>
  PLAIN.test(text) && !REFERENCE.test(text) ? text : codeSpan(text);

/**
 * A bar would end its cell, even within a code span, so it is escaped; behind a backslash, where readers disagree on what
 * `\\|` is, it is written as `\u007c`.
 */
const cell = (markdown: string): string => markdown.replaceAll('\\|', '\\u007c').replaceAll('|', '\\|');

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/**
 * The lines of a table.
 * @param rows cells of Markdown, made by the functions above, as many as `head` has
 */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  rowOf(head),
  `|${'---|'.repeat(head.length)}`,
  ...rows.map(rowOf),
];
