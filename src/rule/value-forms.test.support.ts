/**
 * Forms of ids and names as services write them, drawn by fast-check: each with the values that a service knows and what
 * its validation accepts. The checks share no code with the product.
 */
import { createHash } from 'node:crypto';
import type { InputValue } from '../profile/template.ts';
import fc from '../seeded-fast-check.test.support.ts';

export interface ValueForm {
  /** The nth value that the service knows; the numbers of different values differ. */
  readonly value: (nth: number) => InputValue;
  /** Whether the service accepts the format of a value. */
  readonly accepts: (text: string) => boolean;
}

type Draw = fc.Arbitrary<ValueForm>;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Bytes that depend on the seed and the number only. */
const bytesOf = (seed: number, nth: number): Buffer => createHash('sha512').update(`${seed} ${nth}`).digest();
const textOf = (alphabet: string, length: number, seed: number, nth: number): string =>
  [...bytesOf(seed, nth).subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
const hexOf = (length: number, seed: number, nth: number): string =>
  bytesOf(seed, nth).toString('hex').slice(0, length);
const numberOf = (seed: number, nth: number): number => bytesOf(seed, nth).readUInt32BE();
const pick = <T>(from: readonly T[], seed: number, nth: number): T => from[numberOf(seed, nth) % from.length] as T;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const seed = fc.nat(1_000_000);
const prefix = fc.constantFrom('CAT-', 'dim_', 'C', 'prod:', 'acme.cat.', 'R2-', 'LVL ', 'x/', '#', 'EU1-');
const start = fc.constantFrom(1, 1, 101, 4711);

const form = (value: (nth: number) => InputValue, accepts: RegExp | ((text: string) => boolean)): ValueForm => ({
  value,
  accepts: typeof accepts === 'function' ? accepts : (text) => accepts.test(text),
});

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return /^(19|20)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};
const dayOf = (nth: number): string => new Date(Date.UTC(2024, 0, 6 + 7 * nth)).toISOString().slice(0, 10);
const dashed = (day: string): string => day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

const weightedSum = (digits: string, weights: readonly number[]): number =>
  [...digits].reduce((sum, each, at) => sum + Number(each) * (weights[at % weights.length] as number), 0);
