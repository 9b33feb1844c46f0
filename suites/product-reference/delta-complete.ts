/** A delta contains every product that is new or changed in its window: section 1. */
import { type DeltaWeeks, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { failOrInconclusive } from '../../src/rule/compare-upcs.ts';
import { asOfDatesOf, asOfSteps, lastDayBeforeWindow, type RefreshReading } from '../../src/rule/data-weeks.ts';
import { deltaNeeds, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  collect,
  type Declarations,
  defineRule,
  dropRow,
  evidenceOf,
  extent,
  type Finding,
  passed,
  type Reading,
  type Row,
  step,
  untested,
  upcs,
} from '../../src/rule/index.ts';

/** The step that collects the dated changes of a delta. */
const changes = (weeks: DeltaWeeks) =>
  step({
    operation: UPDATE_PRODUCTS,
    inputs: { window: { value: weeks } },
    accepts: 'complete',
    folds: { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) },
    optional: true,
  });

type DeltaReading = Reading<NonNullable<ReturnType<typeof changes>['folds']>>;
type Window = ReturnType<typeof windowsOf<DeltaReading>>[number];

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

export const deltaComplete = defineRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A smaller delta contains every change whose date in the larger delta is within the smaller window.',
  how: 'Both deltas end today. So the smaller delta must contain the rows of the 4- and 13-week deltas whose change date is after the oldest date of the smaller delta. If the profile states what dates mean and both responses have the same as-of date, it must contain those whose change date is within its weeks before the as-of date; on the first day if dataWeek.firstDay of the profile includes it.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc', 'updateProducts.fields.changedOn'],
  // If the repetition passes, the rule passes: `repeat` in src/rule/types.ts.
  repeat: 'pass',
  probe(_subject, declarations) {
    const { refresh } = asOfSteps(declarations, UPDATE_PRODUCTS);
    return {
      one: changes(1),
      four: changes(4),
      thirteen: changes(13),
      ...(refresh && { refresh: step({ ...refresh, optional: true }) }),
    };
  },
  counterexample({ four }) {
    const days = four.flatMap(({ rows }) =>
      rows.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? changedOn : [])),
    );
    const [oldest, newest] = [Math.min(...days), Math.max(...days)];
    return {
      four: dropRow(four, ({ changedOn }) => typeof changedOn === 'number' && changedOn > oldest && changedOn < newest),
    };
  },
  judge(seen, { declarations }) {
    const windows = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    const refresh = seen.refresh?.[0];
    const pairs = windows.flatMap((smaller, at) => windows.slice(at + 1).map((larger) => ({ smaller, larger })));
    let compared = 0;
    const findings: Finding[] = [];
    for (const { smaller, larger } of pairs) {
      const { rows: changesInSmaller, firstDay } = changesInWindow(smaller, larger, refresh, declarations);
      compared += changesInSmaller.length;
      const missing = changesInSmaller.filter((row) => !smaller.reading.folds.upcs.has(row.upc as string));
      if (missing.length > 0) {
        findings.push({
          kind: `missing-in-${smaller.weeks}-weeks`,
          expected: `the ${smaller.weeks}-week delta contains every change of its ${smaller.weeks * 7} days`,
          actual: `${missing.length} changes that the ${larger.weeks}-week delta dates in these days are missing, e.g. ${missing
            .slice(0, 5)
            .map((row) => row.upc)
            .join(', ')}`,
          exchange: smaller.reading.exchange,
          ...(missing.every(({ changedOn }) => changedOn === firstDay) && { since: '0.2.0' }),
        });
      }
    }
    if (findings.length > 0) return failOrInconclusive(findings, readings);
    return compared === 0
      ? untested('no change has a date within a smaller window')
      : passed({ ...evidenceOf(readings), rows: compared });
  },
});
