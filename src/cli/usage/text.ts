/** Formats the help of a command. */
import type { Flags } from '../../config/flag.ts';

/** The help of a command; it loads nothing that the command needs. */
export interface Usage {
  readonly summary: string;
  readonly usage: string;
}

const NAME_LENGTH = 20;

/**
 * Formats names and what they mean in two columns.
 * @param width the width of the first column; a longer name is followed by two spaces
 */
const rows = (entries: readonly (readonly [name: string, means: string])[], width: number): string =>
  entries
    .map(([name, means]) => {
      const head = name.length > width ? `${name} ` : name.padEnd(width);
      return `  ${head} ${means.replaceAll('\n', `\n${' '.repeat(width + 3)}`)}`;
    })
    .join('\n');

/** Formats words of the command line that are no flags. */
export const words = (means: Readonly<Record<string, string>>, width = NAME_LENGTH): string =>
  rows(Object.entries(means), width);

/** Formats flags, one row each. */
export const flags = (table: Flags, width = NAME_LENGTH): string =>
  rows(
    Object.entries(table).flatMap(([key, text]) => {
      if (text === '') return [];
      return [
        typeof text === 'string' ? ([`--${key.replace(/…$/, '')}`, text] as const) : ([text.as, text.help] as const),
      ];
    }),
    width,
  );

/** Joins the paragraphs of a help; an array is one paragraph. */
export const paragraphs = (...parts: readonly (string | readonly string[])[]): string =>
  parts.map((part) => [part].flat().join('\n')).join('\n\n');

export const INTERRUPTION = '130 Ctrl-C · 143 SIGTERM';
