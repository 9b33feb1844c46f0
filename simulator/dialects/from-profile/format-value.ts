/** Inverse converters, from neutral values to wire values. They share no code with the converters that read. */
import type { FieldKind } from '../../../src/contract/index.ts';
import type { ConverterName } from '../../../src/profile/converters/index.ts';

type FormatValue = (value: string | number) => string | number;

const DAY_SECONDS = 86_400;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const dateOf = (day: number): Date => new Date(day * DAY_SECONDS * 1000);
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** Moves the decimal point without binary rounding errors: 0.07 × 100 is not exactly 7. */
function movePoint(value: number, places: number): number {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

/** Formats a number without an exponent: the integer digits and the decimals. */
function plain(value: number): { sign: string; integer: string; decimals: string } {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [one = '', more = ''] = mantissa.split('.');
  const point = 1 + Number(exponent);
  const all = one + more;
  const integer = point <= 0 ? '0' : all.slice(0, point).padEnd(point, '0');
  const decimals = point <= 0 ? '0'.repeat(-point) + all : all.slice(point);
  return { sign: value < 0 ? '-' : '', integer, decimals };
}

/** Formats money with digit groups of three and at least two decimals. */
function amount(value: number, group: string, point: string): string {
  const { sign, integer, decimals } = plain(value);
  return `${sign}${integer.replace(/\B(?=(\d{3})+$)/g, group)}${point}${decimals.padEnd(2, '0')}`;
}

/** The Thursday of a week decides its year (ISO 8601). */
function isoWeek(day: number): string {
  const weekday = (dateOf(day).getUTCDay() + 6) % 7;
  const thursday = dateOf(day - weekday + 3);
  const newYear = new Date(thursday).setUTCMonth(0, 1);
  const week = Math.floor((thursday.getTime() - newYear) / (7 * DAY_SECONDS * 1000)) + 1;
  return `${digits(thursday.getUTCFullYear(), 4)}-W${digits(week, 2)}`;
}

const asIs: FormatValue = (value) => value;
const upc =
  (write: (digits: string) => string | number): FormatValue =>
  (value) =>
    write(String(value));
const figure =
  (write: (value: number) => string | number): FormatValue =>
  (value) =>
    typeof value === 'number' ? write(value) : value;
/** Formats a date; a day that is not a finite number is an empty string. */
const date =
  (write: (date: Date, day: number) => string | number): FormatValue =>
  (value) =>
    Number.isFinite(value) ? write(dateOf(value as number), value as number) : '';
const year = (each: Date): string => digits(each.getUTCFullYear(), 4);

/** Invalid values of a fault stay unchanged; a UPC with a missing digit is not padded. */
export const FORMATTERS: Readonly<Record<Exclude<ConverterName, 'list'>, FormatValue>> = {
  upc: asIs,
  upcNumber: upc((value) => (/^\d{1,15}$/.test(value) ? Number(value) : value)),
  upcOrNumber: asIs,
  gtin13: upc((value) => `0${value}`),
  gtin14: upc((value) => `00${value}`),
  upcSeparated: upc((value) => (/^\d{12}$/.test(value) ? value.match(/^.|.{5}|.$/g)!.join('-') : value)),
  text: asIs,
  id: asIs,
  trimmed: asIs,
  urlPart: (value) => encodeURIComponent(value),
  number: asIs,
  amount: asIs,
  cents: figure((value) => Math.round(movePoint(value, 2))),
  usd: figure((value) => amount(value, ',', '.').replace(/^-?/, '$&$$')),
  decimalComma: figure((value) => amount(value, '.', ',')),
  fraction: figure((value) => movePoint(value, -2)),
  percentText: figure((value) => `${amount(value, ',', '.')}%`),
  iso: date((each) => `${year(each)}-${digits(each.getUTCMonth() + 1, 2)}-${digits(each.getUTCDate(), 2)}`),
  compact: date((each) => `${year(each)}${digits(each.getUTCMonth() + 1, 2)}${digits(each.getUTCDate(), 2)}`),
  us: date((each) => `${digits(each.getUTCMonth() + 1, 2)}/${digits(each.getUTCDate(), 2)}/${year(each)}`),
  european: date((each) => `${digits(each.getUTCDate(), 2)}.${digits(each.getUTCMonth() + 1, 2)}.${year(each)}`),
  isoWeek: date((_each, day) => isoWeek(day)),
  ordinal: date((each, day) => {
    const newYear = new Date(each).setUTCMonth(0, 1) / (DAY_SECONDS * 1000);
    return `${year(each)}-${digits(day - newYear + 1, 3)}`;
  }),
  epochSeconds: date((_each, day) => day * DAY_SECONDS),
  epochMillis: date((_each, day) => day * DAY_SECONDS * 1000),
  excelSerial: date((_each, day) => day + 25_569),
  monthName: date((each) => `${digits(each.getUTCDate(), 2)}-${MONTHS[each.getUTCMonth()]}-${year(each)}`),
  httpDate: date(
    (each) =>
      `${WEEKDAYS[each.getUTCDay()]}, ${digits(each.getUTCDate(), 2)} ${MONTHS[each.getUTCMonth()]} ${year(each)} 00:00:00 GMT`,
  ),
};

/** The formatter of a field without a converter. */
export const DEFAULT_FORMATTERS = {
  upc: 'upc',
  text: 'text',
  id: 'id',
  number: 'number',
  money: 'number',
  percent: 'number',
  date: 'iso',
} as const satisfies Record<Exclude<FieldKind, 'list'>, ConverterName>;
