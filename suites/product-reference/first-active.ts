/** The dates of a product in order, where the profile promises it: section 8. */
import { ALL_PRODUCTS } from '../../src/contract/index.ts';
import { anything, defineRule, editRow, everyRow, judgeRowFailures, step } from '../../src/rule/index.ts';

export const firstActiveBefore = defineRule({
  id: 'C.first-active',
  statement: 'C.bulk',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'No date that the profile names in products.firstActiveBefore is before the first activity of the product in the same row of the bulk list.',
  how: 'In each row of the bulk list with the dates, firstActiveOn is compared with each of them; equal dates are correct.',
  looksLike:
    'A product that changed before its first sale, or that returned after a gap, is legal; the profile of such a service does not name that date.',
  subjects: [ALL_PRODUCTS],
  needs: () => ['firstActiveBefore', 'allProducts.request', 'allProducts.rows', 'allProducts.fields.firstActiveOn'],
  probe: (_subject, { firstActiveBefore: dates }) => ({
    list: step({
      operation: ALL_PRODUCTS,
      inputs: {},
      alsoMatches: anything,
      accepts: 'content',
      folds: {
        order: everyRow(`first-active:${dates.join()}`, (row) => {
          const { firstActiveOn: first } = row;
          const shown = dates.filter((date) => typeof row[date] === 'number');
          if (typeof first !== 'number' || shown.length === 0) return undefined;
          const earlier = shown.find((date) => (row[date] as number) < first);
          if (earlier === undefined) return true;
          return {
            kind: `${earlier}-before-first-active`,
            message: `${earlier} of ${row.upc} is before firstActiveOn`,
          };
        }),
      },
    }),
  }),
  counterexample: ({ list }, { declarations }) => {
    const [date = 'activeOn'] = declarations.firstActiveBefore;
    return { list: editRow(list, { firstActiveOn: 20_000, [date]: 19_999 }) };
  },
  judge: ({ list }, { declarations }) =>
    judgeRowFailures(
      list,
      (reading) => reading.folds.order,
      `no ${declarations.firstActiveBefore.join(' or ')} before firstActiveOn, as the profile promises in products.firstActiveBefore`,
    ),
});
