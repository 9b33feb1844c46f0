/** Products that a delta shows as removed are not in the bulk list, where the profile promises it: sections 4.3 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { removedIn } from '../../src/rule/delta-kinds.ts';
import { deltaNeeds, kindSteps, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  defineRule,
  editAll,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  type Judgement,
  onlyReading,
  passed,
  step,
  untested,
  upcs,
} from '../../src/rule/index.ts';

export const deltaRemovedUnlisted = defineRule({
  id: 'C.delta-removed-unlisted',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'A product that a delta shows as removed is not in the bulk list: the profile promises it (delta.removedUnlisted).',
  how: 'The bulk list must contain no product that all rows of a window show as removed and no row of a smaller window shows as new or changed. Only lists that state the same as-of date are compared.',
  looksLike:
    'A service that lists a product again after its removal looks like this violation; a row of the delta then shows it as new, or the as-of dates of the list and the delta differ. A service whose list still contains removed products does not promise this.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [
    ...deltaNeeds,
    'deltaKinds',
    'deltaRemovedUnlisted',
    'updateProducts.fields.upc',
    'updateProducts.fields.changeKind',
    'updateProducts.fields.asOf',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'allProducts.fields.asOf',
  ],
  repeat: 'pass',
  probe: () => ({ bulk: step({ operation: ALL_PRODUCTS, accepts: 'complete', folds: { upcs } }), ...kindSteps() }),
  counterexample: ({ thirteen }, { declarations }) => ({
    thirteen: editAll(thirteen, { changeKind: declarations.delta.kinds?.removed[0] }),
  }),
  judge(seen, { declarations }): Judgement {
    const bulk = onlyReading(seen.bulk);
    const windows = windowsOf(seen);
    const asOf = statedAsOf(bulk, declarations);
    const findings: Finding[] = [];
    let removed = 0;
    let isUndecided = false;
    for (const [at, { weeks, reading }] of windows.entries()) {
      const smaller = windows.slice(0, at).map((each) => each.reading);
      const gone = removedIn(reading, smaller, declarations);
      removed += gone.length;
      const listed = gone.filter((upc) => bulk.folds.upcs.has(upc));
      if (listed.length === 0) continue;
      if (asOf === undefined || statedAsOf(reading, declarations) !== asOf) {
        isUndecided = true;
        continue;
      }
      findings.push({
        kind: `removed-in-the-list-${weeks}-weeks`,
        expected: `no product that the ${weeks}-week delta shows as removed is in the bulk list, as the profile promises in delta.removedUnlisted`,
        actual: `${listed.length} of them, e.g. ${listed.slice(0, 5).join(', ')}`,
        exchange: reading.exchange,
      });
    }
    if (findings.length > 0) return failed(findings);
    if (isUndecided)
      return inconclusive('the bulk list contains removed products, but it and the delta do not state one as-of date');
    if (windows.every(({ reading }) => reading.folds.byKind.size === 0))
      return untested('no row shows a kind of change');
    const evidence = evidenceOf([bulk, ...windows.map(({ reading }) => reading)], removed);
    return passed(evidence, removed === 0 ? 'no row shows a removed product' : undefined);
  },
});
