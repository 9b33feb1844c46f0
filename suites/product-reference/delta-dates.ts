/** The dates of the bulk list and of the deltas are within their windows, and the deltas follow the weekly reload: sections 1, 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS, type OperationKey, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  asOfDatesOf,
  certainDays,
  describeDay,
  describeWindow,
  edgesOf,
  possibleDays,
  REFRESH,
  REFRESH_LIST,
  type RefreshReading,
  statedAsOf,
  weekEndBy,
} from '../../src/rule/data-weeks.ts';
import { type DeltaWindow, deltas, hasKindIn, kindFolds, mayBeRemovedIn, windowsIn } from '../../src/rule/deltas.ts';
import {
  anything,
  type Comparison,
  type Declarations,
  decide,
  dropRow,
  editAll,
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
import { type DateCell, productDates } from '../../src/rule/product-values.ts';

type DataWeek = NonNullable<Declarations['dataWeek']>;

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

type BulkReading = Reading<{ dates: ReturnType<typeof productDates> }>;

/** Compares the data week of the bulk list with that of an as-of date. */
function compareWeek(
  bulk: BulkReading,
  asOf: number,
  week: DataWeek,
  declarations: Declarations,
): 'earlier' | 'same' | 'later' {
  const stated = statedAsOf(bulk, declarations);
  if (stated !== undefined) return stated === asOf ? 'same' : stated < asOf ? 'earlier' : 'later';
  // A list without an as-of date contains the reload of a data week if one of its dates is in that week.
  const { newest } = bulk.folds.dates;
  const previousWeekEnd = weekEndBy(asOf, week.endsOn) - 7 + (week.firstDay.updateProducts === undefined ? 1 : 0);
  if (newest === undefined || newest <= previousWeekEnd) return 'earlier';
  return newest > asOf ? 'later' : 'same';
}

/** What a row of the bulk list shows: its product is missing in a window, wrongly in it, neither, or as its dates demand. */
interface Shown {
  readonly is?: 'missing' | 'wrong' | 'right';
  /** Another row of the product that is missing, or wrong, proves nothing. */
  readonly clears?: readonly ('missing' | 'wrong')[];
}

/** The products of the bulk list that contradict a window, in all of their rows; and the number of those that agree. */
function findContradictions(bulk: BulkReading, show: (upc: string, dates: readonly DateCell[]) => Shown) {
  const found = { missing: new Set<string>(), wrong: new Set<string>() };
  const cleared = { missing: new Set<string>(), wrong: new Set<string>() };
  let compared = 0;
  bulk.folds.dates.visit((upc, dates) => {
    const { is, clears = [] } = show(upc, dates);
    if (is === 'right') compared++;
    else if (is) found[is].add(upc);
    for (const each of clears) cleared[each].add(upc);
  });
  for (const each of ['missing', 'wrong'] as const) for (const upc of cleared[each]) found[each].delete(upc);
  return { ...found, compared };
}

const OLDER_LIST = 'the bulk list may be of an earlier data week than the delta';

const findingOf = (
  reading: Reading,
  kind: string,
  expected: string,
  upcs: Iterable<string>,
  describe: (count: number) => string,
) => {
  const all = [...upcs];
  return all.length === 0
    ? []
    : [findingIn(reading, kind, expected, `${describe(all.length)}, e.g. ${all.slice(0, 5).join(', ')}`)];
};

