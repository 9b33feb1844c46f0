/** The dates of the bulk list and of the deltas are within their windows, and the deltas follow the weekly reload: sections 1, 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS, type OperationKey, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  asOfDatesOf,
  describeDay,
  describeWindow,
  edgesOf,
  possibleDays,
  REFRESH,
  REFRESH_LIST,
  type RefreshReading,
} from '../../src/rule/data-weeks.ts';
import { deltas, windowsIn } from '../../src/rule/deltas.ts';
import {
  anything,
  type Comparison,
  type Declarations,
  decide,
  editRow,
  editValues,
  extent,
  findingIn,
  findingsAt,
  type Judgement,
  listNeeds,
  maybe,
  onlyIf,
  type Reading,
  relationRule,
  rows,
  tally,
  untested,
} from '../../src/rule/index.ts';

const datesOf = (field: 'activeOn' | 'changedOn') => ({ dates: extent(field), all: tally(field) });

type DatedReading = Reading<ReturnType<typeof datesOf>>;

type Day = NonNullable<DatedReading['folds']['dates']['least']>;

/** Responses of clients are judged, too, whatever their filters. */
const bulkWith = (...fields: readonly ('asOf' | 'activeOn')[]) =>
  rows(ALL_PRODUCTS, { fields, alsoMatches: anything, accepts: 'content', folds: datesOf('activeOn') });

const deltasWith = (...fields: readonly ('asOf' | 'changedOn')[]) =>
  deltas(fields, datesOf('changedOn'), { alsoMatches: anything });

/** Judges the least and the greatest date of lists. Rows without a date are not judged; the note of one list counts them. */
function judgeDates<L extends { readonly reading: DatedReading }>(
  lists: readonly L[],
  compare: (list: L, least: Day, greatest: Day) => Comparison,
): Judgement {
  const compared = lists.map((list): Comparison => {
    const { dates, all } = list.reading.folds;
    if (all.unconverted > 0 && dates.values === 0)
      return { doubt: `no date could be converted: ${all.firstUnconverted[0]?.message}` };
    if (all.unconverted > 0) {
      const findings = findingsAt(list.reading, 'a date, as in the other rows', all.firstUnconverted);
      return { basis: 'profile', findings };
    }
    if (!dates.least || !dates.greatest) return {};
    return { of: [list.reading], compared: dates.values, ...compare(list, dates.least, dates.greatest) };
  });
  const [{ nulls, missing } = { nulls: 0, missing: 0 }, ...others] = lists.map(({ reading }) => reading.folds.all);
  const note = others.length === 0 && nulls + missing > 0 ? `${nulls + missing} rows have no date` : undefined;
  const evidence = { distinct: compared.filter((each) => each.compared).length };
  return decide(compared, { nothing: 'no row contains a date', counted: 'rows', evidence, note });
}

/** Compares the span of the dates without an as-of date. It allows one data week more, since a date may be the edge of its week. */
function compareSpan(
  { reading, weeks }: { reading: DatedReading; weeks: number },
  least: Day,
  greatest: Day,
): Comparison {
  const span = greatest.value - least.value;
  const allowed = weeks * 7 + 7;
  if (span <= allowed) return {};
  const expected = `dates within ${weeks} weeks (a span of at most ${allowed} days, with one data week of tolerance)`;
  const actual = `${describeDay(least.value)} and ${describeDay(greatest.value)} differ by ${span} days`;
  return { findings: [findingIn(reading, `span-over-${weeks}-weeks`, expected, actual, { row: least.index })] };
}

/** Judges the dates of lists with the windows before their as-of dates, to the day. */
function judgeWindows(
  lists: readonly { reading: DatedReading; weeks: number }[],
  field: 'activeOn' | 'changedOn',
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): Judgement {
  const { dataWeek } = declarations;
  if (!dataWeek) return untested('the profile declares no data week');
  const edges = edgesOf(dataWeek, field === 'activeOn' ? 'allProducts' : 'updateProducts');
  return judgeDates(lists, ({ reading, weeks }, least, greatest) => {
    const [asOf, ...others] = asOfDatesOf(reading, refresh, declarations);
    const holder = refresh ? refresh.operation : 'the response';
    if (asOf === undefined) return { doubt: `${holder} contains no as-of date where the profile reads it` };
    if (others.some((each) => each !== asOf)) return { doubt: 'the response contains several as-of dates' };
    const { first, last } = possibleDays(asOf, weeks, dataWeek[field], edges);
    const days = `from ${describeDay(first)} to ${describeDay(last)}`;
    const outside = [least, greatest].filter(({ value }) => value < first || value > last);
    const findings = outside.map(({ value, index: row }) => {
      const kind = `${value < first ? 'before' : 'after'}-${weeks}-weeks`;
      const expected = `${field} ${days} (${describeWindow(asOf, weeks, edges)})`;
      return findingIn(reading, kind, expected, `row ${row}: ${describeDay(value)}`, { row });
    });
    return { findings };
  });
}

