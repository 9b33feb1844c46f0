/** The fields for which rules read what a profile says about every row: `required`, or that a value may be missing. */
import { type Field, SALES_FIGURES, SALES_FILTERS } from './fields.ts';
import type { OperationName } from './operations.ts';

/** Fields that the document does not demand in every row. A rule demands them where the profile marks them `required`. */
export const REQUIRED_FIELDS = {
  allCategories: ['category', 'categoryId', 'subCategory'],
  allProducts: ['category', 'categoryId', 'market', 'activeOn'],
  updateProducts: ['category', 'categoryId', 'changedOn'],
  categoryPerformance: ['category', 'subCategory', 'market'],
  brandPerformance: [...SALES_FILTERS, 'market'],
} as const satisfies Partial<Record<OperationName, readonly Field[]>>;

/** Fields of group D, of the look-up and of lists of products that every row contains, whether or not the profile says so. */
export const DEMANDED_FIELDS: Partial<Record<OperationName, readonly Field[]>> = {
  allProducts: ['upc'],
  updateProducts: ['upc'],
  products: ['characteristics'],
  categoryPerformance: SALES_FIGURES,
  brandPerformance: SALES_FIGURES,
};
