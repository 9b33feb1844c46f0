/** The bulk list and the deltas of one data week contain the same products when they are read again: sections 4.3 and 8. */
import { ALL_PRODUCTS, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { type Reading, step, upcs } from '../../src/rule/index.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';

const products = { upcs };

type Products = Reading<typeof products>;

/** Describes the UPCs that only one of two readings contains; undefined if both contain the same. */
function compareProducts(first: Products, second: Products): string | undefined {
  const [removed, added] = [
    first.folds.upcs.missingFrom(second.folds.upcs),
    second.folds.upcs.missingFrom(first.folds.upcs),
  ];
  if (removed.count + added.count === 0) return undefined;
  return `the second reading lacks ${removed.count} UPCs and adds ${added.count}, e.g. ${[...removed.first, ...added.first].slice(0, 5).join(', ')}`;
}

export const bulkStable = stableRule({
  id: 'C.bulk-stable',
  statement: 'C.bulk',
  demands: 'The bulk list of one data week contains the same products when it is read again.',
  subject: ALL_PRODUCTS,
  needs: ['allProducts.request', 'allProducts.rows', 'allProducts.fields.upc'],
  lists: { bulk: step({ operation: ALL_PRODUCTS, accepts: 'complete', folds: products }) },
  compare: compareProducts,
  size: ({ folds }) => folds.upcs.size,
});

export const deltaStable = stableRule({
  id: 'C.delta-stable',
  statement: 'C.delta-weekly',
  demands: 'The deltas of one data week contain the same products when they are read again.',
  subject: UPDATE_PRODUCTS,
  needs: ['updateProducts.request', 'updateProducts.rows', 'updateProducts.inputs.window', 'updateProducts.fields.upc'],
  lists: Object.fromEntries(
    LIMITS.deltaWeeks.map((weeks) => [
      `${weeks} weeks`,
      step({ operation: UPDATE_PRODUCTS, inputs: { window: { value: weeks } }, accepts: 'complete', folds: products }),
    ]),
  ),
  compare: compareProducts,
  size: ({ folds }) => folds.upcs.size,
});
