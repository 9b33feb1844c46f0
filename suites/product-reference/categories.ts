/** The list of categories, and the categories of the products in the bulk list: sections 2 and 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  type Declarations,
  defineRule,
  editRow,
  fieldDemand,
  findingIn,
  judgeTally,
  listNeeds,
  onlyReading,
  relationRule,
  rows,
  step,
  tally,
  texts,
} from '../../src/rule/index.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';
import { CATEGORY } from './category-filter-steps.ts';

/** The field that identifies a listed category. */
const listedField = ({ isFilled }: Declarations) =>
  isFilled('allCategories.fields.category') ? 'category' : 'categoryId';

export const categoriesListed = defineRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must contain the name or id of the category.',
  subjects: [ALL_CATEGORIES],
  needs: () => listNeeds(ALL_CATEGORIES, CATEGORY),
  probe: (_subject, declarations) => ({
    list: step({
      operation: ALL_CATEGORIES,
      alsoMatches: anything,
      accepts: 'complete',
      folds: { names: tally(listedField(declarations)) },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  judge(seen, context) {
    const list = onlyReading(seen.list);
    const field = listedField(context.declarations);
    const nullable = context.declarations.nullable(ALL_CATEGORIES, field);
    const demand = fieldDemand(context, field, 'every category has a name or id', { nullable });
    return judgeTally(list, list.folds.names, demand);
  },
});

const namesOfCategories = (declarations: Declarations) => ({ names: texts(categoryKey(declarations, ALL_PRODUCTS)) });

export const categoriesKnown = relationRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'allCategories lists every category that a product of the bulk list belongs to.',
  how: 'The list of categories must contain the names (or ids) that the rows of the bulk list contain.',
  subjects: [ALL_CATEGORIES],
  sides: {
    list: rows(ALL_CATEGORIES, { fields: [CATEGORY], folds: namesOfCategories }),
    bulk: rows(ALL_PRODUCTS, {
      fields: [CATEGORY],
      folds: namesOfCategories,
      alsoMatches: anything,
      accepts: 'content',
    }),
  },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { category: 'Unlisted', categoryId: 'unlisted' }) }),
  compare({ list, bulk }) {
    const known = new Set([...list.folds.names.counts.keys()].map(normaliseName));
    const used = [...bulk.folds.names.counts];
    if (used.length === 0) return {};
    if (!list.folds.names.complete) return { doubt: 'there are too many categories to compare' };
    if (known.size === 0 && list.observation?.rows !== 0) return { doubt: 'the categories have no value to compare' };
    const findings = used.flatMap(([name, count]) =>
      known.has(normaliseName(name))
        ? []
        : findingIn(
            list,
            'category-not-listed',
            `category “${name}” of ${count} products is in allCategories`,
            `missing from its ${known.size} categories`,
          ),
    );
    return { of: [list, bulk], compared: used.length, findings: findings.slice(0, 5) };
  },
  nothing: 'no product of the bulk list has a category',
});
