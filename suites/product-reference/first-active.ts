/** The dates of a product in order, where the profile promises it: section 8. */
import { ALL_PRODUCTS } from '../../src/contract/index.ts';
import { toleranceOf } from '../../src/rule/data-weeks.ts';
import { anything, defineRule, editRow, everyRow, judgeRowFailures, listNeeds, step } from '../../src/rule/index.ts';

export const firstActiveBefore = defineRule({
  id: 'C.first-active',
  statement: 'C.bulk',
  demands:
    'No date that the profile names in products.firstActiveBefore is before the first activity of the product in the same row of the bulk list.',
  how: 'In each row of the bulk list with the dates, firstActiveOn is compared with each of them; equal dates are correct, and so are those of one week where only one of the two is the end or the beginning of its week.',
  looksLike:
    'A product that changed before its first sale, or that returned after a gap, is legal; the profile of such a service does not name that date.',
  subjects: [ALL_PRODUCTS],
  needs: () => ['firstActiveBefore', ...listNeeds(ALL_PRODUCTS, 'firstActiveOn')],
  probe(_subject, declarations) {
    const dates = declarations.firstActiveBefore.map((field) => ({
      field,
      tolerance: toleranceOf(
        { operation: ALL_PRODUCTS, field: 'firstActiveOn' },
        { operation: ALL_PRODUCTS, field },
        declarations,
      ),
    }));
    const key = dates.map(({ field, tolerance }) => `${field}-${tolerance}`).join();
    const order = everyRow(`first-active:${key}`, (row) => {
      const { firstActiveOn: first } = row;
      const shown = dates.filter(({ field }) => typeof row[field] === 'number');
      if (typeof first !== 'number' || shown.length === 0) return undefined;
      const earlier = shown.find(({ field, tolerance }) => (row[field] as number) < first - tolerance);
      if (earlier === undefined) return true;
      return {
        kind: `${earlier.field}-before-first-active`,
        message: `${earlier.field} of ${row.upc} is before firstActiveOn`,
      };
    });
    const folds = { order };
    return {
      list: step({ operation: ALL_PRODUCTS, inputs: {}, alsoMatches: anything, accepts: 'content', folds }),
    };
  },
  counterexample: ({ list }, { declarations }) => {
    const [date = 'activeOn'] = declarations.firstActiveBefore;
    return { list: editRow(list, { firstActiveOn: 20_000, [date]: 19_990 }) };
  },
  judge: ({ list }, { declarations }) =>
    judgeRowFailures(
      list,
      (reading) => reading.folds.order,
      `no ${declarations.firstActiveBefore.join(' or ')} before firstActiveOn, as the profile promises in products.firstActiveBefore`,
    ),
});
