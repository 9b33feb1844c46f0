import type { Day } from './types.ts';

const MS_PER_DAY = 86_400_000;
const SATURDAY = 6;
/** The last day that `YYYY-MM-DD` can state. */
const LAST_DAY = Date.UTC(9999, 11, 31) / MS_PER_DAY;

/** The day number of `YYYY-MM-DD`, or undefined when the date does not exist. */
export function dayOf(iso: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return undefined;
  const day = Date.parse(`${iso}T00:00:00Z`) / MS_PER_DAY;
  return isoDay(day) === iso ? day : undefined;
}

// A bulk list formats the same few hundred days a million times.
const formatted = new Map<Day, string>();

/** Formats a day number: `isoDay(0)` is `1970-01-01`. A value that is not a finite number gives an empty string. */
export function isoDay(day: Day): string {
  if (!Number.isFinite(day)) return '';
  const cached = formatted.get(day);
  if (cached !== undefined) return cached;
  const text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
  formatted.set(day, text);
  return text;
}

export interface Clock {
  /** The Saturday that ends the newest loaded data week. */
  asOf(): Day;
  now(): Date;
  /** Simulates this number of weekly reloads (section 8). @throws beyond the year 9999 */
  advanceWeeks(weeks: number): void;
  /** Makes a Saturday, `YYYY-MM-DD`, the end of the newest data week. @throws on another day */
  set(asOf: string): void;
}

function saturdayOf(asOf: string): Day {
  const day = dayOf(asOf);
  if (day === undefined || new Date(day * MS_PER_DAY).getUTCDay() !== SATURDAY) {
    throw new Error(`as-of ${JSON.stringify(asOf)} is not a Saturday in the format YYYY-MM-DD`);
  }
  return day;
}

/** Creates a clock fixed at `asOf`, `YYYY-MM-DD`. A day other than a Saturday throws, because data weeks end on Saturdays. */
export function createClock(asOf: string): Clock {
  let day = saturdayOf(asOf);
  return {
    asOf: () => day,
    now: () => new Date(day * MS_PER_DAY + MS_PER_DAY / 2),
    advanceWeeks: (weeks) => {
      if (!Number.isInteger(weeks)) throw new Error(`weeks must be a whole number, not ${weeks}`);
      const to = day + 7 * weeks;
      if (to > LAST_DAY) throw new Error(`${weeks} weeks after ${isoDay(day)} is beyond the year 9999`);
      day = to;
    },
    set: (to) => {
      day = saturdayOf(to);
    },
  };
}
