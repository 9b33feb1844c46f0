/**
 * Values that no list of a service contains, of the form of those that lists contain: ids, names, codes (their formats are
 * not shown, section 2). A value of another form may be refused as malformed, which says nothing about unknown ones.
 */
import type { InputValue } from '../profile/template.ts';
import { mixBits, seededHash } from './draws.ts';

type Check = (text: string) => boolean;

const digitOf = (character: string): number => Number.parseInt(character, 36);

/** The sum of the digits from the last one on, each times the weight of its place. */
const sumOf = (digits: string, weight: (place: number) => number, write = (value: number): number => value): number =>
  [...digits].reverse().reduce((sum, each, place) => sum + write(digitOf(each) * weight(place)), 0);

const isLuhn: Check = (digits) =>
  /^\d+$/.test(digits) &&
  sumOf(
    digits,
    (place) => 1 + (place % 2),
    (value) => (value > 9 ? value - 9 : value),
  ) %
    10 ===
    0;
/** Whether the last digit of a UPC, EAN or GTIN is its check digit. */
export const isGs1: Check = (digits) =>
  /^\d+$/.test(digits) && sumOf(digits, (place) => 1 + 2 * (place % 2)) % 10 === 0;
/** ISO 7064, with letters as 10 to 35. */
const isMod97: Check = (text) =>
  [...text].reduce((rest, each) => (rest * (digitOf(each) > 9 ? 100 : 10) + digitOf(each)) % 97, 0) === 1;
/** ISBN of 10 characters. */
const isMod11: Check = (text) => {
  const last = text.slice(-1);
  return (
    /^\d{9}[\dX]$/i.test(text) &&
    (sumOf(text.slice(0, -1), (place) => place + 2) + (last.toUpperCase() === 'X' ? 10 : digitOf(last))) % 11 === 0
  );
};

