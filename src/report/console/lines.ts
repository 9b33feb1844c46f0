/** The lines of the console report: a head such as a sign or a label, and a text that wraps beside it. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { wrapText } from '../../terminal/wrap-text.ts';
import { MARKS, type Mark } from '../marks.ts';

/** What is styled: a verdict, a heading, or what is less important. */
export type Tone = Mark | 'heading' | 'faint';

const STYLES = {
  fail: 'red',
  error: 'magenta',
  waived: 'cyan',
  advice: 'yellow',
  inconclusive: 'yellow',
  untested: 'gray',
  pass: 'green',
  'not-applicable': 'gray',
  heading: 'bold',
  faint: 'dim',
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

/** Styles a text, or returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;

export const paintWith =
  (colour: boolean): Paint =>
  (tone, text) =>
    colour ? styleText(STYLES[tone], text, { validateStream: false }) : text;

export interface Line {
  readonly head: string;
  readonly text: string;
  /** A command to copy: it is never wrapped. */
  readonly isCommand?: true;
}

export const EMPTY_LINE: Line = { head: '', text: '' };

const LABEL_WIDTH = 10;

/** A line with a label. */
export const labelled = (indent: number, label: string, text: string): Line => ({
  head: `${' '.repeat(indent)}${label.padEnd(LABEL_WIDTH)}`,
  text,
});

/** A line with the sign of a mark. */
export const signed = (paint: Paint, mark: Mark, text: string, indent = 2): Line => ({
  head: `${' '.repeat(indent)}${paint(mark, MARKS[mark].sign)} `,
  text,
});

/** A line below one with a sign. */
export const below = (text: string): Line => ({ head: '    ', text });

/** A line of a text that is indented already: what follows wraps beside the indentation. */
export const indented = (text: string): Line => {
  const head = /^ */.exec(text)?.[0] ?? '';
  return { head, text: text.slice(head.length) };
};

/** A heading after an empty line. */
export const headed = (paint: Paint, title: string, lines: readonly Line[]): Line[] =>
  lines.length === 0 ? [] : [EMPTY_LINE, { head: '', text: paint('heading', title) }, ...lines];

/**
 * The lines as text. With a number of columns, long texts wrap and are continued beside their heads.
 * @example formatLines([labelled(2, 'target', 'http://host')]) // '  target    http://host\n'
 */
export function formatLines(lines: readonly Line[], columns?: number): string {
  if (columns === undefined) return lines.map(({ head, text }) => `${head}${text}\n`).join('');
  return lines
    .map(({ head, text, isCommand }) => {
      const hang = stripVTControlCharacters(head).length;
      if (isCommand || columns - hang < 20) return `${head}${text}\n`;
      return `${head}${wrapText(text, columns - hang).join(`\n${' '.repeat(hang)}`)}\n`;
    })
    .join('');
}

/**
 * The first items in one text, and the number of the others.
 * @example firstOf(['a', 'b', 'c'], 2) // 'a, b and 1 more'
 */
export const firstOf = (items: readonly string[], count: number): string =>
  items.length <= count ? items.join(', ') : `${items.slice(0, count).join(', ')} and ${items.length - count} more`;
