/** A product belongs to one and the same category in the look-up and in the bulk list: section 2. */
import { ALL_PRODUCTS, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { foldName } from '../../src/rule/awkward-names.ts';
import {
  collect,
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  nothingToJudge,
  onlyReading,
  passed,
  spread,
  step,
  upcsBy,
} from '../../src/rule/index.ts';
import { LOOK_UP_COUNT, leadingZero, rowsOf } from '../../src/rule/look-ups.ts';

/** Categories are compared by name where the profile reads names in both answers, else by id. */
const sharedCategory = (declares: Declarations): 'category' | 'categoryId' =>
  declares.isFilled('products.fields.category') && declares.isFilled('allProducts.fields.category')
    ? 'category'
    : 'categoryId';

export const categoryAgrees = defineRule({
  id: 'C.category-agrees',
  statement: 'C.product-category',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product belongs to the same category in the look-up as in the bulk list.',
  how: 'UPCs spread over the bulk list are looked up; the category of each must be one that the list shows the UPC under, by the name, or by the id, that both answers carry.',
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
  probe: (_subject, declares) => ({
    bulk: step({
      operation: ALL_PRODUCTS,
      wants: 'content',
      folds: { some: spread(['upc'], LOOK_UP_COUNT, leadingZero), by: upcsBy(sharedCategory(declares)) },
    }),
    products: step({
      operation: PRODUCT_LOOKUP,
      each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max: LOOK_UP_COUNT },
      wants: 'content',
      folds: { product: collect(['category', 'categoryId'], 100) },
    }),
  }),
  counterexample: ({ products }) => ({ products: editRow(products, { category: 'Another', categoryId: 'another' }) }),
  judge(seen, { declares }) {
    const field = sharedCategory(declares);
    const byCategory = [...onlyReading(seen.bulk).folds.by];
    let looked = 0;
    const findings = seen.products.flatMap((reading): Finding[] => {
      const upc = String(reading.inputs.upc);
      // A product may come in several rows, one for each characteristic.
      const told = new Map(
        rowsOf(reading).flatMap((row) => {
          const name = row[field];
          return typeof name === 'string' ? [[foldName(name), name] as const] : [];
        }),
      );
      const [own] = told.values();
      // The list may show a product under several categories, and the look-up any of them.
      const listed = byCategory.filter(([, keys]) => keys.has(upc)).map(([name]) => name);
      if (own === undefined || listed.length === 0 || told.size > 1) return [];
      looked++;
      if (listed.some((name) => foldName(name) === foldName(own))) return [];
      return [
        {
          expected: `product ${upc} belongs to ${listed.map((name) => JSON.stringify(name)).join(' or ')}, as the bulk list says`,
          actual: JSON.stringify(own),
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0) return failed(findings);
    return looked === 0
      ? nothingToJudge('no product carries its category in both answers')
      : passed({ ...evidenceOf(seen.products), rows: looked });
  },
});
