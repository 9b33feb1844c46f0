/** A category that no list contains as a filter, where the profile states what a request with it gets (section 7: not shown). */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames } from '../../src/rule/choose-names.ts';
import { collect, type Declarations, type Row, step } from '../../src/rule/index.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';
import { filterNeeds } from './category-filter-steps.ts';

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
  isEmptyWrong: () => true,
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
