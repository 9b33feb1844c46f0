/** Quotes words of a command line; the shell expands only variables that `variableMark` inserted. */
import { randomUUID } from 'node:crypto';
import { isPrintable } from './printable.ts';

/** Random, so that no response can contain it and make the shell expand a variable. */
const NONCE = randomUUID();
const MARKS = new RegExp(`\uE000${NONCE} (\\w+)\uE001`, 'g');

/** Marks a shell variable in a text until the text is quoted. */
export const variableMark = (name: string): string => `\uE000${NONCE} ${name}\uE001`;

/** A word in `$'…'` (POSIX.1-2024, bash, zsh), with control characters as escapes. */
const withEscapes = (text: string): string =>
  `$'${[...text]
    .map((char) => {
      if (char === '\\' || char === "'") return `\\${char}`;
      if (char !== '#' && isPrintable(char)) return char;
      return [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
    })
    .join('')}'`;

const single = (text: string): string => (isPrintable(text) ? `'${text.replaceAll("'", `'\\''`)}'` : withEscapes(text));

/** Writes variables for double quotes, in braces where the next character could belong to the name. */
const expanded = (text: string): string =>
  text.replace(MARKS, (mark, name: string, at: number) =>
    /^\w/.test(text.slice(at + mark.length)) ? `\${${name}}` : `$${name}`,
  );

/**
 * Quotes a text as one word of a shell, in one line.
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
