/** Replaces short ids, which may also occur as other values: tries each occurrence in a message, one by one. */

import type { HeaderLines } from '../../exchange/header-lines.ts';
import { type LoadedResponse, withText } from '../format/loaded-response.ts';
import { PLAIN_ENCODINGS } from './generated-id-values.ts';

/** A text in a message, and a function that returns the message with another text in its place. */
export interface ReplaceableText<T> {
  readonly text: string;
  readonly change: (text: string) => T;
}

/** Body and header lines of a response. */
export const responseTexts = (response: LoadedResponse): ReplaceableText<LoadedResponse>[] => [
  { text: response.text ?? '', change: (changed) => withText(response, changed) },
  ...headerTexts(response),
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

/** Further occurrences of a short id are not tried. */
const MAX_OCCURRENCES = 24;

const isWord = (letter: string | undefined): boolean => letter !== undefined && /[A-Za-z0-9]/.test(letter);

/** The offsets of a whole word. */
function* occurrences(text: string, word: string): Generator<number> {
  let seen = 0;
  for (let at = text.indexOf(word); at >= 0 && seen < MAX_OCCURRENCES; at = text.indexOf(word, at + word.length)) {
    if (isWord(text[at - 1]) || isWord(text[at + word.length])) continue;
    seen++;
    yield at;
  }
}

const replaceAt = (text: string, at: number, former: string, issued: string): string =>
  `${text.slice(0, at)}${issued}${text.slice(at + former.length)}`;

/** Replaces one occurrence of a value by another value: the first occurrence whose replacement is `wanted`. */
export async function firstReplacement<T>(
  issued: string,
  former: string,
  places: readonly ReplaceableText<T>[],
  wanted: (changed: T) => boolean | Promise<boolean>,
): Promise<T | undefined> {
  for (const encode of PLAIN_ENCODINGS)
    for (const { text, change } of places)
      for (const at of occurrences(text, encode(issued))) {
        const changed = change(replaceAt(text, at, encode(issued), encode(former)));
        if (await wanted(changed)) return changed;
      }
  return undefined;
}
