/** The look-up by UPC returns the characteristics of a product: section 4.3. */
import { PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import { combine, defineRule, failed, respondWith, step } from '../../src/rule/index.ts';
import {
  characteristics,
  judgeListedLookups,
  judgeLookups,
  listedLookups,
  otherProduct,
  recentSteps,
  unknownLookup,
} from '../../src/rule/look-ups.ts';

export const lookupBulk = defineRule({
  id: 'C.lookup-listed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a listed product returns that product’s characteristics.',
  how: 'UPCs spread over the bulk list, some with leading zeros, are looked up. Each must get 2xx with characteristics and, where the profile binds it, the requested UPC. An unknown UPC must not return another product of the list. A product of the 1-week delta that is unknown is inconclusive unless other look-ups state the as-of date of the list.',
  looksLike:
    'A server whose look-up is reloaded after the lists, which is legal, does not know the newest products yet; the 1-week delta and the as-of dates tell them apart.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'products.request',
    'products.rows',
    'products.fields.characteristics',
  ],
  repeat: 'pass',
  probe(_subject, declarations) {
    const { bulk, products } = listedLookups(declarations);
    return { bulk, products, unknown: unknownLookup(declarations), ...recentSteps(declarations) };
  },
  counterexample: ({ products }) => ({ products: respondWith(products) }),
  judge(seen, { declarations }) {
    const { products, recent } = seen;
    const judged = judgeListedLookups({ products, list: seen.bulk[0], recent }, declarations);
    const [unknown] = seen.unknown;
    const other = unknown && otherProduct(unknown);
    // A placeholder for “no product”, such as one with the UPC 000000000000, is no product of the service.
    const isListed = other !== undefined && seen.bulk.some(({ folds }) => folds.upcs.has(other));
    if (!unknown || !isListed || (judged.verdict !== 'pass' && judged.verdict !== 'fail')) return judged;
    const finding = {
      kind: 'product-for-unknown',
      expected: `no other product for the unknown UPC ${unknown.inputs.upc}`,
      actual: `the product ${other}`,
      exchange: unknown.exchange,
    };
    return combine([judged, failed([finding])]);
  },
});

export const lookupExample = defineRule({
  id: 'C.lookup-example',
  statement: 'C.lookup',
  basis: 'profile',
  since: '0.1.0',
  demands: 'A look-up by an example UPC of the profile returns that product’s characteristics.',
  how: 'Each example UPC is looked up; it must get 2xx with characteristics, and with that UPC where the response contains one.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => ['upcExamples', 'products.request', 'products.rows', 'products.fields.characteristics'],
  repeat: 'pass',
  probe: (_subject, declarations) =>
    Object.fromEntries(
      declarations
        .examples('upc')
        .slice(0, 5)
        .map((upc, at) => [
          `product${at}`,
          step({
            operation: PRODUCT_LOOKUP,
            inputs: { upc: { value: upc } },
            accepts: 'response',
            folds: { product: characteristics },
          }),
        ]),
    ),
  counterexample: ({ product0 }) => ({ product0: respondWith(product0) }),
  judge: (seen, context) => judgeLookups(Object.values(seen).flat(), context.declarations),
});