/** @example isDate('20240229') // true */
function isDate(text: string): boolean {
  const [, year, month, day] = /^((?:19|20)\d\d)-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

const allDigits = (text: string): string => text.replace(/\D/g, '');
const lastDigits = (text: string): string => /\d+(?=\D*$)/.exec(text)?.[0] ?? '';
const alphanumerics = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');

/** The characters that a check digit covers: all digits, the last number, all letters and digits, those in the order of IBAN. */
const PARTS: readonly ((text: string) => string)[] = [
  allDigits,
  lastDigits,
  alphanumerics,
  (text) => alphanumerics(text).replace(/^(.{4})(.*)$/, '$2$1'),
];
const MIN_CHECKED = 6;

const CHECKS: readonly Check[] = [
  ...PARTS.flatMap((part) =>
    [isLuhn, isGs1, isMod97, isMod11].map(
      (check): Check =>
        (text) =>
          part(text).length >= MIN_CHECKED && check(part(text)),
    ),
  ),
  (text) => isDate(/\d{4}-\d\d-\d\d|(?<!\d)\d{8}(?!\d)/.exec(text)?.[0] ?? ''),
  // A week of ISO 8601
  (text) => /(?<!\d)\d{4}-?W(0[1-9]|[1-4]\d|5[0-3])(?!\d)/.test(text),
];

/** The checks that all texts meet, so that one more text of the form has to meet them, too; few texts meet one by chance. */
const checksOf = (texts: readonly string[]): readonly Check[] => CHECKS.filter((each) => texts.every(each));

/** The same part of all values of a form: a number, letters, a mixture of both, or what never changes. */
interface Column {
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
const FIXED_OF_ONE = 3;

const unique = <T>(items: Iterable<T>): T[] => [...new Set(items)];
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
function formOf(like: string, texts: readonly string[]) {
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
function decoded(texts: readonly string[]): {
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

/** Values of one form that no list contains. */
export interface Invention {
  /** Two values, or one that the profile states. */
  readonly values: readonly InputValue[];
  /** Why a service hardly knows such a value, for findings. */
  readonly why: string;
  /** There are so many values of the form that a service knows none by chance, also if it lists not all that it knows. */
  readonly isRare: boolean;
  /** Several listed values show the form, or it is a standard, so that an error is not about the form. */
  readonly isLearned: boolean;
}

/** How a column changes: to a number between listed ones, to a text of the same length, or to a longer one. */
type Strategy = 'between' | 'same' | 'longer';

/** Other texts of a column: their number, and one of them; `isNear`: it may be near the listed numbers. */
interface Variation {
  readonly size: number;
  readonly draw: (isNear: boolean) => string;
}

/** A number from 0 to below 1. */
type Random = () => number;

/** The end of a code that changes: its start may be a time, a version or a check digit. */
const CODE_END = 12;
/** Shorter numbers of several equally long ones, without leading zeros, grow. */
const FIXED_OF_SEVERAL = 2;
const LONGER_BY = 3;
const LONG_WORD = 9;
/** So many values for each listed one are rare. */
const RARE = 100;
/** Numbers at this average distance are no sequence. */
const SPARSE_DISTANCE = 50;
const TRIES = 6000;
/** 2³² ÷ the golden ratio: its multiples spread evenly. */
const SPREAD = 0x9e3779b9;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const CLASSES = [/\p{Nd}/u, /\p{Lu}/u, /\p{Ll}/u, /\p{L}/u];
const KINDS: readonly Column['kind'][] = ['code', 'digits', 'letters'];

const classOf = (character: string): number => CLASSES.findIndex((each) => each.test(character));
const draw = (from: number, to: number, random: Random): number => from + Math.floor(random() * (to - from + 1));

function numbersLike({ text, listed }: Column, strategy: Strategy, random: Random): Variation | undefined {
  const numbers = listed.map(Number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const isPadded = listed.some((each) => /^0\d/.test(each));
  const isFixed = listed.every(({ length }) => length === text.length);
  if (strategy === 'longer') {
    const tail = 10 ** (String(most).length + LONGER_BY - 1);
    return { size: tail, draw: () => String(draw(9 * tail, 10 * tail - 1, random)) };
  }
  const [from, to] = strategy === 'between' ? [least, most] : [most + 1, 10 ** text.length - 1];
  if (to <= from || (!isFixed && (isPadded || strategy === 'same'))) return undefined;
  // Numbers far from those of a sequence are in no list of it soon.
  const far = strategy === 'between' ? from : Math.ceil((from + to) / 2);
  return {
    size: strategy === 'between' ? 1 : to - from,
    draw: (isNear) => String(draw(isNear ? from : far, to, random)).padStart(isFixed ? text.length : 1, '0'),
  };
}

/** Characters of the same classes, of those that the column has, where not all texts have the same one. */
function charactersLike({ kind, text, listed }: Column, strategy: Strategy, random: Random): Variation | undefined {
  if (strategy === 'between' || (strategy === 'longer' && kind === 'code')) return undefined;
  const known = Map.groupBy(new Set(listed.join('')), classOf);
  const isFixed = kind === 'code' && listed.length > 1 && listed.every(({ length }) => length === text.length);
  const characters = [...(strategy === 'longer' ? text.repeat(Math.ceil(LONG_WORD / text.length)) : text)];
  const choices = characters.map((each, at) => {
    const isKept = isFixed && listed.every((other) => other[at] === each);
    return isKept || at < text.length - CODE_END || classOf(each) < 0 ? [each] : (known.get(classOf(each)) ?? [each]);
  });
  return {
    size: choices.reduce((product, { length }) => product * length, 1),
    draw: () => choices.map((each) => each[draw(0, each.length - 1, random)]).join(''),
  };
}

/** A listed text of a column. */
const listedPart = ({ listed }: Column, random: Random): Variation => ({
  size: listed.length,
  draw: () => listed[draw(0, listed.length - 1, random)] as string,
});

/** The strategies for a column, and those for the case that the service refuses the format of the first value. */
function strategiesFor({ kind, text, listed }: Column): readonly (readonly Strategy[])[] {
  const numbers = listed.map(Number);
  const distance = (Math.max(...numbers) - Math.min(...numbers)) / listed.length;
  if (kind !== 'digits') return [['same'], ['longer']];
  if (distance >= SPARSE_DISTANCE) return [['between'], ['same', 'longer']];
  const isLong = text.length >= (listed.length > 1 ? FIXED_OF_SEVERAL : FIXED_OF_ONE);
  const isFixed = isLong && listed.every(({ length }) => length === text.length);
  return isFixed || listed.some((each) => /^0\d/.test(each))
    ? [['same', 'between'], ['longer']]
    : [['longer', 'between']];
}

const maskOf = (text: string): string =>
  text.replace(/\p{L}/gu, (each) => (/\p{Lu}/u.test(each) ? 'A' : 'a')).replace(/\p{Nd}/gu, '0');

/**
 * Invents values like a listed one: first of its form, then of another length, for a service that refuses the format of the
 * first ones or may know them without listing them. A number stays a number. Empty if the form cannot be learned: of one
 * word, code or name nothing shows which part changes.
 *
 * @param listed values of the same kind, in any order
 * @param isTaken whether a text is in any list; another seed gives other values
 * @example unlistedLike('DIM-00017', ['DIM-00018'], () => false, 1) // DIM-83920, DIM-75119: 'of the form DIM-00000 of 2 listed values'
 */
export function unlistedLike(
  like: InputValue,
  listed: Iterable<InputValue>,
  isTaken: (text: string) => boolean,
  seed: number,
): readonly Invention[] {
  const texts = unique([String(like), ...[...listed].map(String).sort()]);
  const { inner, write } = decoded(texts);
  const { peers, columns, isNames } = formOf(inner[0] as string, inner);
  const changing = columns
    .map((column, at) => ({ column, at }))
    .filter(({ column }) => column.kind !== 'constant')
    .sort(
      (x, y) =>
        y.column.listed.length - x.column.listed.length ||
        (peers.length > 1 &&
          (KINDS.indexOf(x.column.kind) - KINDS.indexOf(y.column.kind) ||
            y.column.text.length - x.column.text.length)) ||
        y.at - x.at,
    );
  const [top] = changing;
  if (!top) return [];
  const checks = checksOf(peers);
  const [first = [], second = []] = strategiesFor(top.column);
  const invent = (strategy: Strategy): Invention | undefined => {
    let state = seededHash(`${like} ${strategy}`, seed);
    const random = (): number => {
      state = (state + SPREAD) >>> 0;
      return mixBits(state) / 2 ** 32;
    };
    const variations = new Map<number, Variation>();
    let size = 1;
    for (const { column, at } of changing) {
      if (!isNames && (size >= RARE * peers.length || (size > 1 && peers.length === 1))) break;
      const change = column.kind === 'digits' ? numbersLike : charactersLike;
      const variation =
        column === top.column || isNames ? change(column, strategy, random) : listedPart(column, random);
      if (!variation) return undefined;
      variations.set(at, variation);
      size *= variation.size;
    }
    const values = new Set<string>();
    let tries = 0;
    for (; tries < TRIES && values.size < 2; tries++) {
      const text = columns.map((each, at) => variations.get(at)?.draw(tries > TRIES / 2) ?? each.text).join('');
      if (!isTaken(write(text)) && !inner.includes(text) && checks.every((each) => each(text))) values.add(text);
    }
    if (values.size < 2) return undefined;
    const form = columns.map((each, at) => (variations.has(at) ? maskOf(each.text) : each.text)).join('');
    const count = peers.length === 1 ? 'the only listed value' : `${peers.length} listed values`;
    return {
      values: [...values].map(write).map((each) => (typeof like === 'number' ? Number(each) : each)),
      why: `${strategy === 'longer' ? 'longer than' : 'of'} the form ${form} of ${count}, none of which it equals`,
      isRare: size * (values.size / tries) >= RARE * peers.length,
      isLearned: first.includes(strategy) && (peers.length > 1 || UUID.test(String(like))),
    };
  };
  const firstOf = (strategies: readonly Strategy[]): readonly Invention[] =>
    strategies.flatMap((each) => invent(each) ?? []).slice(0, 1);
  return [...firstOf(first), ...firstOf(second)];
}
