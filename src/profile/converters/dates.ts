/** Dates as day numbers: days since 1970-01-01, the calendar day as written, without a zone. No format is shown in the document. */
import { type Conversion, type Converter, converted, unconvertible } from './types.ts';

const DAY_MS = 86_400_000;
/** Size of the cache of one format. */
const MAX_CACHED = 1000;

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');

/** The number of an English month by its name or first three letters, in any case; NaN for another text. */
function monthNamed(text: string): number {
  const name = text.toLowerCase().replace(/^sept$/, 'sep');
  return MONTH_NAMES.findIndex((month) => month === name || month.slice(0, 3) === name) + 1 || Number.NaN;
}

/**
 * The day number of a calendar date, or `undefined` if the date does not exist.
 *
 * @example dayNumber(1970, 1, 2) // 1
 */
export function dayNumber(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / DAY_MS : undefined;
}

/**
 * A day number as YYYY-MM-DD.
 *
 * @example isoDate(1) // '1970-01-02'
 */
export const isoDate = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * A parser for one format; the groups of each `form` are named y, m and d. Results are cached, because a bulk list
 * repeats a few dates a million times.
 */
function readForm(form: RegExp | readonly RegExp[], sample: string, monthOf: (text: string) => number = Number) {
  const forms = [form].flat();
  const cached = new Map<unknown, Conversion>();
  const parse = (raw: unknown): Conversion => {
    const text = typeof raw === 'string' ? raw.trim() : '';
    const { y, m = '', d } = forms.map((each) => each.exec(text)?.groups).find(Boolean) ?? {};
    const month = monthOf(m);
    if (!y || !d || Number.isNaN(month)) return unconvertible(`not a date such as ${sample}`);
    const day = dayNumber(Number(y), month, Number(d));
    return day === undefined ? unconvertible('no such calendar date') : converted(day);
  };
  return (raw: unknown): Conversion => {
    const before = cached.get(raw);
    if (before) return before;
    const result = parse(raw);
    if (cached.size >= MAX_CACHED) cached.clear();
    // Long texts and objects are not dates; the cache must not retain them.
    if (typeof raw === 'string' && raw.length <= 40) cached.set(raw, result);
    return result;
  };
}

const TIME = String.raw`\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?`;
const ZONE = String.raw`(Z|[+-]\d{2}:?\d{2})`;
const readIso = readForm(
  new RegExp(`^(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})([T ]${TIME})? ?${ZONE}?$`, 'i'),
  '2026-11-21',
);
const readUs = readForm(
  new RegExp(`^(?<m>\\d{1,2})([/-])(?<d>\\d{1,2})\\2(?<y>\\d{4})( ${TIME}( ?[AP]M)?)?$`, 'i'),
  '11/21/2026',
);
const readEuropean = readForm(
  new RegExp(`^(?<d>\\d{1,2})([./-])(?<m>\\d{1,2})\\2(?<y>\\d{4})( ${TIME})?$`),
  '21.11.2026',
);
const readCompactText = readForm(/^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/, '20261121');

const readMonthName = readForm(
  [
    String.raw`(?<d>\d{1,2})[- ](?<m>[A-Z]{3,9})\.?[- ](?<y>\d{4})`,
    String.raw`(?<m>[A-Z]{3,9})\.? (?<d>\d{1,2}), (?<y>\d{4})`,
  ].map((form) => new RegExp(`^${form}( ${TIME}( ?[AP]M)?)?$`, 'i')),
  '21-NOV-2026',
  monthNamed,
);
const readHttpDate = readForm(
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<d>\d{2}) (?<m>[A-Z][a-z]{2}) (?<y>\d{4}) \d{2}:\d{2}:\d{2} GMT$/,
  'Sat, 21 Nov 2026 08:00:00 GMT',
  monthNamed,
);

/** The Monday of week 1: the week that contains 4 January (ISO 8601). */
function firstMonday(year: number): number {
  const fourth = dayNumber(year, 1, 4) as number;
  return fourth - weekdayOf(fourth);
}

/** 0 is Monday; day number 0 was a Thursday. */
const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7;

