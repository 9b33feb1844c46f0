/** Judging dates against windows of weeks (sections 4.3 and 8). Dates are day numbers. */
import { type OperationKey, REFRESH_DATES } from '../contract/index.ts';
import {
  collect,
  type Declarations,
  type Extent,
  evidenceOf,
  failed,
  findingsAt,
  type Judgement,
  nothingToJudge,
  passed,
  type Reading,
  step,
  type Tally,
  undecided,
} from './index.ts';

const refreshDates = step({
  operation: REFRESH_DATES,
  inputs: { catalogueId: { example: 'catalogueId' } },
  wants: 'content',
  folds: { items: collect(['id', 'date'], 1000) },
});

/** The step that reads the as-of of an operation's answers where the profile says it is a refresh date (section 2). */
export function asOfSteps(declares: Declarations, operation: OperationKey): { refresh?: typeof refreshDates } {
  const own = declares.selector(operation, 'asOf') !== undefined;
  return !own && declares.dataWeek?.refreshDate ? { refresh: refreshDates } : {};
}

export type RefreshReading = Reading<NonNullable<(typeof refreshDates)['folds']>>;

/** The days that may be the as-of of an answer: those it holds, else the refresh date the profile names. */
export function asOfsOf(reading: Reading, refresh: RefreshReading | undefined, declares: Declarations): number[] {
  if (!refresh) return reading.observation?.values.asOf?.filter((value) => typeof value === 'number') ?? [];
  const wanted = declares.dataWeek?.refreshDate;
  const dates = refresh.folds.items.rows
    .filter((item) => typeof wanted !== 'object' || item.id === wanted.id)
    .flatMap((item) => (typeof item.date === 'number' ? [item.date] : []));
  return wanted === 'newest' ? dates.sort((x, y) => x - y).slice(-1) : dates;
}

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** A list in which some dates cannot be read says of those rows nothing, where it says it of the others. */
function judgeUnread(reading: Reading, dates: Extent, all: Tally): Judgement | undefined {
  if (all.unconverted > 0) {
    if (dates.values === 0) return undecided(`no date could be understood: ${all.firstUnconverted[0]?.message}`);
    return failed(findingsAt(reading, 'a date, as in the other rows', all.firstUnconverted), 'profile');
  }
  return dates.values === 0 ? nothingToJudge('no row carries a date') : undefined;
}

/** Rows without a date are in no window and out of none; how many they are is told beside the pass. */
const undated = ({ nulls, missing }: Tally): string | undefined =>
  nulls + missing > 0 ? `${nulls + missing} rows carry no date` : undefined;

/** Without an as-of only the span is judged: the window and one data week, since rows may carry the edges of their weeks. */
export function spanAllowance(reading: Reading, dates: Extent, all: Tally, weeks: number): Judgement {
  const unread = judgeUnread(reading, dates, all);
  if (unread || !dates.least || !dates.greatest) return unread ?? nothingToJudge('no row carries a date');
  const span = dates.greatest.value - dates.least.value;
  const allowed = weeks * 7 + 7;
  if (span <= allowed) return passed({ ...evidenceOf([reading]), rows: dates.values, distinct: 1 }, undated(all));
  return failed([
    {
      expected: `dates within ${weeks} weeks (at most ${allowed} days apart, one data week allowed)`,
      actual: `${iso(dates.least.value)} and ${iso(dates.greatest.value)} are ${span} days apart`,
      exchange: reading.exchange,
      row: dates.least.index,
    },
  ]);
}

/** The newest day on or before a day that ends a data week. Day 0 was a Thursday. */
const weekEndBy = (day: number, endsOn: number): number => day - ((((day + 4 - endsOn) % 7) + 7) % 7);

/**
 * The first and last day a date may have in a window of so many weeks. A window of whole data weeks begins earlier than
 * one counted from the as-of itself; the document does not say which is meant, so the earlier one is allowed.
 */
function edges(
  asOf: number,
  weeks: number,
  means: 'day' | 'weekEnding' | 'weekStarting',
  week: { endsOn: number; firstDay?: 'included' | 'excluded' },
) {
  // Unless the profile says the first day is out, the day exactly N weeks before is let in: the document does not say.
  const first = weekEndBy(asOf, week.endsOn) - weeks * 7 + (week.firstDay === 'excluded' ? 1 : 0);
  // What a data week brought may be dated by the reload that follows it, unless the profile fixes the window's edges.
  const last = week.firstDay === undefined ? asOf + 6 : asOf;
  if (means === 'weekStarting') return { first: first - 6, last };
  // A week that ends after the as-of may have begun before it.
  return { first, last: means === 'weekEnding' ? asOf + 6 : last };
}

/** With an as-of each row is judged to the day; the extremes stand for all rows between them. */
export function judgeWindow(
  reading: Reading,
  { dates, all }: { readonly dates: Extent; readonly all: Tally },
  weeks: number,
  field: 'activeOn' | 'changedOn',
  declares: Declarations,
  refresh?: RefreshReading,
): Judgement {
  const declared = declares.dataWeek;
  if (!declared) return nothingToJudge('the profile declares no data week');
  const unread = judgeUnread(reading, dates, all);
  if (unread || !dates.least || !dates.greatest) return unread ?? nothingToJudge('no row carries a date');
  const marks = asOfsOf(reading, refresh, declares);
  const asOf = marks[0];
  if (asOf === undefined)
    return undecided(`${refresh ? REFRESH_DATES : 'the answer'} holds no as-of where the profile reads one`);
  if (marks.some((mark) => mark !== asOf)) return undecided('the answer holds several as-ofs');
  const { first, last } = edges(asOf, weeks, declared[field], declared);
  const outside = [dates.least, dates.greatest].filter(({ value }) => value < first || value > last);
  if (outside.length === 0) return passed({ ...evidenceOf([reading]), rows: dates.values, distinct: 1 }, undated(all));
  return failed(
    outside.map(({ value, index }) => ({
      expected: `${field} from ${iso(first)} to ${iso(last)} (${weeks} weeks up to the as-of ${iso(asOf)})`,
      actual: `row ${index}: ${iso(value)}`,
      exchange: reading.exchange,
      row: index,
    })),
  );
}
