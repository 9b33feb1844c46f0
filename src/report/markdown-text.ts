/** Escapes text for Markdown reports (CommonMark, GitHub), so that none of it is markup. */
import { isPrintable, printable } from '../exchange/printable.ts';

/**
 * Text without a meaning in Markdown: no markup, address, mention, reference or emoji code. A space follows a colon, and
 * no letter follows a dot.
 */
const PLAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ,;()'"’‘“”–—…/%+=€£·→-]|[.:?](?=[\s)”’"]|$)|(?<=\d)\.(?=\d))*$/u;
/** Words that GitHub turns into links: `GH-12`, a commit hash. */
const REFERENCE = /\bGH-\d|\b[0-9a-f]{7,}\b/i;

/** A fence that is longer than every run of backticks in a text. */
const fenceFor = (text: string): string =>
  '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);

/**
 * A text as a code span, in which Markdown has no markup and GitHub makes no links and mentions.
 * @example codeSpan('<b>') // '`<b>`'
 */
export function codeSpan(text: string): string {
  const line = printable(text);
  if (line === '') return '';
  const fence = fenceFor(line);
  // Markdown strips one space on both sides, unless there are only spaces.
  const padded = /^`|`$/.test(line) || (/^ .* $/.test(line) && line.trim() !== '') ? ` ${line} ` : line;
  return `${fence}${padded}${fence}`;
}

/**
 * A text for a heading, a paragraph or a cell: plain words unchanged, any other text as a code span.
 * @example markdownText('answered 500') // 'answered 500'
 * @example markdownText('answered <b>') // '`answered <b>`'
 */
export const markdownText = (text: string): string =>
  PLAIN.test(text) && isPrintable(text) && !REFERENCE.test(text) ? text : codeSpan(text);

/** The id of a rule: ours contain no markup, those of a stored run may contain anything. */
export const ruleText = (rule: string): string => (/^[A-Za-z0-9.-]+$/.test(rule) ? rule : codeSpan(rule));

/**
 * Escapes `|`, which ends a cell even within a code span. After a backslash it becomes `\u007c`, since parsers interpret
 * `\\|` differently.
 */
const cell = (markdown: string): string => markdown.replaceAll('\\|', '\\u007c').replaceAll('|', '\\|');

const rowOf = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/**
 * The lines of a table.
 * @param rows cells of Markdown from the functions above, as many as in `head`
 */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  rowOf(head),
  `|${'---|'.repeat(head.length)}`,
  ...rows.map(rowOf),
];
