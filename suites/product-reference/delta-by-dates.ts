/** The deltas contain the products that the dates of the bulk list put into their windows: sections 4.3 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  asOfDatesOf,
  certainDays,
  describeWindow,
  edgesOf,
  possibleDays,
  REFRESH,
  type RefreshReading,
  statedAsOf,
  weekEndBy,
} from '../../src/rule/data-weeks.ts';
import { type DeltaWindow, deltas, hasKindIn, kindFolds, mayBeRemovedIn, windowsIn } from '../../src/rule/deltas.ts';
import {
  type Comparison,
  type Declarations,
  dropRow,
  editAll,
  findingIn,
  type Reading,
  relationRule,
  rows,
  untested,
} from '../../src/rule/index.ts';
import { type DateCell, productDates } from '../../src/rule/product-values.ts';

type DataWeek = NonNullable<Declarations['dataWeek']>;

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
