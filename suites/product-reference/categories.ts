/** The list of categories, and the categories of the products in the bulk list: sections 2 and 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  defineRule,
  editRow,
  evidenceOf,
  failed,
  fieldDemand,
  inconclusive,
  judgeTally,
  onlyReading,
  passed,
  step,
  tally,
  texts,
  untested,
} from '../../src/rule/index.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';

export const categoriesListed = defineRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must contain the name or id of the category.',
  subjects: [ALL_CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  probe: (_subject, declarations) => ({
    list: step({
      operation: ALL_CATEGORIES,
      alsoMatches: anything,
      accepts: 'complete',
      folds: { names: tally(declarations.isFilled('allCategories.fields.category') ? 'category' : 'categoryId') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  judge(seen, context) {
    const { declarations } = context;
    const list = onlyReading(seen.list);
    const field = declarations.isFilled('allCategories.fields.category') ? 'category' : 'categoryId';
    return judgeTally(
      list,
      list.folds.names,
      fieldDemand(context, field, 'every category has a name or id', {
        nullable: declarations.nullable(ALL_CATEGORIES, field),
      }),
    );
  },
});

export const categoriesKnown = defineRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'allCategories lists every category that a product of the bulk list belongs to.',
  how: 'The list of categories must contain the names (or ids) that the rows of the bulk list contain.',
  subjects: [ALL_CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    'allProducts.request',
    'allProducts.rows',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  repeat: 'pass',
  probe(_subject, declarations) {
    const key = categoryKey(declarations, ALL_PRODUCTS);
    return {
      list: step({ operation: ALL_CATEGORIES, accepts: 'complete', folds: { names: texts(key) } }),
      bulk: step({ operation: ALL_PRODUCTS, alsoMatches: anything, accepts: 'content', folds: { names: texts(key) } }),
    };
  },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { category: 'Unlisted', categoryId: 'unlisted' }) }),
  judge(seen) {
    const list = onlyReading(seen.list);
    const bulk = onlyReading(seen.bulk);
    const known = new Set([...list.folds.names.counts.keys()].map(normaliseName));
    const used = [...bulk.folds.names.counts.keys()];
    if (used.length === 0) return untested('no product of the bulk list has a category');
    if (!list.folds.names.complete) return inconclusive('there are too many categories to compare');
    if (known.size === 0 && list.observation?.rows !== 0)
      return inconclusive('the categories have no value to compare');
    const unlisted = used.filter((name) => !known.has(normaliseName(name)));
    if (unlisted.length === 0) return passed({ ...evidenceOf([list, bulk]), distinct: used.length });
    return failed(
      unlisted.slice(0, 5).map((name) => ({
        kind: 'category-not-listed',
        expected: `category “${name}” of ${bulk.folds.names.counts.get(name)} products is in allCategories`,
        actual: `missing from its ${known.size} categories`,
        exchange: list.exchange,
      })),
    );
  },
});