function readIsoWeek(raw: unknown): Conversion {
  const [, year, , week, weekday = '7'] =
    (typeof raw === 'string' && /^(\d{4})(-?)W(\d{2})(?:\2([1-7]))?$/.exec(raw.trim())) || [];
  if (!year || !week) return unconvertible('not a week such as 2026-W47');
  const monday = firstMonday(Number(year)) + (Number(week) - 1) * 7;
  const exists = Number(week) >= 1 && monday < firstMonday(Number(year) + 1);
  return exists ? converted(monday + Number(weekday) - 1) : unconvertible('no such week in that year');
}

/** An ordinal date (ISO 8601): a year and the number of a day in it. */
function readOrdinal(raw: unknown): Conversion {
  const [, year, number] = /^(\d{4})-?(\d{3})$/.exec(String(raw).trim()) ?? [];
  const newYear = year === undefined ? undefined : dayNumber(Number(year), 1, 1);
  if (newYear === undefined) return unconvertible('not a day of a year such as 2026-325');
  const day = newYear + Number(number) - 1;
  const exists = Number(number) >= 1 && day < (dayNumber(Number(year) + 1, 1, 1) as number);
  return exists ? converted(day) : unconvertible('no such day in that year');
}

/** The first day of the year 1, and the last one of the year 9999. */
const [FIRST_DAY, LAST_DAY] = [-719_162, 2_932_896];

function readEpoch(raw: unknown, perDay: number): Conversion {
  const number = typeof raw === 'string' && /^-?\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : raw;
  if (typeof number !== 'number' || !Number.isFinite(number))
    return unconvertible('not a number of time units since 1970');
  const day = Math.floor(number / perDay);
  // A value outside the years 1 to 9999 has the wrong unit.
  return day >= FIRST_DAY && day <= LAST_DAY ? converted(day) : unconvertible('outside the years 1 to 9999');
}

/** The spreadsheet number of 1970-01-01. */
const EXCEL_1970 = 25_569;

function readExcelSerial(raw: unknown): Conversion {
  const number = typeof raw === 'string' && /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : raw;
  // Spreadsheets count a 29 February 1900: the days before March 1900 are ambiguous. The last day is in the year 9999.
  if (typeof number !== 'number' || !(number >= 61 && number < 2_958_466))
    return unconvertible('not the number of a day in spreadsheets such as 46347');
  return converted(Math.floor(number) - EXCEL_1970);
}

const kinds = ['date'] as const;

export const dateConverters = {
  iso: { kinds, means: 'YYYY-MM-DD, a time may follow; the calendar day as written', read: readIso },
  compact: {
    kinds,
    means: 'YYYYMMDD, a text or a number',
    read: (raw) => readCompactText(typeof raw === 'number' ? String(raw) : raw),
  },
  us: { kinds, means: 'M/D/YYYY or MM-DD-YYYY', read: readUs },
  european: { kinds, means: 'D.M.YYYY, D/M/YYYY or D-M-YYYY', read: readEuropean },
  isoWeek: {
    kinds,
    means: 'YYYY-Www, an ISO 8601 week; read as its last day, a Sunday; YYYY-Www-D is the day itself',
    read: readIsoWeek,
  },
  ordinal: { kinds, means: 'YYYY-DDD or YYYYDDD, an ISO 8601 ordinal date, a text or a number', read: readOrdinal },
  epochSeconds: {
    kinds,
    means: 'seconds since 1970; read as the UTC day',
    read: (raw) => readEpoch(raw, DAY_MS / 1000),
  },
  epochMillis: { kinds, means: 'milliseconds since 1970; read as the UTC day', read: (raw) => readEpoch(raw, DAY_MS) },
  excelSerial: {
    kinds,
    means: 'the number of a day in spreadsheets: 46347 is 2026-11-21; a fraction is the time',
    read: readExcelSerial,
  },
  monthName: {
    kinds,
    means: 'a date with an English month: 21-NOV-2026, 21 November 2026 or Nov 21, 2026',
    read: readMonthName,
  },
  httpDate: { kinds, means: 'as in HTTP headers: Sat, 21 Nov 2026 08:00:00 GMT', read: readHttpDate },
} as const satisfies Record<string, Converter>;
