/** Each performance row occurs once: section 4.4. */
import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FILTERS } from '../../src/contract/index.ts';
import {
  addRow,
  defineRule,
  judgeRepeats,
  listNeeds,
  onlyReading,
  repeats,
  step,
  unfiltered,
} from '../../src/rule/index.ts';
import { filtersInRows } from '../../src/rule/performance-rows.ts';

const list = { alsoMatches: unfiltered, accepts: 'content' } as const;

export const identityRule = defineRule({
  id: 'D.one-row-each',
  statement: 'D.brand-performance',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Each brand performance record, identified by category, sub-category, manufacturer and brand, occurs once.',
  how: [
    'The four names of every row, and its grain where the profile reads one, are compared over the whole list.',
    'Rows without all four names are not judged.',
  ],
  subjects: [BRAND_PERFORMANCE],
  needs: (subject) => listNeeds(subject, ...SALES_FILTERS),
  probe: (operation) => ({ list: step({ operation, ...list, folds: { repeats: repeats(SALES_FILTERS) } }) }),
  counterexample: (seen) => ({ list: addRow(seen.list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'each record once', 'no row contains all four names'),
});

export const categoryIdentity = defineRule({
  id: 'D.one-row-per-category',
  statement: 'D.category-performance',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'CategoryPerformance has one row for each category and sub-category.',
  how: [
    'The bound names of every row are compared over the whole list.',
    'Advisory: a finer grain, which the profile may read, is legal.',
  ],
  subjects: [CATEGORY_PERFORMANCE],
  needs: (subject) => listNeeds(subject, 'category'),
  probe: (operation, declarations) => ({
    list: step({ operation, ...list, folds: { repeats: repeats(filtersInRows(declarations, operation), 1) } }),
  }),
  counterexample: (seen) => ({ list: addRow(seen.list, {}) }),
  judge: (seen) => judgeRepeats(onlyReading(seen.list), 'one row each', 'no row contains the names that identify it'),
});
