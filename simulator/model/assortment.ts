/** The brands of each sub-category. Products and sales both use this table, so that they agree. */
import { EMPTY_CATEGORY } from './names.ts';
import type { Category } from './types.ts';

export interface CategoryAssortment {
  readonly category: string;
  readonly categoryId: string;
  readonly subCategory: string;
  readonly brands: readonly { readonly manufacturer: string; readonly brand: string }[];
}

const BRANDS_PER_SUB_CATEGORY = 3;

/** One entry per sub-category of every category with products; every brand is in at least one entry. */
export function createAssortment(
  categories: readonly Category[],
  brands: CategoryAssortment['brands'],
): CategoryAssortment[] {
  return categories
    .filter(({ name }) => name !== EMPTY_CATEGORY)
    .flatMap(({ id, name, subCategories }) => subCategories.map((subCategory) => ({ id, name, subCategory })))
    .map(({ id, name, subCategory }, at) => ({
      category: name,
      categoryId: id,
      subCategory,
      brands: Array.from({ length: BRANDS_PER_SUB_CATEGORY }, (_, nth) => brands[(at + nth * 7) % brands.length]!),
    }));
}
