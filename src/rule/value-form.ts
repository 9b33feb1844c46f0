/** The form of a value among listed ones: its parts, and which of them change from value to value (section 2 shows no format). */
import { isDate } from './value-checks.ts';

/** The same part of all values of a form: a number, letters, a mixture of both, or what never changes. */
export interface Column {
  readonly kind: 'code' | 'digits' | 'letters' | 'constant';
  /** The part of the value that is imitated. */
  readonly text: string;
  /** The part of each listed value, each once; of names their words, and letters that they may have. */
  readonly listed: readonly string[];
}

const BASE64 = /^[A-Za-z0-9+/_-]{8,}={0,2}$/;
const WORD = /^[\p{L}\p{M}\p{Nd}]/u;
const DIGIT = /\p{Nd}/u;
const ASCII = /^[\x20-\x7e]+$/;
/** Names of both are no codes, which may lack some letters. */
const LETTERS = [/[a-z]/, /[A-Z]/];
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** A shorter code or word of a single value may be a fixed part of it. */
const MIN_CODE = 8;
/** Longer numbers are codes. */
const MAX_DIGITS = 15;
/** Shorter numbers without leading zeros grow, if only one value is listed. */
export const FIXED_OF_ONE = 3;

export const unique = <T>(items: Iterable<T>): T[] => [...new Set(items)];
const isNumber = (text: string): boolean => /^\d+$/.test(text);
/** Words and what separates them; an escaped character is a separator. */
const wordsOf = (text: string): string[] => text.match(/%[0-9a-f]{2}|[\p{L}\p{M}\p{Nd}]+|./gisu) ?? [];
const templateOf = (text: string): string =>
  wordsOf(text)
    .map((each) => (WORD.test(each) ? 'x' : each))
    .join('\n');
/** The numbers and letters of a word; a date has three numbers. */
const tokensOf = (word: string): string[] =>
  (word.match(/\d+|\D+/g) ?? []).flatMap((each) =>
    isDate(each) ? [each.slice(0, 4), each.slice(4, 6), each.slice(6)] : [each],
  );

/** The columns of a word: numbers and letters, if they are at the same places in all texts, or one code. */
function columnsOf(word: string, texts: readonly string[], isSingle: boolean): Column[] {
  const constant = (text: string): Column => ({ kind: 'constant', text, listed: [text] });
  if (!WORD.test(word) || (texts.length === 1 && !isSingle)) return [constant(word)];
  const tokens = tokensOf(word);
  const shapeOf = (parts: readonly string[]): string => parts.map(isNumber).join();
  const others = texts.map(tokensOf);
  const isMixed = isSingle
    ? tokens.length > 2 || (tokens.length === 2 && isNumber(word[0] as string))
    : others.some((each) => each.some((token, at) => !isNumber(token) && token !== tokens[at])) &&
      (tokens.length > 3 ||
        tokens.some((each) => isNumber(each) && each.length < FIXED_OF_ONE) ||
        others.some((each) => each.some((token, at) => token.length !== tokens[at]?.length)));
  const isCode =
    (isMixed && !isDate(word)) ||
    tokens.some((each) => isNumber(each) && each.length > MAX_DIGITS) ||
    others.some((each) => shapeOf(each) !== shapeOf(tokens));
  if (isCode)
    return [isSingle && word.length < MIN_CODE ? constant(word) : { kind: 'code', text: word, listed: texts }];
  return tokens.map((text, at): Column => {
    const listed = unique(others.map((each) => each[at] as string));
    if (listed.length === 1 && !(isSingle && isNumber(text))) return constant(text);
    return { kind: isNumber(text) ? 'digits' : 'letters', text, listed };
  });
}

/** The texts of the form of one of them, its columns, and those that change, the most variable ones first. */
export function formOf(like: string, texts: readonly string[]) {
  const names = texts.filter((each) => !DIGIT.test(each));
  if (names.includes(like) && names.length * 2 > texts.length) {
    // Names have no common number of words.
    const split = names.map(wordsOf);
    const isFixed = (word: string) => !WORD.test(word) || split.every((each) => each.includes(word));
    const isPlain = LETTERS.every((each) => each.test(names.join(''))) && names.every((each) => ASCII.test(each));
    const listed = unique([...split.flat(), ...(isPlain ? [ALPHABET, ALPHABET.toUpperCase()] : [])]);
    const columns = wordsOf(like).map(
      (text): Column => ({ kind: isFixed(text) ? 'constant' : 'letters', text, listed }),
    );
    return { peers: names, columns, isNames: true };
  }
  const peers = texts.filter((each) => templateOf(each) === templateOf(like));
  const split = peers.map(wordsOf);
  const columns = wordsOf(like).flatMap((word, at) =>
    columnsOf(word, unique(split.map((each) => each[at] as string)), peers.length === 1),
  );
  return { peers, columns, isNames: false };
}

/** The texts that are written in base64, and how one is written; as they are, if one is none of printable characters. */
export function decoded(texts: readonly string[]): {
  readonly inner: readonly string[];
  readonly write: (inner: string) => string;
} {
  for (const encoding of ['base64', 'base64url'] as const) {
    const read = (text: string): string => Buffer.from(text, encoding).toString('latin1');
    const write = (inner: string): string => Buffer.from(inner, 'latin1').toString(encoding);
    if (texts.every((each) => BASE64.test(each) && ASCII.test(read(each)) && write(read(each)) === each))
      return { inner: texts.map(read), write };
  }
  return { inner: texts, write: (inner) => inner };
}