/** Compares a window with the dates of the bulk list. A product with a date after the as-of date proves nothing. */
function compareWindow(
  bulk: BulkReading,
  { weeks, reading }: DeltaWindow<Reading<typeof kindFolds>>,
  week: DataWeek,
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): Comparison {
  const { dates: fields } = declarations.delta;
  const stated = statedAsOf(reading, declarations);
  const [asOf, ...others] = new Set(refresh ? asOfDatesOf(reading, refresh, declarations) : [stated ?? []].flat());
  if (asOf === undefined || others.length > 0) return { doubt: 'the delta states no as-of date, or several' };
  // A product that the delta shows as removed may have left the list or returned to it.
  const mayBeRemoved = mayBeRemovedIn([reading], declarations);
  const edges = edgesOf(week, 'updateProducts');
  const certain = fields.map((date) => certainDays(asOf, weeks, week[date], edges));
  // Dates of another time zone may differ by a day unless the profile states the edges of the window.
  const tolerance = edges.firstDay === undefined ? 1 : 0;
  const earliestDays = fields.map((date) => possibleDays(asOf, weeks, week[date], edges).first - tolerance);
  const returned = new Set<string>();
  const { missing, wrong, compared } = findContradictions(bulk, (upc, dates): Shown => {
    const days = dates.slice(0, fields.length);
    const isInDelta = reading.folds.upcs.has(upc);
    if (days.some((each) => typeof each === 'number' && each > asOf)) return { clears: ['missing', 'wrong'] };
    const areAllBefore =
      days.every((each, at) => each === undefined || (each !== null && each < (earliestDays[at] as number))) &&
      days.some((each) => each !== undefined);
    if (areAllBefore) return isInDelta && !mayBeRemoved(upc) ? { is: 'wrong' } : { is: 'right' };
    const isInside = certain.some(({ first, last }, at) => days[at] != null && days[at] >= first && days[at] <= last);
    if (isInDelta) return { ...(isInside && { is: 'right' }), clears: ['wrong'] };
    const activeOn = dates[fields.length];
    if (isInside && (typeof activeOn !== 'number' || activeOn > asOf)) returned.add(upc);
    return isInside ? { is: 'missing' } : {};
  });
  const comparison = { of: [bulk, reading], compared };
  if (missing.size + wrong.size === 0) return comparison;
  if (stated === undefined) return { doubt: 'the refresh date may be that of another replica than the delta' };
  const bulkWeek = compareWeek(bulk, asOf, week, declarations);
  if (bulkWeek === 'earlier') return { doubt: OLDER_LIST };
  const { unread } = reading.folds.upcs;
  if (unread > 0 && wrong.size === 0) return { doubt: `${unread} rows of the delta have no readable UPC` };
  const certainlyMissing = [...missing].filter((upc) => unread === 0 && (bulkWeek === 'same' || !returned.has(upc)));
  const dated = `a ${fields.join(' or ')}`;
  const windowText = describeWindow(asOf, weeks, edges);
  const findings = [
    ...findingOf(
      reading,
      `missing-in-${weeks}-weeks`,
      `the ${weeks}-week delta contains every product with ${dated} in the bulk list within the ${windowText}`,
      certainlyMissing,
      (count) => `${count} of these products are missing`,
    ),
    ...findingOf(
      reading,
      `not-changed-in-${weeks}-weeks`,
      `the ${weeks}-week delta contains only products with ${dated} within the ${windowText}`,
      wrong,
      (count) => `${count} of its products have only earlier dates in the bulk list`,
    ),
  ];
  return findings.length > 0
    ? { ...comparison, findings }
    : { doubt: 'the products that are missing in the delta may have returned to the bulk list since' };
}

export const deltaByDates = relationRule({
  id: 'C.delta-by-dates',
  statement: 'C.delta',
  demands: 'A delta contains the products that the bulk list dates within its window, and no others.',
  how: [
    'Where the profile says which dates of a product put it into a delta, each window is computed from the bulk list, at the as-of date that the delta states.',
    'A listed product with such a date in the window must be in the delta, and one whose dates are all before the window must not.',
    'The days that may be on either side of an edge, and products with a date after the as-of date, are not judged; nor are products with dates before the window that a row shows as removed.',
  ],
  looksLike: [
    'A delta that is reloaded after the bulk list, or before it, differs from what the list shows now.',
    'The as-of dates of both distinguish them: differences count only if the list is not of an earlier data week, and for a later one only for products that were active by the as-of date of the delta.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaDates', 'dataWeek'],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', ['changedOn', 'firstActiveOn']],
      folds: ({ delta }) => ({ dates: productDates([...delta.dates, 'activeOn']) }),
    }),
    ...deltas(['upc', 'asOf'], kindFolds),
    refresh: REFRESH,
  },
  counterexample: ({ thirteen }) => ({ thirteen: dropRow(thirteen) }),
  compare({ bulk, refresh, ...sides }, { declarations }) {
    const { dataWeek } = declarations;
    return dataWeek
      ? windowsIn(sides).map((window) => compareWindow(bulk, window, dataWeek, refresh, declarations))
      : untested('the profile declares no data week');
  },
  nothing: 'the dates of the bulk list decide nothing about the windows',
});

