/** The categories of products, and those that products of the bulk list name: sections 2 and 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { foldName } from '../../src/rule/awkward-names.ts';
import {
  anything,
  defineRule,
  editRow,
  evidenceOf,
  failed,
  judgeTally,
  nothingToJudge,
  onlyReading,
  passed,
  quoteSelector,
  step,
  tally,
  texts,
  undecided,
} from '../../src/rule/index.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';

export const categoriesListed = defineRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must carry the category’s name or id.',
  subjects: [ALL_CATEGORIES],
  needs: () => [
    'allCategories.request',
    'allCategories.rows',
    ['allCategories.fields.category', 'allCategories.fields.categoryId'],
  ],
  probe: (_subject, declares) => ({
    list: step({
      operation: ALL_CATEGORIES,
      observes: anything,
      wants: 'whole',
      folds: { names: tally(declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  judge(seen, { declares }) {
    const list = onlyReading(seen.list);
    const field = declares.isFilled('allCategories.fields.category') ? 'category' : 'categoryId';
    return judgeTally(list, list.folds.names, {
      field,
      expected: 'every category has a name or id',
      declared: declares.converter(ALL_CATEGORIES, field) !== undefined,
      selector: quoteSelector(ALL_CATEGORIES, declares.selector(ALL_CATEGORIES, field)),
      nullable: declares.nullable(ALL_CATEGORIES, field),
    });
  },
});

export const categoriesKnown = defineRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'Every category that a product of the bulk list belongs to is among allCategories.',
  how: 'The names (or ids) used by the rows of the bulk list are looked for in the list of categories.',
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
  probe(_subject, declares) {
    const key = categoryKey(declares, ALL_PRODUCTS);
    return {
      list: step({ operation: ALL_CATEGORIES, wants: 'whole', folds: { names: texts(key) } }),
      bulk: step({ operation: ALL_PRODUCTS, observes: anything, wants: 'content', folds: { names: texts(key) } }),
    };
  },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { category: 'Unlisted', categoryId: 'unlisted' }) }),
  judge(seen) {
    const list = onlyReading(seen.list);
    const bulk = onlyReading(seen.bulk);
    const known = new Set([...list.folds.names.counts.keys()].map(foldName));
    const used = [...bulk.folds.names.counts.keys()];
    if (used.length === 0) return nothingToJudge('no product of the bulk list carries a category');
    if (!list.folds.names.whole) return undecided('more categories than can be compared');
    if (known.size === 0 && list.observation?.rows !== 0)
      return undecided('the categories carry no value that could be compared');
    const strangers = used.filter((name) => !known.has(foldName(name)));
    if (strangers.length === 0) return passed({ ...evidenceOf([list, bulk]), distinct: used.length });
    return failed(
      strangers.slice(0, 5).map((name) => ({
        expected: `category “${name}” of ${bulk.folds.names.counts.get(name)} products is among allCategories`,
        actual: `not among its ${known.size} categories`,
        exchange: list.exchange,
      })),
    );
  },
});
