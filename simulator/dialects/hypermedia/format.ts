/** Value formats of the hypermedia dialect, and the constants that its reader and writer share. */
import type { OperationName } from '../../../src/contract/index.ts';
import type { Day, Figure } from '../../model/types.ts';

export const API_KEY_HEADER = 'x-api-key';
/** Not a secret: every user of the simulator may use it, and the profile contains it. */
export const API_KEY = 'lighthouse-27';
/** Operations without authentication. */
export const ANONYMOUS: readonly OperationName[] = ['testService'];

/** The rows per page: few, so that even small worlds have several pages. */
export const PAGE_ROWS = {
  allProducts: 64,
  updateProducts: 40,
  categoryPerformance: 10,
  brandPerformance: 25,
} as const;

/** The names in filter expressions for the neutral inputs. */
export const FILTER_NAMES = {
  categoryKey: 'categoryId',
  category: 'category',
  segment: 'subCategory',
  maker: 'manufacturer',
  brand: 'brand',
} as const;

/** The prefix of a relative job URI. The whole URI is the job id on the wire. */
export const JOBS = '/webservices/jobs/';

const CURSOR = /^after:(\d{1,9})$/;

/** An opaque cursor for an offset. It needs percent-encoding, because it is base64. */
export const cursorAt = (offset: number): string => btoa(`after:${offset}`);

/** The offset of a cursor, or undefined when the cursor is invalid. */
export function offsetOf(cursor: string): number | undefined {
  try {
    const offset = CURSOR.exec(atob(cursor))?.[1];
    return offset === undefined ? undefined : Number(offset);
  } catch {
    return undefined;
  }
}

/** GTIN-14: two zeros and the UPC. A UPC with too few digits becomes a GTIN with too few digits, so that rules find the fault. */
export const gtin = (upc: string): string => `00${upc}`;

const DAY_SECONDS = 86_400;

/** Null for a value that is not finite, because JSON cannot represent it. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const epochSeconds = (day: Day): number | null => finiteOrNull(day * DAY_SECONDS);
export const epochMillis = (day: Day): number | null => finiteOrNull(day * DAY_SECONDS * 1000);

/** M/D/YYYY without leading zeros, e.g. `11/4/2026`. */
export function usDate(day: Day): string | null {
  const ms = epochMillis(day);
  if (ms === null) return null;
  const date = new Date(ms);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/** Dollars in whole cents. A text stays unchanged; an absent figure is null, like every missing value of this dialect. */
export const cents = (figure: Figure): number | string | null =>
  typeof figure === 'number' ? Math.round(figure * 100) : (figure ?? null);

/** Cents as a string, for clients without large integers. */
export function centsText(figure: Figure): string | null {
  const value = cents(figure);
  return value === null ? null : String(value);
}

/** A percentage as a fraction of one, rounded to twelve digits because of binary arithmetic. */
export const fraction = (percent: Figure): number | string | null =>
  typeof percent === 'number' ? Number((percent / 100).toFixed(12)) : (percent ?? null);
