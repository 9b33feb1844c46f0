/** How the hypermedia dialect spells single values, and the places of its wire that both directions know. */
import type { OperationName } from '../../../src/contract/index.ts';
import type { Day, Figure } from '../../model/types.ts';

export const KEY_HEADER = 'x-api-key';
/** Not a secret: everybody who starts a simulator may use it, and its profile names it. */
export const KEY = 'lighthouse-27';
/** What anybody may ask. */
export const ANONYMOUS: readonly OperationName[] = ['testService'];

/** How many rows a page holds at most: few, so that even small worlds have several pages. */
export const PAGE_ROWS = {
  allProducts: 64,
  updateProducts: 40,
  categoryPerformance: 10,
  brandPerformance: 25,
} as const;

/** The words of filter expressions for the neutral inputs. */
export const FILTER_WORDS = {
  categoryKey: 'categoryId',
  category: 'category',
  segment: 'subCategory',
  maker: 'manufacturer',
  brand: 'brand',
} as const;

/** What a relative job URI begins with; the URI as a whole is the job's id on the wire. */
export const JOBS = '/webservices/jobs/';

const CURSOR = /^after:(\d{1,9})$/;

/** An opaque token for the place behind so many rows; it needs percent-encoding, as base64 does. */
export const cursorAt = (offset: number): string => btoa(`after:${offset}`);

/** The offset a token stands for, or undefined when it is none of ours. */
export function offsetOf(cursor: string): number | undefined {
  try {
    const offset = CURSOR.exec(atob(cursor))?.[1];
    return offset === undefined ? undefined : Number(offset);
  } catch {
    return undefined;
  }
}

/** GTIN-14: two zeros before the twelve digits; never filled up, so that lost digits stay lost. */
export const gtin = (upc: string): string => `00${upc}`;

const DAY_SECONDS = 86_400;

/** Null where there is no such day: JSON knows no other word for it. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

export const epochSeconds = (day: Day): number | null => finite(day * DAY_SECONDS);
export const epochMillis = (day: Day): number | null => finite(day * DAY_SECONDS * 1000);

/** M/D/YYYY without leading zeros, e.g. `11/4/2026`. */
export function usDate(day: Day): string | null {
  const ms = epochMillis(day);
  if (ms === null) return null;
  const date = new Date(ms);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
}

/** Dollars in whole cents. What is no number stands as it is; what is absent is null, like every gap of this dialect. */
export const cents = (figure: Figure): number | string | null =>
  typeof figure === 'number' ? Math.round(figure * 100) : (figure ?? null);

/** The same as a text, for clients that trust no large numbers. */
export function centsText(figure: Figure): string | null {
  const value = cents(figure);
  return value === null ? null : String(value);
}

/** A percentage as a fraction of one. Twelve digits, for 0.07 is not 7 ÷ 100 in binary arithmetic. */
export const fraction = (percent: Figure): number | string | null =>
  typeof percent === 'number' ? Number((percent / 100).toFixed(12)) : (percent ?? null);
