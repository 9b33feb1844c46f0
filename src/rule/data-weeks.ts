/** As-of dates, data weeks and windows of weeks (sections 4.3 and 8). Dates are days since 1970-01-01. */

import { type Field, type OperationKey, REFRESH_DATES } from '../contract/index.ts';
import { isoDate } from '../profile/converters/index.ts';
import { collect, type Declarations, onlyIf, type Reading, rows } from './index.ts';

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

/** A date that a profile reads. */
interface DateField {
  readonly operation: OperationKey;
  readonly field: Field;
}

/** What a date is: a day, or the first or last day of a week, which an ISO week always is. */
function meaningOf({ operation, field }: DateField, { converter, dataWeek }: Declarations): string {
  if (converter(operation, field) === 'isoWeek') return 'isoWeek';
  return field === 'activeOn' || field === 'changedOn' || field === 'firstActiveOn'
    ? (dataWeek?.[field] ?? 'day')
    : 'day';
}

/**
 * The days by which two fields may differ if they show the same day: six if one of them shows the end or the beginning of its
 * week, and one more if they are written in two ways, such as a time in UTC.
 *
 * @example toleranceOf({ operation, field: 'changedOn' }, { operation, field: 'activeOn' }, declarations) // 6
 */
export function toleranceOf(one: DateField, other: DateField, declarations: Declarations): number {
  const [x, y] = [one, other].map(({ operation, field }) => declarations.converter(operation, field));
  const isOtherMeaning = meaningOf(one, declarations) !== meaningOf(other, declarations);
  return (isOtherMeaning ? 6 : 0) + (x === y ? 0 : 1);
}

const refreshFolds = { items: collect(['id', 'date'], 1000) };

/** The refresh dates of the first example catalogue. */
export const REFRESH_LIST = rows(REFRESH_DATES, {
  inputs: { catalogueId: { example: 'catalogueId' } },
  accepts: 'content',
  folds: refreshFolds,
});

export type RefreshReading = Reading<typeof refreshFolds>;

/** The refresh date, where the profile states that it is the as-of date of the judged operation (section 2). */
export const REFRESH = onlyIf(
  ({ selector, dataWeek }, subject) => selector(subject, 'asOf') === undefined && dataWeek?.refreshDate !== undefined,
  REFRESH_LIST,
);

/** The refresh date that the profile names, as a marker of the loaded data; several if the item with its id has several. */
export function refreshDatesIn(refresh: RefreshReading, { dataWeek }: Declarations): number[] {
  const wanted = dataWeek?.refreshDate;
  const dates = refresh.folds.items.rows
    .filter((item) => typeof wanted !== 'object' || String(item.id) === wanted.id)
    .flatMap((item) => (typeof item.date === 'number' ? [item.date] : []));
  return wanted === 'newest' ? dates.sort((x, y) => x - y).slice(-1) : dates;
}

/**
 * The possible as-of dates of a response: those that it contains, otherwise the last day of the data week of the refresh
 * date, if the profile says what that date is.
 */
export function asOfDatesOf(
  reading: Reading,
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): number[] {
  if (!refresh) return reading.observation?.values.asOf?.filter((value) => typeof value === 'number') ?? [];
  const delay = declarations.dataWeek?.refreshDelay;
  return delay === undefined ? [] : refreshDatesIn(refresh, declarations).map((date) => date - delay);
}

/** The `Date` header is the time of the response, not its data week. */
export const DATE_HEADER = /^\$response\.header\.date$/i;

/** The as-of date that a response itself states; undefined if it states none or several. */
export function statedAsOf(reading: Reading, declarations: Declarations): number | undefined {
  if (DATE_HEADER.test(declarations.selector(reading.operation, 'asOf') ?? '')) return undefined;
  let stated: number | undefined;
  for (const value of reading.observation?.values.asOf ?? []) {
    if (typeof value !== 'number') continue;
    if (stated !== undefined && stated !== value) return undefined;
    stated = value;
  }
  return stated;
}

/** Whether each response states an as-of date of its own, and all the same. */
export function stateOneAsOf(declarations: Declarations, ...readings: readonly Reading[]): boolean {
  const [asOf, ...others] = readings.map((each) => statedAsOf(each, declarations));
  return asOf !== undefined && others.every((each) => each === asOf);
}

/**
 * Whether responses state several as-of dates: nothing follows from a difference between data weeks. Catalogues may be
 * refreshed on different days, so those of one catalogue are compared.
 */
export const areOfSeveralAsOfs = (readings: readonly Reading[], declarations: Declarations): boolean =>
  [...Map.groupBy(readings, ({ inputs }) => String(inputs.catalogueId)).values()].some(
    (ofCatalogue) =>
      new Set(
        ofCatalogue.flatMap(({ operation, observation }) =>
          DATE_HEADER.test(declarations.selector(operation, 'asOf') ?? '')
            ? []
            : (observation?.values.asOf?.filter((value) => typeof value === 'number') ?? []),
        ),
      ).size > 1,
  );

/** Whether as-of dates show that all pages, or lists, are of one data week: each contains the same single date. */
export function areOfOneAsOf(
  asOfs: readonly (readonly unknown[])[],
  operations: readonly OperationKey[],
  declarations: Declarations,
): boolean {
  if (operations.some((each) => DATE_HEADER.test(declarations.selector(each, 'asOf') ?? ''))) return false;
  const [first] = asOfs[0] ?? [];
  return typeof first === 'number' && asOfs.every((dates) => dates.length > 0 && dates.every((each) => each === first));
}

/**
 * The last day number that may be before the window of an as-of date; infinite if the profile does not state what dates
 * mean. The window may count from the reload after the as-of date unless the profile states its edges, and dates in
 * another time zone may differ by a day.
 */
export function lastDayBeforeWindow(asOf: number | undefined, weeks: number, { dataWeek }: Declarations): number {
  if (asOf === undefined || !dataWeek) return Number.POSITIVE_INFINITY;
  const tolerance = dataWeek.firstDay.updateProducts === undefined ? 6 : Number(dataWeek.changedOn === 'day');
  return asOf - weeks * 7 + tolerance;
}
