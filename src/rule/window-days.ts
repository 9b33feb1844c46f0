/** The days of a window of weeks before an as-of date (sections 4.3 and 8). Dates are days since 1970-01-01. */
import { isoDate } from '../profile/converters/index.ts';

type DateMeaning = 'day' | 'weekEnding' | 'weekStarting';

type Edge = 'included' | 'excluded';

/** The weekday on which a data week ends (Sunday is 0), and whether a window contains the day exactly N weeks before. */
interface WindowEdges {
  readonly endsOn: number;
  readonly firstDay?: Edge | undefined;
}

/** The edges of the window of a list, which the profile may state for each list. */
export const edgesOf = <L extends string>(
  { endsOn, firstDay }: { readonly endsOn: number; readonly firstDay: { readonly [K in L]?: Edge | undefined } },
  list: L,
): WindowEdges => ({ endsOn, firstDay: firstDay[list] });

/** A date in a finding: `2026-11-14`. */
export const describeDay = (day: number): string => isoDate(day);

/** A window in a finding: `4 weeks up to the as-of date 2026-11-14; dataWeek.firstDay of the profile: excluded`. */
export const describeWindow = (asOf: number, weeks: number, { firstDay }: Pick<WindowEdges, 'firstDay'>): string =>
  `${weeks} weeks up to the as-of date ${isoDate(asOf)}${firstDay ? `; dataWeek.firstDay of the profile: ${firstDay}` : ''}`;

/** The last end of a data week on or before a day. Day 0 was a Thursday. */
export const weekEndBy = (day: number, endsOn: number): number => day - ((((day + 4 - endsOn) % 7) + 7) % 7);

/**
 * The first and last day that a date in a window may have. A window of whole data weeks begins earlier than one counted
 * from the as-of date; the document does not define which one applies, so the earlier one is allowed.
 */
export function possibleDays(
  asOf: number,
  weeks: number,
  means: DateMeaning,
  week: WindowEdges,
): { readonly first: number; readonly last: number } {
  // The day exactly N weeks before is allowed unless the profile excludes it: the document does not define it.
  const first = weekEndBy(asOf, week.endsOn) - weeks * 7 + (week.firstDay === 'excluded' ? 1 : 0);
  // The date may be that of the reload after the data week, unless the profile states the edges of the window.
  const last = week.firstDay === undefined ? asOf + 6 : asOf;
  if (means === 'weekStarting') return { first: first - 6, last };
  // A week that ends after the as-of date may begin before it.
  return { first, last: means === 'weekEnding' ? asOf + 6 : last };
}

/**
 * The first and last day that a date has only if it is in the window, whichever way the document allows to count it. The
 * window may end with the newest complete data week; it may count from the reload after the as-of date unless the profile
 * states its edges. The day exactly N weeks before may be in it in part unless the profile includes it.
 *
 * @example certainDays(20_049, 1, 'day', { endsOn: 6, firstDay: 'included' }) // { first: 20_042, last: 20_049 }
 */
export function certainDays(
  asOf: number,
  weeks: number,
  means: DateMeaning,
  week: WindowEdges,
): { readonly first: number; readonly last: number } {
  const end = weekEndBy(asOf, week.endsOn);
  const first = asOf - weeks * 7 + 1 + (week.firstDay === undefined ? 6 : 0);
  const firstDay = week.firstDay === 'included' ? first - 1 : first;
  // A window that does not end with a data week cuts the oldest one: its end is in the window, its beginning is not.
  if (means === 'weekEnding') return { first: asOf === end ? first : first + 6, last: end };
  return { first: firstDay, last: means === 'weekStarting' ? end - 6 : end };
}
