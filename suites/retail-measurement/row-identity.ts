/** Each performance row occurs once: section 4.4. */

import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FILTERS } from '../../src/contract/index.ts';
import {
  addRow,
  defineRule,
  judgeRepeats,
  onlyReading,
  openingOf,
  repeats,
  step,
  unfiltered,
} from '../../src/rule/index.ts';
import { filtersInRows } from '../../src/rule/performance-rows.ts';

export const identityRule = defineRule({
  id: 'D.one-row-each',
  statement: 'D.brand-performance',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Each brand performance record, identified by category, sub-category, manufacturer and brand, occurs once.',
  how: 'The four names of every row, and its grain where the profile reads one, are compared over the whole list. Rows without all four names are not judged.',
  subjects: [BRAND_PERFORMANCE],
  needs: () => [
    'brandPerformance.request',
    'brandPerformance.rows',
    ...SALES_FILTERS.map((each) => openingOf(BRAND_PERFORMANCE, `fields.${each}`)),
  ],
  probe: () => ({
    list: step({
      operation: BRAND_PERFORMANCE,
      alsoMatches: unfiltered,
      accepts: 'content',
      folds: { repeats: repeats(SALES_FILTERS) },
    }),
  }),
  counterexample: ({ list }) => ({ list: addRow(list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'each record once', 'no row contains all four names'),
});

export const categoryIdentity = defineRule({
  id: 'D.one-row-per-category',
  statement: 'D.category-performance',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'CategoryPerformance has one row for each category and sub-category.',
  how: 'The bound names of every row are compared over the whole list. Advisory: a finer grain, which the profile may read, is legal.',
  subjects: [CATEGORY_PERFORMANCE],
  needs: () => ['categoryPerformance.request', 'categoryPerformance.rows', 'categoryPerformance.fields.category'],
  probe(_subject, declarations) {
    const fields = filtersInRows(declarations, CATEGORY_PERFORMANCE);
    return {
      list: step({
        operation: CATEGORY_PERFORMANCE,
        alsoMatches: unfiltered,
        accepts: 'content',
        folds: { repeats: repeats(fields, 1) },
      }),
    };
  },
  counterexample: ({ list }) => ({ list: addRow(list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'one row each', 'no row contains the names that identify it'),
});
