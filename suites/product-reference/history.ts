/** The bulk list contains products of the last 52 weeks: sections 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS } from '../../src/contract/index.ts';
import { asOfSteps, judgeSpan, judgeWindow } from '../../src/rule/data-weeks.ts';
import { anything, defineRule, editRow, extent, onlyReading, step, tally } from '../../src/rule/index.ts';

export const historySpan = defineRule({
  id: 'C.history-span',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The products of the bulk list were active within the last 52 weeks.',
  how: 'The newest and oldest activity dates differ by at most 52 weeks and one data week. The local clock is not used.',
  subjects: [ALL_PRODUCTS],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.activeOn'],
  probe: () => ({
    bulk: step({
      operation: ALL_PRODUCTS,
      alsoMatches: anything,
      accepts: 'content',
      folds: { dates: extent('activeOn'), all: tally('activeOn') },
    }),
  }),
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  judge: (seen) => {
    const bulk = onlyReading(seen.bulk);
    return judgeSpan(bulk, bulk.folds.dates, bulk.folds.all, LIMITS.historyWeeks);
  },
});

export const historyWindow = defineRule({
  id: 'C.history-window',
  statement: 'C.history-52',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Each product of the bulk list was active within the 52 weeks before the as-of date.',
  how: 'The activity date of each row is compared with the as-of date that the profile reads, to the day.',
  subjects: [ALL_PRODUCTS],
  reads: ['dataWeek.firstDay'],
  needs: () => [
    'dataWeek',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.activeOn',
    'allProducts.fields.asOf',
  ],
  probe: (_subject, declarations) => ({
    bulk: step({
      operation: ALL_PRODUCTS,
      alsoMatches: anything,
      accepts: 'content',
      folds: { dates: extent('activeOn'), all: tally('activeOn') },
    }),
    ...asOfSteps(declarations, ALL_PRODUCTS),
  }),
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { activeOn: 0 }) }),
  judge: (seen, { declarations }) => {
    const bulk = onlyReading(seen.bulk);
    return judgeWindow(bulk, bulk.folds, LIMITS.historyWeeks, 'activeOn', declarations, seen.refresh?.[0]);
  },
});
