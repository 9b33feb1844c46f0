/** Where in a message a minted value may stand, tried one by one: for values that could be anything else, too. */

import type { HeaderLines } from '../../exchange/header-lines.ts';
import { type LoadedResponse, withText } from '../format/loaded-response.ts';
import { ENCODINGS } from './generated-id-values.ts';

/** A text that is part of a message, and the message with another one in its place. */
export interface ReplaceableText<T> {
  readonly text: string;
  readonly change: (text: string) => T;
}

/** Body and header lines of an answer. */
export const responseTexts = (answer: LoadedResponse): ReplaceableText<LoadedResponse>[] => [
  { text: answer.text ?? '', change: (changed) => withText(answer, changed) },
  ...headerTexts(answer),
];

/** The header lines of a message. */
export const headerTexts = <T extends { readonly headers: HeaderLines }>(message: T): ReplaceableText<T>[] =>
  message.headers.map(([name, value], at) => ({
    text: value,
    change: (changed) => ({
      ...message,
      headers: message.headers.map((line, each) => (each === at ? ([name, changed] as const) : line)),
    }),
  }));

/** More occurrences of a short id are not looked at one by one. */
const MOST_OCCURRENCES = 24;

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[A-Za-z0-9]/.test(letter);

/** Where a word stands by itself. */
function* occurrences(text: string, word: string): Generator<number> {
  let seen = 0;
  for (let at = text.indexOf(word); at >= 0 && seen < MOST_OCCURRENCES; at = text.indexOf(word, at + word.length)) {
    if (isWord(text[at - 1]) || isWord(text[at + word.length])) continue;
    seen++;
    yield at;
  }
}

const put = (text: string, at: number, was: string, is: string): string =>
  `${text.slice(0, at)}${is}${text.slice(at + was.length)}`;

/** The first of many ways to put one value in another’s place that is what is wanted. */
export async function firstReplacement<T>(
  is: string,
  was: string,
  places: readonly ReplaceableText<T>[],
  wanted: (changed: T) => boolean | Promise<boolean>,
): Promise<T | undefined> {
  for (const spell of ENCODINGS.slice(0, 2))
    for (const { text, change } of places)
      for (const at of occurrences(text, spell(is))) {
        const changed = change(put(text, at, spell(is), spell(was)));
        if (await wanted(changed)) return changed;
      }
  return undefined;
}
