/** Converters turned round: from neutral values to the wire’s, written without a look at those that read. */
import type { FieldKind } from '../../../src/contract/index.ts';
import type { ConverterName } from '../../../src/profile/converters.ts';

type Spell = (value: string | number) => string | number;

const DAY_SECONDS = 86_400;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const dateOf = (day: number): Date => new Date(day * DAY_SECONDS * 1000);
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** Decimal places, without a detour over binary fractions: 0.07 × 100 is not 7 there. */
function moved(value: number, places: number): number {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}

/** A number without an exponent: its whole part, and what follows the point. */
function plain(value: number): { sign: string; whole: string; behind: string } {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const [one = '', more = ''] = mantissa.split('.');
  const point = 1 + Number(exponent);
  const all = one + more;
  const whole = point <= 0 ? '0' : all.slice(0, point).padEnd(point, '0');
  const behind = point <= 0 ? '0'.repeat(-point) + all : all.slice(point);
  return { sign: value < 0 ? '-' : '', whole, behind };
}

/** In groups of three, with at least two decimals, as money is written. */
function amount(value: number, group: string, point: string): string {
  const { sign, whole, behind } = plain(value);
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${point}${behind.padEnd(2, '0')}`;
}

/** The Thursday of a week decides its year (ISO 8601). */
function isoWeek(day: number): string {
  const weekday = (dateOf(day).getUTCDay() + 6) % 7;
  const thursday = dateOf(day - weekday + 3);
  const newYear = new Date(thursday).setUTCMonth(0, 1);
  const week = Math.floor((thursday.getTime() - newYear) / (7 * DAY_SECONDS * 1000)) + 1;
  return `${digits(thursday.getUTCFullYear(), 4)}-W${digits(week, 2)}`;
}

const asIs: Spell = (value) => value;
const upc =
  (write: (digits: string) => string | number): Spell =>
  (value) =>
    write(String(value));
const figure =
  (write: (value: number) => string | number): Spell =>
  (value) =>
    typeof value === 'number' ? write(value) : value;
/** A day that is none has no spelling. */
const date =
  (write: (date: Date, day: number) => string | number): Spell =>
  (value) =>
    Number.isFinite(value) ? write(dateOf(value as number), value as number) : '';
const year = (each: Date): string => digits(each.getUTCFullYear(), 4);

/** Values that are none (a fault put them there) stay as they are; so do UPCs that lost a digit, with their prefix. */
export const FORMATTERS: Readonly<Record<Exclude<ConverterName, 'list'>, Spell>> = {
  upc: asIs,
  upcNumber: upc((value) => (/^\d{1,15}$/.test(value) ? Number(value) : value)),
  upcOrNumber: asIs,
  gtin13: upc((value) => `0${value}`),
  gtin14: upc((value) => `00${value}`),
  upcSeparated: upc((value) => (/^\d{12}$/.test(value) ? value.match(/^.|.{5}|.$/g)!.join('-') : value)),
  text: asIs,
  trimmed: asIs,
  urlPart: (value) => encodeURIComponent(value),
  number: asIs,
  cents: figure((value) => moved(value, 2)),
  usd: figure((value) => amount(value, ',', '.').replace(/^-?/, '$&$$')),
  decimalComma: figure((value) => amount(value, '.', ',')),
  fraction: figure((value) => moved(value, -2)),
  percentText: figure((value) => `${amount(value, ',', '.')}%`),
  iso: date((each) => `${year(each)}-${digits(each.getUTCMonth() + 1, 2)}-${digits(each.getUTCDate(), 2)}`),
  compact: date((each) => `${year(each)}${digits(each.getUTCMonth() + 1, 2)}${digits(each.getUTCDate(), 2)}`),
  us: date((each) => `${each.getUTCMonth() + 1}/${each.getUTCDate()}/${year(each)}`),
  european: date((each) => `${each.getUTCDate()}.${each.getUTCMonth() + 1}.${year(each)}`),
  isoWeek: date((_each, day) => isoWeek(day)),
  epochSeconds: date((_each, day) => day * DAY_SECONDS),
  epochMillis: date((_each, day) => day * DAY_SECONDS * 1000),
  httpDate: date(
    (each) =>
      `${WEEKDAYS[each.getUTCDay()]}, ${digits(each.getUTCDate(), 2)} ${MONTHS[each.getUTCMonth()]} ${year(each)} 00:00:00 GMT`,
  ),
};

/** What a field without a converter is written with: the plainest that is read so. */
export const DEFAULT_FORMATTERS = {
  upc: 'upc',
  text: 'text',
  number: 'number',
  money: 'number',
  percent: 'number',
  date: 'iso',
} as const satisfies Record<Exclude<FieldKind, 'list'>, ConverterName>;
