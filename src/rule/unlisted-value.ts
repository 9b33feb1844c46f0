/**
 * Values that no list of a service contains, of the form of those that lists contain: ids, names, codes (their formats are
 * not shown, section 2). A value of another form may be refused as malformed, which says nothing about unknown ones.
 */
import type { InputValue } from '../profile/template.ts';
import { mixBits, seededHash } from './seeded-hash.ts';
import { checksOf } from './value-checks.ts';
import { type Column, decoded, FIXED_OF_ONE, formOf, unique } from './value-form.ts';

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
