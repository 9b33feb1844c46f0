/** The simulator's own time: frozen at noon of the as-of, moved only by whole data weeks, never by the machine's clock. */
import type { Day } from './types.ts';

const MS_PER_DAY = 86_400_000;
const SATURDAY = 6;

/** The day number of `YYYY-MM-DD`, or undefined when there is no such day. */
export function dayOf(iso: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return undefined;
  const day = Date.parse(`${iso}T00:00:00Z`) / MS_PER_DAY;
  return isoDay(day) === iso ? day : undefined;
}

// A bulk list names the same few hundred days a million times.
const written = new Map<Day, string>();

/** `isoDay(0)` is `1970-01-01`; a day that is no number is no date. */
export function isoDay(day: Day): string {
  if (!Number.isFinite(day)) return '';
  const known = written.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
  written.set(day, text);
  return text;
}

export interface Clock {
  /** The Saturday that ends the newest loaded data week. */
  asOf(): Day;
  now(): Date;
  /** The weekly reload of section 8, so many times. */
  advanceWeeks(weeks: number): void;
}

/** A clock that stands at `asOf`, a Saturday as `YYYY-MM-DD`; throws when it is none, as data weeks end on Saturdays. */
export function createClock(asOf: string): Clock {
  const start = dayOf(asOf);
  if (start === undefined || new Date(start * MS_PER_DAY).getUTCDay() !== SATURDAY) {
    throw new Error(`as-of ${JSON.stringify(asOf)} is not a Saturday written as YYYY-MM-DD`);
  }
  let day = start;
  return {
    asOf: () => day,
    now: () => new Date(day * MS_PER_DAY + MS_PER_DAY / 2),
    advanceWeeks: (weeks) => {
      day += 7 * weeks;
    },
  };
}
