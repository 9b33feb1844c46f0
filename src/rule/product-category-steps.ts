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
  declares: Declarations,
  operation: typeof ALL_PRODUCTS | typeof UPDATE_PRODUCTS | typeof PRODUCT_LOOKUP,
): 'category' | 'categoryId' => {
  const { name } = operationOf(operation);
  const byName =
    declares.isFilled(`${name}.fields.category` as OpeningId) && declares.isFilled('allCategories.fields.category');
  return byName ? 'category' : 'categoryId';
};

export function bulkStep(declares: Declarations) {
  const key = categoryKey(declares, ALL_PRODUCTS);
  return step({
    operation: ALL_PRODUCTS,
    observes: anything,
    wants: 'content',
    folds: { upcs, by: upcsBy(key), without: upcsWithout(key) },
  });
}
