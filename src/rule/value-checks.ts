/** What the characters of an id may depend on beyond its form: check digits and dates (the format of ids: not shown, section 2). */

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
/** UPC, EAN and GTIN. */
const isGs1: Check = (digits) => /^\d+$/.test(digits) && sumOf(digits, (place) => 1 + 2 * (place % 2)) % 10 === 0;
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
export function isDate(text: string): boolean {
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
export const checksOf = (texts: readonly string[]): readonly Check[] => CHECKS.filter((each) => texts.every(each));
