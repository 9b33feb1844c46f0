/** Quoted words of a command line, in which only our own variables are left to the shell. */
import { randomUUID } from 'node:crypto';
import { isPrintable } from './printable.ts';

/** No answer can hold it, so that none can have a variable read. */
const NONCE = randomUUID();
const MARKS = new RegExp(`\uE000${NONCE} (\\w+)\uE001`, 'g');

/** Stands in a text for a variable of the shell, until it is quoted. */
export const variableMark = (name: string): string => `\uE000${NONCE} ${name}\uE001`;

/** A word in `$'…'` (POSIX.1-2024, bash, zsh), in which control characters are written as escapes. */
const withEscapes = (text: string): string =>
  `$'${[...text]
    .map((char) => {
      if (char === '\\' || char === "'") return `\\${char}`;
      if (char !== '#' && isPrintable(char)) return char;
      return [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    })
    .join('')}'`;

const single = (text: string): string => (isPrintable(text) ? `'${text.replaceAll("'", `'\\''`)}'` : withEscapes(text));

/** A variable within double quotes, in braces where the next character could belong to its name. */
const expanded = (text: string): string =>
  text.replace(MARKS, (mark, name: string, at: number) =>
    /^\w/.test(text.slice(at + mark.length)) ? `\${${name}}` : `$${name}`,
  );

/**
 * A text as one word of a shell, in one line.
 * @example quote(`key: ${variableMark('ACME_KEY')}`) // "key: $ACME_KEY", with the double quotes
 */
export function quote(text: string): string {
  const around = text.split(MARKS).filter((_, at) => at % 2 === 0);
  if (around.length === 1) return single(text);
  if (!around.some((part) => /["\\$`!]/.test(part) || !isPrintable(part))) return `"${expanded(text)}"`;
  return text
    .split(MARKS)
    .map((part, at) => (at % 2 === 1 ? `"$${part}"` : part && single(part)))
    .join('');
}