const luhnSum = (digits: string): number =>
  [...digits].reverse().reduce((sum, each, at) => {
    const value = Number(each) * (at % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
const withLuhn = (digits: string): string => `${digits}${(10 - (luhnSum(`${digits}0`) % 10)) % 10}`;
const gs1Sum = (digits: string): number => weightedSum([...digits].reverse().join(''), [1, 3]);
const withGs1 = (digits: string): string => `${digits}${(10 - (gs1Sum(`${digits}0`) % 10)) % 10}`;
const mod97 = (text: string): number =>
  [...text].reduce((rest, each) => {
    const value = Number.parseInt(each, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
const isbnSum = (text: string): number =>
  [...text].reduce((sum, each, at) => sum + (each === 'X' ? 10 : Number(each)) * (10 - at), 0);

const WORDS = [
  ...[
    'Baby',
    'Food',
    'Tea',
    'Coffee',
    'Snacks',
    'Frozen',
    'Fresh',
    'Dairy',
    'Bakery',
    'Care',
    'Pet',
    'Cheese',
    'Juice',
  ],
  ...['Water', 'Wine', 'Beer', 'Bread', 'Cereal', 'Candy', 'Soup', 'Sauce', 'Pasta', 'Rice', 'Oil', 'Spices', 'Paper'],
];
const CYRILLIC = [
  'Чай',
  'Кофе',
  'Хлеб',
  'Сыр',
  'Соки',
  'Вода',
  'Пиво',
  'Рис',
  'Мука',
  'Мясо',
  'Рыба',
  'Овощи',
  'Фрукты',
];
const KATAKANA = [
  'コーヒー',
  'チーズ',
  'ジュース',
  'ビール',
  'パスタ',
  'ソース',
  'スープ',
  'ワイン',
  'ケーキ',
  'サラダ',
  'バター',
];

/** Two different words, or one of them. */
const phrase = (words: readonly string[], joins: readonly string[], by: number, nth: number): string => {
  const one = words[nth % words.length] as string;
  const other = words[(nth + 1 + Math.floor(nth / words.length)) % words.length] as string;
  return numberOf(by, nth) % 3 === 0 && nth < words.length ? one : `${one}${pick(joins, by, nth)}${other}`;
};

const uuid = (version: number, by: number, nth: number): string => {
  const hex = hexOf(32, by, nth);
  const time = (0x18e000000000 + nth * 86_400_000).toString(16).padStart(12, '0');
  const all = version === 7 ? time + hex.slice(12) : hex;
  const variant = '89ab'[numberOf(by, nth) % 4];
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-${version}${all.slice(13, 16)}-${variant}${all.slice(17, 20)}-${all.slice(20)}`;
};
const UUIDS = (version: number): RegExp =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

/** The forms, by their names. */
export const VALUE_FORMS: { readonly [name: string]: Draw } = {
  'prefix and padded number': fc
    .tuple(prefix, fc.integer({ min: 4, max: 8 }), start)
    .map(([before, width, first]) =>
      form((nth) => before + String(first + nth).padStart(width, '0'), new RegExp(`^${escaped(before)}\\d{${width}}$`)),
    ),
  'prefix and number': fc
    .tuple(prefix, start)
    .map(([before, first]) =>
      form((nth) => `${before}${first + nth}`, new RegExp(`^${escaped(before)}[1-9]\\d{0,8}$`)),
    ),
  'prefix and two digits': prefix.map((before) =>
    form((nth) => before + String(nth + 1).padStart(2, '0'), new RegExp(`^${escaped(before)}\\d{2,}$`)),
  ),
  'sequence of numbers': start.map((first) =>
    form(
      (nth) => first + nth,
      (text) => /^[1-9]\d*$/.test(text) && Number(text) < 2 ** 31,
    ),
  ),
  'sparse numbers': seed.map((by) =>
    form(
      (nth) => 100_000 + (numberOf(by, nth) % 900_000),
      (text) => /^[1-9]\d{5}$/.test(text),
    ),
  ),
  'sparse numbers of a range': seed.map((by) =>
    form(
      (nth) => 20_000 + (numberOf(by, nth) % 30_000),
      (text) => /^\d+$/.test(text) && Number(text) >= 20_000 && Number(text) < 50_000,
    ),
  ),
  'zero-padded number': fc
    .integer({ min: 5, max: 10 })
    .map((width) => form((nth) => String(nth + 1).padStart(width, '0'), new RegExp(`^\\d{${width}}$`))),
  'UUID v4': seed.map((by) => form((nth) => uuid(4, by, nth), UUIDS(4))),
  'UUID v7': seed.map((by) => form((nth) => uuid(7, by, nth), UUIDS(7))),
  'UUID in upper case and braces': seed.map((by) =>
    form(
      (nth) => `{${uuid(4, by, nth).toUpperCase()}}`,
      (text) => text === text.toUpperCase() && UUIDS(4).test(text.slice(1, -1).toLowerCase()) && /^\{.*\}$/.test(text),
    ),
  ),
  ULID: seed.map((by) =>
    form(
      (nth) => `01HZ${textOf(CROCKFORD, 22, by, nth)}`,
      (text) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text),
    ),
  ),
  hex: fc
    .tuple(seed, fc.constantFrom(8, 12, 24, 40))
    .map(([by, length]) => form((nth) => hexOf(length, by, nth), new RegExp(`^[0-9a-f]{${length}}$`))),
  'base32 code': fc
    .tuple(seed, fc.constantFrom('', '-'))
    .map(([by, between]) =>
      form(
        (nth) => [textOf(CROCKFORD, 4, by, nth), textOf(CROCKFORD, 4, by + 1, nth)].join(between),
        new RegExp(`^[0-9A-HJKMNP-TV-Z]{4}${between}[0-9A-HJKMNP-TV-Z]{4}$`),
      ),
    ),
  'base62 code': seed.map((by) => form((nth) => textOf(DIGITS + LOWER + UPPER, 11, by, nth), /^[0-9A-Za-z]{11}$/)),
  'base64 of a typed id': fc.constantFrom('base64' as const, 'base64url' as const).map((encoding) =>
    form(
      (nth) => Buffer.from(`Dimension:${1001 + nth}`).toString(encoding),
      (text) => /^Dimension:[1-9]\d{0,8}$/.test(Buffer.from(text, encoding).toString()),
    ),
  ),
  'letter and digits': seed.map((by) =>
    form((nth) => pick(['A', 'B', 'C'], by, nth) + String(1000 + nth), /^[A-Z]\d{4,9}$/),
  ),
  'code of a fixed length': seed.map((by) =>
    form((nth) => textOf(UPPER, 3, by, nth) + textOf(DIGITS, 3, by, nth), /^[A-Z]{3}\d{3}$/),
  ),
  'mixed case': seed.map((by) => form((nth) => textOf(LOWER + UPPER, 8, by, nth), /^[A-Za-z]{8}$/)),
  'dotted path': seed.map((by) =>
    form(
      (nth) => `${pick(['a', 'b'], by, nth)}.${pick(['x', 'y', 'z'], by + 1, nth)}.${nth + 1}`,
      /^[a-z]\.[a-z]\.[1-9]\d{0,8}$/,
    ),
  ),
  'dotted classification': fc.constant(
    form(
      (nth) => `${10 + (nth % 40)}.${String(1 + ((nth * 7) % 98)).padStart(2, '0')}.${1 + (nth % 9)}`,
      /^\d\d\.\d\d\.\d$/,
    ),
  ),
  'slash path': seed.map((by) =>
    form(
      (nth) => `/catalogues/${pick([7, 8], by, nth)}/dimensions/${nth + 11}`,
      /^\/catalogues\/[1-9]\d*\/dimensions\/[1-9]\d{0,8}$/,
    ),
  ),
  'like an e-mail address': seed.map((by) =>
    form(
      (nth) => `${phrase(WORDS, ['.'], by, nth).toLowerCase()}@acme.example`,
      /^[a-z]+(\.[a-z]+)*@[a-z]+(\.[a-z]+)*\.[a-z]{2,}$/,
    ),
  ),
  'dated id': seed.map((by) =>
    form(
      (nth) => `${pick(['', 'ORD-'], by, 0)}${dayOf(nth % 5)}-${String(nth + 1).padStart(4, '0')}`,
      (text) => isDay(text.replace(/^ORD-/, '').slice(0, 10)) && /^(ORD-)?[\d-]{11}\d{4}$/.test(text),
    ),
  ),
  'ISO date': fc.constant(form((nth) => dayOf(nth), isDay)),
  'packed date': fc.constant(
    form(
      (nth) => dayOf(nth).replaceAll('-', ''),
      (text) => /^\d{8}$/.test(text) && isDay(dashed(text)),
    ),
  ),
  'ISO week': fc.constant(
    form(
      (nth) => `${2020 + Math.floor(nth / 50)}-W${String(1 + (nth % 50)).padStart(2, '0')}`,
      (text) => /^20\d\d-W(0[1-9]|[1-4]\d|5[0-3])$/.test(text),
    ),
  ),
  'Luhn digit': fc.tuple(seed, fc.constantFrom('', 'C-')).map(([by, before]) =>
    form(
      (nth) => before + withLuhn(`4${textOf(DIGITS, 8, by, nth)}`),
      (text) =>
        text.startsWith(before) &&
        /^\d{10}$/.test(text.slice(before.length)) &&
        luhnSum(text.slice(before.length)) % 10 === 0,
    ),
  ),
  'GS1 digit': fc.tuple(seed, fc.constantFrom(7, 11, 12, 13)).map(([by, length]) =>
    form(
      (nth) => withGs1(textOf(DIGITS, length, by, nth)),
      (text) => text.length === length + 1 && /^\d+$/.test(text) && gs1Sum(text) % 10 === 0,
    ),
  ),
  'mod 97 of digits': seed.map((by) => {
    const checked = (digits: string) => `${digits}${String(98 - (mod97(`${digits}00`) % 97)).padStart(2, '0')}`;
    return form(
      (nth) => checked(textOf(DIGITS, 10, by, nth)),
      (text) => /^\d{12}$/.test(text) && mod97(text) === 1,
    );
  }),
  'mod 97 like IBAN': seed.map((by) => {
    const checked = (rest: string) => `DE${String(98 - mod97(`${rest}DE00`)).padStart(2, '0')}${rest}`;
    return form(
      (nth) => checked(textOf(DIGITS, 18, by, nth)),
      (text) => /^DE\d{20}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1,
    );
  }),
  'mod 11 like ISBN': seed.map((by) => {
    const checked = (digits: string) => digits + '0123456789X'[(11 - (isbnSum(`${digits}0`) % 11)) % 11];
    return form(
      (nth) => checked(textOf(DIGITS, 9, by, nth)),
      (text) => /^\d{9}[\dX]$/.test(text) && isbnSum(text) % 11 === 0,
    );
  }),
  slug: seed.map((by) => form((nth) => phrase(WORDS, ['-'], by, nth).toLowerCase(), /^[a-z]+(-[a-z]+)*$/)),
  'prefix and word': fc.constant(
    form(
      (nth) => `CAT-${WORDS[nth % WORDS.length]?.toUpperCase()}${nth < WORDS.length ? '' : 'X'}`,
      /^CAT-[A-Z]{2,20}$/,
    ),
  ),
  'names of words': seed.map((by) =>
    form((nth) => phrase(WORDS, [' ', ' & ', ', '], by, nth), /^[A-Z][a-z]+((,| &)? [A-Z][a-z]+)*$/),
  ),
  'names with numbers': seed.map((by) => form((nth) => `${pick(WORDS, by, nth)} ${nth + 1}`, /^[A-Z][a-z]+ \d{1,9}$/)),
  'Cyrillic names': seed.map((by) =>
    form((nth) => phrase(CYRILLIC, [' и ', ', '], by, nth), /^\p{Script=Cyrillic}+(,? \p{Script=Cyrillic}+)*$/u),
  ),
  'Japanese names': seed.map((by) => form((nth) => phrase(KATAKANA, ['・'], by, nth), /^[\p{Script=Katakana}ー・]+$/u)),
  'percent-escaped': fc.constant(form((nth) => `n%2Fa-${String(nth + 1).padStart(5, '0')}`, /^n%2Fa-\d{5}$/)),
};
