/** A delta holds every product that is new or changed in its window: section 1. */
import { ALL_PRODUCTS, type DeltaWeeks, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { failedUnlessUnread } from '../../src/rule/compare-upcs.ts';
import { asOfSteps, asOfsOf } from '../../src/rule/data-weeks.ts';
import { deltaNeeds, deltaStep, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  addRow,
  collect,
  type Declarations,
  defineRule,
  dropRow,
  evidenceOf,
  extent,
  type Finding,
  failed,
  nothingToJudge,
  onlyReading,
  passed,
  step,
  upcs,
} from '../../src/rule/index.ts';

/**
 * The last day that may lie before a window counted from its as-of, where the profile tells what dates mean; nothing is
 * surely within a window otherwise. A window may be counted from the reload that follows the as-of, unless the profile
 * fixes its edges, and days told in another time zone than it is counted in lie a day apart.
 */
function lastDayBefore(asOf: number | undefined, weeks: DeltaWeeks, { dataWeek }: Declarations): number {
  if (asOf === undefined || !dataWeek) return Number.POSITIVE_INFINITY;
  const slack = dataWeek.firstDay === undefined ? 6 : Number(dataWeek.changedOn === 'day');
  return asOf - weeks * 7 + slack;
}

export const deltaComplete = defineRule({
  id: 'C.delta-complete',
  statement: 'C.delta',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A change that a larger window dates within a smaller one is in the smaller one too.',
  how: 'Rows of the 4- and 13-week deltas whose change date lies after the oldest date of a smaller delta, or where the profile tells what dates mean and both answers tell one as-of, within the weeks before it, are looked for in the smaller one: both end today.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.upc', 'updateProducts.fields.changedOn'],
  repeat: 'pass',
  probe(_subject, declares) {
    const list = (weeks: DeltaWeeks) =>
      step({
        operation: UPDATE_PRODUCTS,
        inputs: { window: { value: weeks } },
        wants: 'whole',
        folds: { upcs, dates: extent('changedOn'), rows: collect(['upc', 'changedOn'], 500_000) },
        spare: true,
      });
    const { refresh } = asOfSteps(declares, UPDATE_PRODUCTS);
    return {
      one: list(1),
      four: list(4),
      thirteen: list(13),
      ...(refresh && { refresh: step({ ...refresh, spare: true }) }),
    };
  },
  counterexample({ four }) {
    const days = four.flatMap(({ rows }) =>
      rows.flatMap(({ changedOn }) => (typeof changedOn === 'number' ? changedOn : [])),
    );
    const [first, last] = [Math.min(...days), Math.max(...days)];
    return {
      four: dropRow(four, ({ changedOn }) => typeof changedOn === 'number' && changedOn > first && changedOn < last),
    };
  },
  judge(seen, { declares }) {
    const windows = windowsOf(seen);
    const readings = windows.map(({ reading }) => reading);
    const refresh = seen.refresh?.[0];
    const pairs = windows.flatMap((smaller, at) => windows.slice(at + 1).map((larger) => ({ smaller, larger })));
    let looked = 0;
    const findings: Finding[] = [];
    for (const { smaller, larger } of pairs) {
      const inner = smaller.reading;
      // Two data weeks have each their own changes.
      const [asOf, ...others] = new Set([inner, larger.reading].flatMap((each) => asOfsOf(each, refresh, declares)));
      if (others.length > 0) continue;
      // The oldest day may lie half outside a window that is counted in hours: only what is newer must be in it.
      const after = Math.min(
        inner.folds.dates.least?.value ?? Number.POSITIVE_INFINITY,
        lastDayBefore(asOf, smaller.weeks, declares),
      );
      const inside = larger.reading.folds.rows.rows.filter(
        (row) => typeof row.changedOn === 'number' && row.changedOn > after && typeof row.upc === 'string',
      );
      looked += inside.length;
      const missing = inside.filter((row) => !inner.folds.upcs.has(row.upc as string));
      if (missing.length > 0) {
        findings.push({
          expected: `the ${smaller.weeks}-week delta shows every change of its ${smaller.weeks * 7} days`,
          actual: `${missing.length} changes that the ${larger.weeks}-week delta dates there are missing, e.g. ${missing
            .slice(0, 5)
            .map((row) => row.upc)
            .join(', ')}`,
          exchange: inner.exchange,
        });
      }
    }
    if (findings.length > 0) return failedUnlessUnread(findings, readings);
    return looked === 0
      ? nothingToJudge('no dated change lies within a smaller window')
      : passed({ ...evidenceOf(readings), rows: looked });
  },
});

export const deltaListed = defineRule({
  id: 'C.delta-listed',
  statement: 'C.delta',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A new or changed product is in the bulk list.',
  how: 'The UPCs of the 13-week delta are looked for in the bulk list. Delistings may stand in a delta, so this only advises.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [
    ...deltaNeeds,
    'updateProducts.fields.upc',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
  ],
  repeat: 'pass',
  probe: () => ({ bulk: step({ operation: ALL_PRODUCTS, wants: 'whole', folds: { upcs } }), delta: deltaStep(13) }),
  counterexample: ({ delta }) => ({ delta: addRow(delta, { upc: '999999999993' }) }),
  judge(seen) {
    const delta = onlyReading(seen.delta);
    const missing = delta.folds.upcs.missingFrom(onlyReading(seen.bulk).folds.upcs);
    if (delta.folds.upcs.size === 0) return nothingToJudge('the delta is empty');
    if (missing.count === 0) return passed({ ...evidenceOf([delta]), distinct: delta.folds.upcs.size });
    return failed([
      {
        expected: 'the delta lies within the bulk list',
        actual: `${missing.count} UPCs are not in it, e.g. ${missing.first.join(', ')}`,
        exchange: delta.exchange,
      },
    ]);
  },
});
