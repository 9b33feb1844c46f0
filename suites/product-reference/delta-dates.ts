/** The dates of a delta are within its window, and the delta follows the weekly reload: sections 1 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { asOfSteps, judgeSpan, judgeWindow } from '../../src/rule/data-weeks.ts';
import { datedSteps, deltaNeeds, deltaStep, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  combine,
  defineRule,
  editRow,
  editValues,
  failed,
  onlyReading,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';

export const deltaSpan = defineRule({
  id: 'C.delta-span',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The change dates of a delta are within its window.',
  how: 'The newest and oldest change dates of each delta differ by at most the window and one data week. The local clock is not used.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.changedOn'],
  probe: datedSteps,
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) => judgeSpan(reading, reading.folds.dates, reading.folds.all, weeks)),
    );
  },
});

export const deltaWindow = defineRule({
  id: 'C.delta-window',
  statement: 'C.delta-windows',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The change date of each row of a delta is within the window that ends at the as-of date.',
  how: 'The change date of each row is compared with the as-of date that the profile reads, to the day.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'dataWeek', 'updateProducts.fields.changedOn', 'updateProducts.fields.asOf'],
  probe: (_subject, declarations) => ({ ...datedSteps(), ...asOfSteps(declarations, UPDATE_PRODUCTS) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changedOn: 0 }) }),
  judge(seen, { declarations }) {
    return combine(
      windowsOf(seen).map(({ reading, weeks }) =>
        judgeWindow(reading, reading.folds, weeks, 'changedOn', declarations, seen.refresh?.[0]),
      ),
    );
  },
});

export const deltaFresh = defineRule({
  id: 'C.delta-fresh',
  statement: 'C.delta-weekly',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The delta and the bulk list have the same data week.',
  how: 'The as-of dates of the delta and the bulk list are compared; the rule reports a difference of more than one data week.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.asOf', 'allProducts.request', 'allProducts.fields.asOf'],
  repeat: 'pass',
  probe(_subject, declarations): Steps {
    // Where the as-of date is a refresh date, the lists contain none to compare.
    if (([ALL_PRODUCTS, UPDATE_PRODUCTS] as const).some((each) => declarations.selector(each, 'asOf') === undefined))
      return {};
    return { bulk: step({ operation: ALL_PRODUCTS, accepts: 'content' }), delta: deltaStep(1) };
  },
  counterexample: ({ delta }) => ({ delta: editValues(delta, { asOf: [0] }) }),
  judge(seen) {
    const day = (reading: Reading) =>
      reading.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;
    const [bulk, delta] = [day(onlyReading(seen.bulk ?? [])), day(onlyReading(seen.delta ?? []))];
    if (bulk === undefined || delta === undefined)
      return untested('a response contains no as-of date where the profile reads it');
    if (Math.abs(bulk - delta) <= 7) return passed({ exchanges: 2, distinct: 1 });
    return failed([
      {
        kind: 'other-week',
        expected: 'the same data week in the bulk list and the delta',
        actual: `their as-of dates differ by ${Math.abs(bulk - delta)} days`,
        exchange: onlyReading(seen.delta ?? []).exchange,
      },
    ]);
  },
});
