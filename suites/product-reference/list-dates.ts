/** The dates of a list are within its window, and the delta follows the weekly reload: sections 1, 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS, type OperationKey, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  asOfDatesOf,
  datesOf,
  judgeSpan,
  judgeWindow,
  REFRESH,
  type RefreshReading,
  refreshDates,
} from '../../src/rule/data-weeks.ts';
import { deltaStep, deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  anything,
  type Comparison,
  combine,
  decide,
  defineRule,
  editRow,
  editValues,
  findingIn,
  listNeeds,
  type Reading,
  relationRule,
  rows,
  type Steps,
  step,
} from '../../src/rule/index.ts';

/** Responses of clients are judged, too, whatever their filters. */
const bulkWith = (...fields: readonly ('asOf' | 'activeOn')[]) =>
  rows(ALL_PRODUCTS, { fields, alsoMatches: anything, accepts: 'content', folds: datesOf('activeOn') });
const deltasWith = (...fields: readonly ('asOf' | 'changedOn')[]) =>
  deltas(fields, datesOf('changedOn'), { alsoMatches: anything });

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
  compare: ({ bulk }) => judgeSpan(bulk, LIMITS.historyWeeks),
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
    judgeWindow(bulk, LIMITS.historyWeeks, 'activeOn', declarations, refresh),
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
  compare: (sides) => combine(windowsIn(sides).map(({ reading, weeks }) => judgeSpan(reading, weeks))),
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
  compare: ({ refresh, ...deltaSides }, { declarations }) =>
    combine(
      windowsIn(deltaSides).map(({ reading, weeks }) =>
        judgeWindow(reading, weeks, 'changedOn', declarations, refresh),
      ),
    ),
});

const day = (reading: Reading | undefined) =>
  reading?.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;

export const deltaFresh = defineRule<Steps>({
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
  needs: () => [...listNeeds(UPDATE_PRODUCTS, 'asOf'), 'allProducts.request', 'allProducts.fields.asOf'],
  repeat: 'pass',
  comparesAsOf: true,
  probe(_subject, declarations): Steps {
    const states = (operation: OperationKey) => declarations.selector(operation, 'asOf') !== undefined;
    const steps = {
      ...(states(ALL_PRODUCTS) && { bulk: step({ operation: ALL_PRODUCTS, accepts: 'content' }) }),
      ...(declarations.dataWeek?.refreshDelay !== undefined && { refresh: step({ ...refreshDates, optional: true }) }),
    };
    // A delta without an as-of date takes that of the refresh date, which would be compared with itself.
    return states(UPDATE_PRODUCTS) && Object.keys(steps).length > 0 ? { ...steps, delta: deltaStep(1) } : {};
  },
  counterexample: ({ delta }) => ({ delta: editValues(delta, { asOf: [0] }) }),
  judge(seen, { declarations }) {
    const [delta] = seen.delta ?? [];
    const refresh = seen.refresh?.[0] as RefreshReading | undefined;
    const asOf = day(delta);
    const refreshed = new Set(delta && refresh ? asOfDatesOf(delta, refresh, declarations) : []);
    const others = [
      { kind: 'other-week', name: 'the bulk list', date: day(seen.bulk?.[0]), since: {} },
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
