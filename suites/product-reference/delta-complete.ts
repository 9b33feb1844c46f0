/** A delta contains every product that is new or changed in its window: section 1. */
import { UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { asOfDatesOf, lastDayBeforeWindow, REFRESH, type RefreshReading } from '../../src/rule/data-weeks.ts';
import { type DeltaWindow, deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  collect,
  type Declarations,
  dropRow,
  each,
  extent,
  maybe,
  type Reading,
  type Row,
  relationRule,
  upcs,
} from '../../src/rule/index.ts';

const changes = { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) };
type Window = DeltaWindow<Reading<typeof changes>>;

/** The first day of a window, if the profile states that it is inside. */
const includedDay = (asOf: number | undefined, weeks: number, { dataWeek }: Declarations): number | undefined =>
  asOf !== undefined && dataWeek?.changedOn === 'day' && dataWeek.firstDay.updateProducts === 'included'
    ? asOf - weeks * 7
    : undefined;

/** The rows of a larger delta whose date is in the smaller window; none if the two are of different data weeks. */
function changesInWindow(
  smaller: Window,
  larger: Window,
  refresh: RefreshReading | undefined,
  declarations: Declarations,
): { readonly rows: readonly Row[]; readonly firstDay: number | undefined } {
  const asOfDates = new Set(
    [smaller.reading, larger.reading].flatMap((each) => asOfDatesOf(each, refresh, declarations)),
  );
  if (asOfDates.size > 1) return { rows: [], firstDay: undefined };
  const [asOf] = asOfDates;
  const firstDay = includedDay(asOf, smaller.weeks, declarations);
  // A window counted in hours may contain a part of its oldest day: only newer rows are required.
  const after = Math.min(
    smaller.reading.folds.dates.least?.value ?? Number.POSITIVE_INFINITY,
    lastDayBeforeWindow(asOf, smaller.weeks, declarations),
  );
  const rows = larger.reading.folds.rows.rows.filter(
    ({ upc, changedOn }) =>
      typeof changedOn === 'number' && (changedOn > after || changedOn === firstDay) && typeof upc === 'string',
  );
  return { rows, firstDay };
}

export const deltaComplete = relationRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A smaller delta contains every change whose date in the larger delta is within the smaller window.',
  how: [
    'Both deltas end today.',
    'So the smaller delta must contain the rows of the 4- and 13-week deltas whose change date is after the oldest date of the smaller delta.',
    'If the profile states what dates mean and both responses have the same as-of date, it must contain those whose change date is within its weeks before the as-of date; on the first day if dataWeek.firstDay of the profile includes it.',
  ],
  subjects: [UPDATE_PRODUCTS],
  sides: { ...deltas(['upc', 'changedOn'], changes), refresh: maybe(REFRESH) },
  counterexample({ four = [] }) {
    const days = four.flatMap(({ rows }) =>
      rows.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? changedOn : [])),
    );
    const [oldest, newest] = [Math.min(...days), Math.max(...days)];
    return {
      four: dropRow(four, ({ changedOn }) => typeof changedOn === 'number' && changedOn > oldest && changedOn < newest),
    };
  },
  compare({ refresh, ...sides }, { declarations }) {
    const windows = windowsIn(sides);
    const readable = windows.map(({ reading }) => reading);
    const pairs = windows.flatMap((smaller, at) => windows.slice(at + 1).map((larger) => ({ smaller, larger })));
    return [
      { of: readable },
      ...pairs.map(({ smaller: { weeks, reading: at }, larger }) => {
        const { rows, firstDay } = changesInWindow({ weeks, reading: at }, larger, refresh, declarations);
        const missing = rows.filter(({ upc }) => !at.folds.upcs.has(String(upc)));
        return each(rows.map(({ upc }) => String(upc))).isIn(at, {
          at,
          kind: `missing-in-${weeks}-weeks`,
          expected: `the ${weeks}-week delta contains every change of its ${weeks * 7} days`,
          actual: (count, examples) =>
            `${count} changes that the ${larger.weeks}-week delta dates in these days are missing, e.g. ${examples}`,
          readable,
          ...(missing.every(({ changedOn }) => changedOn === firstDay) && { since: '0.2.0' }),
        });
      }),
    ];
  },
  counted: 'rows',
  nothing: 'no change has a date within a smaller window',
});
