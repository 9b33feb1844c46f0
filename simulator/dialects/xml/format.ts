/** The formats of UPCs, figures and days in the XML dialect. Values that only a fault writes stay unchanged. */
import type { Day, Figure } from '../../model/types.ts';

const hasTwelveDigits = (upc: string): boolean => /^[0-9]{12}$/.test(upc);

const separated = (upc: string, separator: string): string =>
  hasTwelveDigits(upc) ? [upc[0], upc.slice(1, 6), upc.slice(6, 11), upc[11]].join(separator) : upc;

/** `0-42100-00017-7`, as printed below a bar code. An invalid UPC stays unchanged. */
export const dashedUpc = (upc: string): string => separated(upc, '-');

/** `0 42100 00017 7`. An invalid UPC stays unchanged. */
export const spacedUpc = (upc: string): string => separated(upc, ' ');

/** A UPC without leading zeros: `42100000177`. */
export const numericUpc = (upc: string): string => (hasTwelveDigits(upc) ? upc.replace(/^0+(?=.)/, '') : upc);

/** `$1,234.50`, and `(3.00)` below zero, as in accounting. Null becomes an empty text; a text stays unchanged. */
export function dollars(figure: Exclude<Figure, undefined>): string {
  if (typeof figure !== 'number') return figure ?? '';
  const [whole = '', cents = ''] = Math.abs(figure).toFixed(2).split('.');
  const amount = `${whole.replace(/\B(?=(...)+$)/g, ',')}.${cents}`;
  return figure < 0 ? `(${amount})` : `$${amount}`;
}

/** `12.5%`, and `(0.4%)` below zero. */
export function xmlPercent(figure: Exclude<Figure, undefined>): string {
  if (typeof figure !== 'number') return figure ?? '';
  return figure < 0 ? `(${-figure}%)` : `${figure}%`;
}

/** Converts a day number to year, month and day, in eras of 400 years. Years begin in March, so that a leap day is last. */
function calendarOf(day: Day): readonly [year: number, month: number, day: number] {
  const sinceMarch = day + 719_468;
  const era = Math.floor(sinceMarch / 146_097);
  const dayOfEra = sinceMarch - era * 146_097;
  const year = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  return [era * 400 + year + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, dayOfMonth];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `20261114`. A day that is not a finite number stays unchanged. */
export function compactDay(day: Day): string {
  if (!Number.isFinite(day)) return String(day);
  const [year, month, dayOfMonth] = calendarOf(day);
  return `${year}${twoDigits(month)}${twoDigits(dayOfMonth)}`;
}

/** The ISO week of a day, `2026-W46`. The year of the week is the year of its Thursday. */
export function isoWeek(day: Day): string {
  if (!Number.isFinite(day)) return String(day);
  // Day 0 was a Thursday, so Thursdays are multiples of seven.
  const thursday = Math.floor((day + 3) / 7) * 7;
  const [year] = calendarOf(thursday);
  let firstThursday = thursday;
  while (calendarOf(firstThursday - 7)[0] === year) firstThursday -= 7;
  return `${year}-W${twoDigits((thursday - firstThursday) / 7 + 1)}`;
}
