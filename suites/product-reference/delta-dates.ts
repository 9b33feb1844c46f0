/** The dates of a delta are within its window, and the delta follows the weekly reload: sections 1 and 8. */
import { ALL_PRODUCTS, type OperationKey, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import {
  asOfDatesOf,
  asOfSteps,
  judgeSpan,
  judgeWindow,
  type RefreshReading,
  refreshDates,
} from '../../src/rule/data-weeks.ts';
import { datedSteps, deltaNeeds, deltaStep, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  combine,
  defineRule,
  editRow,
  editValues,
  failed,
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
  reads: ['dataWeek.firstDay'],
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
  how: 'The as-of date that the delta states is compared with that of the bulk list, and with the refresh date if the profile says what that date is; the rule reports a difference of more than one data week. Lists without an as-of date of their own prove nothing.',
  looksLike:
    'A server that loads the bulk list, the refresh date and the delta on different days, so that their dates differ by one data week. The distance distinguishes them: only more than seven days are reported.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [...deltaNeeds, 'updateProducts.fields.asOf', 'allProducts.request', 'allProducts.fields.asOf'],
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
    const day = (reading: Reading | undefined) =>
      reading?.observation?.values.asOf?.find((value) => typeof value === 'number') as number | undefined;
    const refresh = seen.refresh?.[0] as RefreshReading | undefined;
    const delta = seen.delta?.[0];
    const asOf = day(delta);
    const refreshed = new Set(delta && refresh ? asOfDatesOf(delta, refresh, declarations) : []);
    const others = [
      { kind: 'other-week', name: 'the bulk list', date: day(seen.bulk?.[0]) },
      {
        kind: 'other-week-than-the-refresh-date',
        name: 'the refresh date',
        date: refreshed.size === 1 ? [...refreshed][0] : undefined,
        since: '0.2.0' as const,
      },
    ].flatMap(({ date, ...other }) => (date === undefined ? [] : [{ ...other, date }]));
    if (!delta || asOf === undefined || others.length === 0)
      return untested('a response contains no as-of date where the profile reads it');
    const different = others.filter(({ date }) => Math.abs(date - asOf) > 7);
    if (different.length === 0) return passed({ exchanges: others.length + 1, distinct: 1 });
    return failed(
      different.map(({ kind, name, date, since }) => ({
        kind,
        expected: `the same data week in ${name} and the delta`,
        actual: `their as-of dates differ by ${Math.abs(date - asOf)} days`,
        exchange: delta.exchange,
        ...(since && { since }),
      })),
    );
  },
});
