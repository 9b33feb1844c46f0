/** The dates of a delta lie within its window, and the delta goes with the weekly reload: sections 1 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { asOfSteps, judgeWindow, spanAllowance } from '../../src/rule/data-weeks.ts';
import { datedSteps, deltaNeeds, deltaStep, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  combine,
  defineRule,
  editRow,
  editValues,
  failed,
  nothingToJudge,
  onlyReading,
  passed,
  type Reading,
  type Steps,
  step,
} from '../../src/rule/index.ts';

export const deltaSpan = defineRule({
  id: 'C.delta-span',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The rows of a delta changed within its window.',
  how: 'The newest and oldest change dates of each window lie at most the window and one data week apart; no clock of ours is used.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.changedOn'],
  probe: datedSteps,
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) =>
        spanAllowance(reading, reading.folds.dates, reading.folds.all, weeks),
      ),
    );
  },
});

export const deltaWindow = defineRule({
  id: 'C.delta-window',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each row of a delta changed within the window counted back from the as-of.',
  how: 'Each row’s change date is compared with the as-of the profile declares, to the day.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'dataWeek', 'updateProducts.fields.changedOn', 'updateProducts.fields.asOf'],
  probe: (_subject, declares) => ({ ...datedSteps(), ...asOfSteps(declares, UPDATE_PRODUCTS) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen, { declares }) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) =>
        judgeWindow(reading, reading.folds, weeks, 'changedOn', declares, seen.refresh?.[0]),
      ),
    );
  },
});

export const deltaFresh = defineRule({
  id: 'C.delta-fresh',
  statement: 'C.delta-weekly',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The delta stands at the same data week as the bulk list.',
  how: 'The as-of of the delta is compared with that of the bulk list; more than one data week apart is reported.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.asOf', 'allProducts.request', 'allProducts.fields.asOf'],
  repeat: 'pass',
  probe(_subject, declares): Steps {
    // Lists that stand at a refresh date, rather than hold an as-of, have nothing to compare.
    if (([ALL_PRODUCTS, UPDATE_PRODUCTS] as const).some((each) => declares.selector(each, 'asOf') === undefined))
      return {};
    return { bulk: step({ operation: ALL_PRODUCTS, wants: 'content' }), delta: deltaStep(1) };
  },
  counterexample: ({ delta }) => ({ delta: editValues(delta, { asOf: [0] }) }),
  judge(seen) {
    const day = (reading: Reading) =>
      reading.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;
    const [bulk, delta] = [day(onlyReading(seen.bulk ?? [])), day(onlyReading(seen.delta ?? []))];
    if (bulk === undefined || delta === undefined)
      return nothingToJudge('an answer holds no as-of where the profile reads one');
    if (Math.abs(bulk - delta) <= 7) return passed({ exchanges: 2, distinct: 1 });
    return failed([
      {
        expected: 'one data week in the bulk list and the delta',
        actual: `their as-ofs are ${Math.abs(bulk - delta)} days apart`,
        exchange: onlyReading(seen.delta ?? []).exchange,
      },
    ]);
  },
});
