/** The vocabulary of rules about products and their categories (section 2). */

import {
  ALL_PRODUCTS,
  type OpeningId,
  operationOf,
  type PRODUCT_LOOKUP,
  type UPDATE_PRODUCTS,
} from '../contract/index.ts';
import { anything, type Declarations, step, upcs, upcsBy, upcsWithout } from './index.ts';

/** The field that identifies a category: its name where the profile reads it in both operations, otherwise its id. */
export const categoryKey = (
  declarations: Declarations,
  operation: typeof ALL_PRODUCTS | typeof UPDATE_PRODUCTS | typeof PRODUCT_LOOKUP,
): 'category' | 'categoryId' => {
  const { name } = operationOf(operation);
  const byName =
    declarations.isFilled(`${name}.fields.category` as OpeningId) &&
    declarations.isFilled('allCategories.fields.category');
  return byName ? 'category' : 'categoryId';
};

export function bulkStep(declarations: Declarations) {
  const key = categoryKey(declarations, ALL_PRODUCTS);
  return step({
    operation: ALL_PRODUCTS,
    alsoMatches: anything,
    accepts: 'content',
    folds: { upcs, byCategory: upcsBy(key), withoutCategory: upcsWithout(key) },
  });
}