export const historySpan = relationRule({
  id: 'C.history-span',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The products of the bulk list were active within the last 52 weeks.',
  how: [
    'The newest and oldest activity dates differ by at most 52 weeks and one data week.',
    'The local clock is not used.',
  ],
  subjects: [ALL_PRODUCTS],
  repeat: false,
  sides: { bulk: bulkWith('activeOn') },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  compare: ({ bulk }) => judgeDates([{ reading: bulk, weeks: LIMITS.historyWeeks }], compareSpan),
});

export const historyWindow = relationRule({
  id: 'C.history-window',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each product of the bulk list was active within the 52 weeks before the as-of date.',
  how: 'The activity date of each row is compared with the as-of date that the profile reads, to the day.',
  subjects: [ALL_PRODUCTS],
  reads: ['dataWeek.firstDay'],
  repeat: false,
  promises: ['dataWeek'],
  sides: { bulk: bulkWith('activeOn', 'asOf'), refresh: REFRESH },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  compare: ({ bulk, refresh }, { declarations }) =>
    judgeWindows([{ reading: bulk, weeks: LIMITS.historyWeeks }], 'activeOn', refresh, declarations),
});

export const deltaSpan = relationRule({
  id: 'C.delta-span',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The change dates of a delta are within its window.',
  how: [
    'The newest and oldest change dates of each delta differ by at most the window and one data week.',
    'The local clock is not used.',
  ],
  subjects: [UPDATE_PRODUCTS],
  repeat: false,
  sides: deltasWith('changedOn'),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  compare: (sides) => judgeDates(windowsIn(sides), compareSpan),
});

export const deltaWindow = relationRule({
  id: 'C.delta-window',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The change date of each row of a delta is within the window that ends at the as-of date.',
  how: 'The change date of each row is compared with the as-of date that the profile reads, to the day.',
  subjects: [UPDATE_PRODUCTS],
  reads: ['dataWeek.firstDay'],
  repeat: false,
  promises: ['dataWeek'],
  sides: { ...deltasWith('changedOn', 'asOf'), refresh: REFRESH },
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  compare: ({ refresh, ...sides }, { declarations }) =>
    judgeWindows(windowsIn(sides), 'changedOn', refresh, declarations),
});

const day = (reading: Reading | undefined) =>
  reading?.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;

const hasAsOf = ({ selector }: Declarations, operation: OperationKey): boolean =>
  selector(operation, 'asOf') !== undefined;

const hasDelay = ({ dataWeek }: Declarations): boolean => dataWeek?.refreshDelay !== undefined;

/** A delta without an as-of date takes that of the refresh date, which would be compared with itself. */
const canCompareAsOf = (declarations: Declarations): boolean =>
  hasAsOf(declarations, UPDATE_PRODUCTS) && (hasAsOf(declarations, ALL_PRODUCTS) || hasDelay(declarations));

export const deltaFresh = relationRule({
  id: 'C.delta-fresh',
  statement: 'C.delta-weekly',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The delta and the bulk list have the same data week.',
  how: [
    'The as-of date that the delta states is compared with that of the bulk list, and with the refresh date if the profile says what that date is.',
    'The rule reports a difference of more than one data week.',
    'Lists without an as-of date of their own prove nothing.',
  ],
  looksLike: [
    'A server that loads the bulk list, the refresh date and the delta on different days, so that their dates differ by one data week.',
    'The distance distinguishes them: only more than seven days are reported.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: [...listNeeds(UPDATE_PRODUCTS, 'asOf'), 'allProducts.request', 'allProducts.fields.asOf'],
  comparesAsOf: true,
  sides: {
    bulk: onlyIf(
      (declarations) => canCompareAsOf(declarations) && hasAsOf(declarations, ALL_PRODUCTS),
      rows(ALL_PRODUCTS, { accepts: 'content' }),
    ),
    refresh: onlyIf((declarations) => canCompareAsOf(declarations) && hasDelay(declarations), maybe(REFRESH_LIST)),
    delta: onlyIf(canCompareAsOf, rows(UPDATE_PRODUCTS, { weeks: 1 })),
  },
  counterexample: ({ delta }) => ({ delta: editValues(delta, { asOf: [0] }) }),
  compare({ bulk, refresh, delta }, { declarations }) {
    const asOf = day(delta);
    const refreshed = new Set(delta && refresh ? asOfDatesOf(delta, refresh, declarations) : []);
    const others = [
      { kind: 'other-week', name: 'the bulk list', date: day(bulk), since: {} },
      {
        kind: 'other-week-than-the-refresh-date',
        name: 'the refresh date',
        date: refreshed.size === 1 ? [...refreshed][0] : undefined,
        since: { since: '0.2.0' } as const,
      },
    ];
    const compared = others.map(({ kind, name, date, since }): Comparison => {
      if (!delta || asOf === undefined || date === undefined) return {};
      const expected = `the same data week in ${name} and the delta`;
      const actual = `their as-of dates differ by ${Math.abs(date - asOf)} days`;
      const findings = Math.abs(date - asOf) > 7 ? [findingIn(delta, kind, expected, actual, since)] : [];
      return { compared: 1, findings };
    });
    const exchanges = 1 + compared.filter((each) => each.compared).length;
    return decide(compared, {
      nothing: 'a response contains no as-of date where the profile reads it',
      evidence: { exchanges, rows: 0, distinct: 1 },
    });
  },
});
