/** The list of categories, and the filter by one that it does not contain: sections 2 and 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames, normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  collect,
  type Declarations,
  editRow,
  fieldDemand,
  findingIn,
  judgeTally,
  type Row,
  relationRule,
  rows,
  step,
  tally,
  texts,
} from '../../src/rule/index.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';
import { CATEGORY, categoryKey, filterNeeds } from './category-filter-steps.ts';

/** The field that identifies a listed category. */
const listedField = ({ isFilled }: Declarations) =>
  isFilled('allCategories.fields.category') ? 'category' : 'categoryId';

export const categoriesListed = relationRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must contain the name or id of the category.',
  subjects: [ALL_CATEGORIES],
  repeat: false,
  sides: {
    list: rows(ALL_CATEGORIES, {
      fields: [CATEGORY],
      alsoMatches: anything,
      folds: (declarations) => ({ names: tally(listedField(declarations)) }),
    }),
  },
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  compare({ list }, context) {
    const field = listedField(context.declarations);
    const nullable = context.declarations.nullable(ALL_CATEGORIES, field);
    return judgeTally(
      list,
      list.folds.names,
      fieldDemand(context, field, 'every category has a name or id', { nullable }),
    );
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

const items = collect(['category', 'categoryId'], 5000);

const LISTED_CATEGORIES = 3;

/** The input of the filter; a name and an id in one request could contradict each other. */
const filterOf = ({ isFilled }: Declarations) => (isFilled('allProducts.inputs.category') ? 'category' : 'categoryId');

export const unknownCategory = unknownValueRule({
  id: 'C.unknown-category',
  statement: 'C.category-filter',
  demands:
    'The bulk list filtered by a category that allCategories does not list gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'In a filtered list that has rows, the category is replaced by one of the same form that allCategories does not list.',
    'The rule fails if two such categories get rows, an empty list or an error that the profile does not state.',
    'A refusal of the format and an overload prove nothing.',
  ],
  looksLike: [
    'A server that knows categories without products, or old names of them, is legal and looks like this violation; two random names that both get rows tell them apart.',
    'A server that returns an empty list is legal, too; its profile states 200.',
  ],
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  inputs: (_subject, declarations) => [filterOf(declarations)],
  draw: 'unknownNames',
  requests(_subject, declarations) {
    const key = filterOf(declarations);
    return {
      lists: { categories: step({ operation: ALL_CATEGORIES, accepts: 'complete', folds: { items } }) },
      listed: step({
        operation: ALL_PRODUCTS,
        each: {
          from: 'categories',
          fold: 'items',
          as: { [key]: key },
          max: LISTED_CATEGORIES,
          select: (lists) => {
            const rows = lists.flatMap(({ folds }) => (folds.items as { readonly rows: readonly Row[] }).rows);
            return chooseSpecialNames(key)(rows).map((row) => ({ [key]: String(row[key]) }));
          },
          key: 'categories with special names',
        },
        accepts: 'any',
        folds: { items: collect(['category', 'categoryId'], 10) },
      }),
    };
  },
});
