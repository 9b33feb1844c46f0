/** A product has the same category in the look-up and in the bulk list: section 2. */
import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  collect,
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  onlyReading,
  passed,
  type Reading,
  step,
  untested,
  upcs,
  upcsBy,
  upcsWithout,
} from '../../src/rule/index.ts';
import { type characteristics, productEach, rowsOf, sampleProducts } from '../../src/rule/look-ups.ts';

/** Categories are compared by name where the profile reads names in both responses, otherwise by id. */
const categoryField = (declarations: Declarations): 'category' | 'categoryId' =>
  declarations.isFilled('products.fields.category') && declarations.isFilled('allProducts.fields.category')
    ? 'category'
    : 'categoryId';

/** The categories of a look-up, by their folded names. A product may have several rows, one for each characteristic. */
const categoriesOf = (
  reading: Reading<{ product: typeof characteristics }>,
  field: 'category' | 'categoryId',
): ReadonlyMap<string, string> =>
  new Map(
    rowsOf(reading).flatMap((row) => {
      const name = row[field];
      return typeof name === 'string' ? [[normaliseName(name), name] as const] : [];
    }),
  );

export const categoryAgrees = defineRule({
  id: 'C.category-agrees',
  statement: 'C.product-category',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product has the same category in the look-up and in the bulk list.',
  how: 'UPCs spread over the bulk list are looked up; the category of each must be one that the list shows with the UPC, compared by name or by id.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'products.request',
    'products.rows',
    ['products.fields.category', 'products.fields.categoryId'],
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => ({
    bulk: step({
      operation: ALL_PRODUCTS,
      accepts: 'content',
      folds: {
        some: sampleProducts(declarations, 'lookUps'),
        upcs,
        byCategory: upcsBy(categoryField(declarations)),
        withoutCategory: upcsWithout(categoryField(declarations)),
      },
    }),
    products: step({
      operation: PRODUCT_LOOKUP,
      each: productEach(declarations, 'bulk', 'lookUps'),
      accepts: 'content',
      folds: { product: collect(['category', 'categoryId'], 100) },
    }),
  }),
  counterexample: ({ products }) => ({ products: editRow(products, { category: 'Another', categoryId: 'another' }) }),
  judge(seen, { declarations }) {
    const field = categoryField(declarations);
    const { byCategory: keysByCategory, withoutCategory } = onlyReading(seen.bulk).folds;
    const byCategory = [...keysByCategory];
    let compared = 0;
    const findings = seen.products.flatMap((reading): Finding[] => {
      const upc = String(reading.inputs.upc);
      const categories = categoriesOf(reading, field);
      const [own] = categories.values();
      // The list may show a product in several categories, and the look-up any of them.
      const listed = byCategory.filter(([, keys]) => keys.has(upc)).map(([name]) => name);
      // A row without a readable category may be the one of the look-up.
      const isUnread = withoutCategory.has(upc);
      if (own === undefined || listed.length === 0 || categories.size > 1 || isUnread) return [];
      compared++;
      if (listed.some((name) => normaliseName(name) === normaliseName(own))) return [];
      return [
        {
          kind: 'other-category',
          expected: `product ${upc} belongs to ${listed.map((name) => JSON.stringify(name)).join(' or ')}, as in the bulk list`,
          actual: JSON.stringify(own),
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failed(findings);
    return compared === 0
      ? untested('no product has a category in both responses')
      : passed({ ...evidenceOf(seen.products), rows: compared });
  },
});