export const deltaNew = relationRule({
  id: 'C.delta-new',
  statement: 'C.delta',
  demands: 'A delta calls exactly those of its products new that were first active within its window.',
  how: [
    'Where the profile says that a product is new by its firstActiveOn, each window is compared with these dates in the bulk list, at the as-of date that the delta states.',
    'A product that a row calls new must not have been active before the window, and one that was first active within it must not be called changed only.',
    'Days that may be on either side of an edge, products first active after the as-of date, and products that a row shows as removed are not judged.',
  ],
  looksLike: [
    'A server that calls a product new when it returns after a gap, although its first activity was years ago.',
    'The profile distinguishes them: it states `delta.newBy` only if that date decides.',
    'A list of an earlier data week than the delta proves nothing.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaKinds', 'deltaNewBy', 'dataWeek'],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', 'firstActiveOn'],
      folds: { dates: productDates(['firstActiveOn', 'changedOn', 'activeOn']) },
    }),
    ...deltas(['upc', 'changeKind', 'asOf'], kindFolds),
  },
  counterexample: ({ one }, { declarations: { delta } }) => ({
    one: editAll(one, { changeKind: delta.kinds?.new[0] }),
  }),
  compare({ bulk, ...sides }, { declarations }) {
    const { dataWeek, delta } = declarations;
    if (!dataWeek || !delta.newBy) return untested('the profile declares no data week, or no delta.newBy');
    const edges = edgesOf(dataWeek, 'updateProducts');
    const [added, changed] = [delta.kinds?.new ?? [], delta.kinds?.changed ?? []];
    return windowsIn(sides).map(({ weeks, reading }): Comparison => {
      const asOf = statedAsOf(reading, declarations);
      if (asOf === undefined) return { doubt: 'the delta states no as-of date, or several' };
      // A product that a row shows as removed, or with a text that the profile does not name, may have returned since.
      const isOther = hasKindIn([reading], (text) => !added.includes(text) && !changed.includes(text));
      const [isNew, isChanged] = [added, changed].map((texts) => hasKindIn([reading], (text) => texts.includes(text)));
      const certain = certainDays(asOf, weeks, dataWeek.firstActiveOn, edges);
      // Dates of another time zone may differ by a day unless the profile states the edges of the window.
      const earliestDay =
        possibleDays(asOf, weeks, dataWeek.firstActiveOn, edges).first - Number(edges.firstDay === undefined);
      const { missing, wrong, compared } = findContradictions(bulk, (upc, [day]): Shown => {
        if (isOther(upc) || !(isNew?.(upc) || isChanged?.(upc))) return {};
        if (typeof day === 'number' && day < earliestDay && isNew?.(upc)) return { is: 'wrong' };
        const isInside = typeof day === 'number' && day >= certain.first && day <= certain.last;
        if (isInside && !isNew?.(upc)) return { is: 'missing' };
        return { ...(typeof day === 'number' && day <= asOf && { is: 'right' }), clears: ['missing', 'wrong'] };
      });
      // A row of the delta whose UPC cannot be read may call a product new.
      if (reading.folds.upcs.unread > 0) missing.clear();
      const comparison = { of: [bulk, reading], compared };
      if (missing.size + wrong.size === 0) return comparison;
      if (compareWeek(bulk, asOf, dataWeek, declarations) === 'earlier') return { doubt: OLDER_LIST };
      const inWindow = `within the ${describeWindow(asOf, weeks, edges)}`;
      const findings = [
        ...findingOf(
          reading,
          `active-before-${weeks}-weeks`,
          `the products that the ${weeks}-week delta calls new were first active ${inWindow}`,
          wrong,
          (count) => `${count} of them have an earlier first activity in the bulk list`,
        ),
        ...findingOf(
          reading,
          `called-changed-in-${weeks}-weeks`,
          `the ${weeks}-week delta calls its products new that were first active ${inWindow}`,
          missing,
          (count) => `it calls ${count} of them changed`,
        ),
      ];
      return { ...comparison, findings };
    });
  },
  nothing: 'the bulk list has no date of first activity for a product that a delta calls new or changed',
});
