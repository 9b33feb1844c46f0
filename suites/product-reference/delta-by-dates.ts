/** A delta contains the products that the bulk list dates within its window, and no others: sections 4.3 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { asOfDatesOf, REFRESH, type RefreshReading, statedAsOf } from '../../src/rule/data-weeks.ts';
import { kindFolds, mayBeRemovedIn } from '../../src/rule/delta-kinds.ts';
import { type DeltaWindow, deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  type Comparison,
  type Declarations,
  dropRow,
  type Finding,
  findingIn,
  type Reading,
  relationRule,
  rows,
  untested,
} from '../../src/rule/index.ts';
import { type DateCell, productDates } from '../../src/rule/product-dates.ts';
import { certainDays, describeWindow, edgesOf, possibleDays, weekEndBy } from '../../src/rule/window-days.ts';

type DataWeek = NonNullable<Declarations['dataWeek']>;

type BulkReading = Reading<{ dates: ReturnType<typeof productDates> }>;
type KindReading = Reading<typeof kindFolds>;

/** Compares the data week of the bulk list with that of an as-of date. */
export function compareWeek(
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

interface Differences {
  /** Listed products with a date that is certainly in the window, which are not in the delta. */
  readonly missing: ReadonlySet<string>;
  /** Products of the delta whose dates in the list are all certainly before the window. */
  readonly unchanged: ReadonlySet<string>;
  /** The missing ones that the list may contain again after an absence. */
  readonly returned: ReadonlySet<string>;
  /** Number of products that are as their dates demand. */
  readonly agreeing: number;
}

/**
 * Compares a window with the dates of the bulk list. A product with a date after the as-of date proves nothing. One that
 * the delta shows as removed may have left the list or returned to it.
 */
function compareDates(
  bulk: BulkReading,
  { weeks, reading }: DeltaWindow<KindReading>,
  asOf: number,
  week: DataWeek,
  declarations: Declarations,
): Differences {
  const { delta } = declarations;
  const mayBeRemoved = mayBeRemovedIn([reading], declarations);
  const edges = edgesOf(week, 'updateProducts');
  const certain = delta.dates.map((date) => certainDays(asOf, weeks, week[date], edges));
  // Dates of another time zone may differ by a day unless the profile states the edges of the window.
  const tolerance = edges.firstDay === undefined ? 1 : 0;
  const earliestDays = delta.dates.map((date) => possibleDays(asOf, weeks, week[date], edges).first - tolerance);
  const hasDateInside = (dates: readonly DateCell[]) =>
    certain.some(({ first, last }, at) => typeof dates[at] === 'number' && dates[at] >= first && dates[at] <= last);
  const areAllBefore = (dates: readonly DateCell[]) =>
    earliestDays.every((day, at) => dates[at] === undefined || (typeof dates[at] === 'number' && dates[at] < day)) &&
    earliestDays.some((_, at) => typeof dates[at] === 'number');
  const hasDateAfterAsOf = (dates: readonly DateCell[]) =>
    earliestDays.some((_, at) => typeof dates[at] === 'number' && dates[at] > asOf);

  const [missing, unchanged, returned] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let agreeing = 0;
  bulk.folds.dates.visit((upc, dates) => {
    if (hasDateAfterAsOf(dates)) return;
    const isInDelta = reading.folds.upcs.has(upc);
    if (hasDateInside(dates)) {
      if (isInDelta) agreeing++;
      else missing.add(upc);
      const activeOn = dates[delta.dates.length];
      if (!isInDelta && (typeof activeOn !== 'number' || activeOn > asOf)) returned.add(upc);
    } else if (areAllBefore(dates)) {
      if (isInDelta && !mayBeRemoved(upc)) unchanged.add(upc);
      else agreeing++;
    }
  });
  // A product may have several rows in the list: the dates of another row may show that its first one proves nothing.
  if (missing.size + unchanged.size > 0) {
    bulk.folds.dates.visit((upc, dates) => {
      if (hasDateAfterAsOf(dates)) missing.delete(upc);
      if (hasDateAfterAsOf(dates) || !areAllBefore(dates)) unchanged.delete(upc);
    });
  }
  return { missing, unchanged, returned, agreeing };
}

/** Compares a window with the dates of the bulk list. */
function compareWindow(
  bulk: BulkReading,
  window: DeltaWindow<KindReading>,
  week: DataWeek,
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): Comparison {
  const { weeks, reading } = window;
  const stated = statedAsOf(reading, declarations);
  const asOfDates = new Set(refresh ? asOfDatesOf(reading, refresh, declarations) : [stated ?? []].flat());
  const [asOf] = asOfDates;
  if (asOf === undefined || asOfDates.size > 1) return { doubt: 'the delta states no as-of date, or several' };
  const { missing, unchanged, returned, agreeing } = compareDates(bulk, window, asOf, week, declarations);
  const comparison = { of: [bulk, reading], compared: agreeing };
  if (missing.size + unchanged.size === 0) return comparison;
  if (stated === undefined) return { doubt: 'the refresh date may be that of another replica than the delta' };
  const bulkWeek = compareWeek(bulk, asOf, week, declarations);
  if (bulkWeek === 'earlier') return { doubt: 'the bulk list may be of an earlier data week than the delta' };
  const { unread } = reading.folds.upcs;
  if (unread > 0 && unchanged.size === 0) return { doubt: `${unread} rows of the delta have no readable UPC` };
  const certain = [...missing].filter((upc) => unread === 0 && (bulkWeek === 'same' || !returned.has(upc)));
  const dates = declarations.delta.dates.join(' or ');
  const windowText = describeWindow(asOf, weeks, edgesOf(week, 'updateProducts'));
  const findings: Finding[] = [];
  if (certain.length > 0)
    findings.push(
      findingIn(
        reading,
        `missing-in-${weeks}-weeks`,
        `the ${weeks}-week delta contains every product with a ${dates} in the bulk list within the ${windowText}`,
        `${certain.length} of these products are missing, e.g. ${certain.slice(0, 5).join(', ')}`,
      ),
    );
  if (unchanged.size > 0)
    findings.push(
      findingIn(
        reading,
        `not-changed-in-${weeks}-weeks`,
        `the ${weeks}-week delta contains only products with a ${dates} within the ${windowText}`,
        `${unchanged.size} of its products have only earlier dates in the bulk list, e.g. ${[...unchanged].slice(0, 5).join(', ')}`,
      ),
    );
  return findings.length > 0
    ? { ...comparison, findings }
    : { doubt: 'the products that are missing in the delta may have returned to the bulk list since' };
}

export const deltaByDates = relationRule({
  id: 'C.delta-by-dates',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
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
