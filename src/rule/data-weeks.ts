/** Judges dates against windows of weeks (sections 4.3 and 8). Dates are days since 1970-01-01. */
import { type OperationKey, REFRESH_DATES } from '../contract/index.ts';
import { isoDate } from '../profile/converters/index.ts';
import {
  collect,
  type Declarations,
  type Extent,
  evidenceOf,
  extent,
  failed,
  findingIn,
  findingsAt,
  inconclusive,
  type Judgement,
  passed,
  type Reading,
  type Side,
  step,
  type Tally,
  tally,
  untested,
} from './index.ts';
import { describeWindow, edgesOf, possibleDays } from './window-days.ts';

export const refreshDates = step({
  operation: REFRESH_DATES,
  inputs: { catalogueId: { example: 'catalogueId' } },
  accepts: 'content',
  folds: { items: collect(['id', 'date'], 1000) },
});

/** The step that reads the as-of date of an operation if the profile states that it is a refresh date (section 2). */
export function asOfSteps(declarations: Declarations, operation: OperationKey): { refresh?: typeof refreshDates } {
  const own = declarations.selector(operation, 'asOf') !== undefined;
  return !own && declarations.dataWeek?.refreshDate ? { refresh: refreshDates } : {};
}

/** The refresh date as a side of a relation, where it is the as-of date of the judged operation. */
export const REFRESH: Side<NonNullable<(typeof refreshDates)['folds']>, RefreshReading | undefined> = {
  needs: () => [],
  step: (subject, declarations) => asOfSteps(declarations, subject).refresh,
  read: ([reading]) => reading,
};

export type RefreshReading = Reading<NonNullable<(typeof refreshDates)['folds']>>;

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

/** The judgement of a list whose dates cannot all be converted, or that has none; undefined if it can be judged. */
function judgeUnread(reading: Reading, dates: Extent, all: Tally): Judgement | undefined {
  if (all.unconverted > 0) {
    if (dates.values === 0) return inconclusive(`no date could be converted: ${all.firstUnconverted[0]?.message}`);
    return failed(findingsAt(reading, 'a date, as in the other rows', all.firstUnconverted), 'profile');
  }
  return dates.values === 0 ? untested('no row contains a date') : undefined;
}

/** The note of a pass that states how many rows have no date: they are not judged. */
const undatedNote = ({ nulls, missing }: Tally): string | undefined =>
  nulls + missing > 0 ? `${nulls + missing} rows have no date` : undefined;

/** The folds of the dates of a list. */
export const datesOf = (field: 'activeOn' | 'changedOn') => ({ dates: extent(field), all: tally(field) });

type DatedReading = Reading<ReturnType<typeof datesOf>>;

/** Judges the span of the dates without an as-of date. It allows one data week more, since a date may be the edge of its week. */
export function judgeSpan(reading: DatedReading, weeks: number): Judgement {
  const { dates, all } = reading.folds;
  const unread = judgeUnread(reading, dates, all);
  if (unread || !dates.least || !dates.greatest) return unread ?? untested('no row contains a date');
  const span = dates.greatest.value - dates.least.value;
  const allowed = weeks * 7 + 7;
  if (span <= allowed) return passed({ ...evidenceOf([reading]), rows: dates.values, distinct: 1 }, undatedNote(all));
  const expected = `dates within ${weeks} weeks (a span of at most ${allowed} days, with one data week of tolerance)`;
  const actual = `${isoDate(dates.least.value)} and ${isoDate(dates.greatest.value)} differ by ${span} days`;
  return failed([findingIn(reading, `span-over-${weeks}-weeks`, expected, actual, { row: dates.least.index })]);
}

/** Judges the dates of a list against the window before its as-of date, to the day. The least and the greatest date suffice. */
export function judgeWindow(
  reading: DatedReading,
  weeks: number,
  field: 'activeOn' | 'changedOn',
  declarations: Declarations,
  refresh?: RefreshReading,
): Judgement {
  const { dates, all } = reading.folds;
  const declared = declarations.dataWeek;
  if (!declared) return untested('the profile declares no data week');
  const unread = judgeUnread(reading, dates, all);
  if (unread || !dates.least || !dates.greatest) return unread ?? untested('no row contains a date');
  const asOfDates = asOfDatesOf(reading, refresh, declarations);
  const asOf = asOfDates[0];
  if (asOf === undefined)
    return inconclusive(
      `${refresh ? REFRESH_DATES : 'the response'} contains no as-of date where the profile reads it`,
    );
  if (asOfDates.some((each) => each !== asOf)) return inconclusive('the response contains several as-of dates');
  const edges = edgesOf(declared, field === 'activeOn' ? 'allProducts' : 'updateProducts');
  const { first, last } = possibleDays(asOf, weeks, declared[field], edges);
  const outside = [dates.least, dates.greatest].filter(({ value }) => value < first || value > last);
  if (outside.length === 0)
    return passed({ ...evidenceOf([reading]), rows: dates.values, distinct: 1 }, undatedNote(all));
  const expected = `${field} from ${isoDate(first)} to ${isoDate(last)} (${describeWindow(asOf, weeks, edges)})`;
  return failed(
    outside.map(({ value, index: row }) => {
      const side = value < first ? 'before' : 'after';
      return findingIn(reading, `${side}-${weeks}-weeks`, expected, `row ${row}: ${isoDate(value)}`, { row });
    }),
  );
}
