/** The numbers of products that categories state. */
import type { Category, ProductRow } from './types.ts';

/** Categories that state how many of these products they have; the products are counted when a dialect writes a count. */
export function withProductCounts(
  categories: readonly Category[],
  products: () => Iterable<ProductRow>,
): readonly Category[] {
  let counts: Map<string | undefined, number> | undefined;
  const countAll = () => {
    const all = new Map<string | undefined, number>();
    for (const { categoryId } of products()) all.set(categoryId, (all.get(categoryId) ?? 0) + 1);
    return all;
  };
  return categories.map((category) => ({
    ...category,
    products: () => {
      counts ??= countAll();
      return counts.get(category.id) ?? 0;
    },
  }));
}
