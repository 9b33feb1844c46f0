/** The look-up knows the products of a delta: section 4.3. */
import { ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/delta-kinds.ts';
import {
  anything,
  combine,
  defineRule,
  failed,
  type Judgement,
  onlyReading,
  respondWith,
  step,
  untested,
  upcs,
} from '../../src/rule/index.ts';
import {
  characteristics,
  judgeListedLookups,
  judgeLookups,
  productEach,
  recentSteps,
  sampleProducts,
} from '../../src/rule/look-ups.ts';

/** Makes a failure advisory; returns any other judgement unchanged. */
const asAdvisory = (judged: Judgement): Judgement =>
  judged.verdict === 'fail' ? failed(judged.findings, 'plausible') : judged;

export const lookupChanged = defineRule({
  id: 'C.lookup-changed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a new or changed product returns that product’s characteristics.',
  how: 'UPCs spread over the 13-week delta are looked up. A product that is also in the bulk list must be found. A product that is only in the delta may be delisted, so a failure of its look-up is advisory; the look-up is not judged if a row shows it as removed. If the look-up does not know a product that changed in the last week, the check is inconclusive unless other look-ups state the as-of date of the list.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    'updateProducts.request',
    'updateProducts.rows',
    'updateProducts.inputs.window',
    'updateProducts.fields.upc',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'products.request',
    'products.rows',
    'products.fields.characteristics',
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => ({
    bulk: step({ operation: ALL_PRODUCTS, alsoMatches: anything, accepts: 'content', folds: { upcs } }),
    delta: step({
      operation: UPDATE_PRODUCTS,
      inputs: { window: { value: 13 } },
      accepts: 'content',
      folds: { some: sampleProducts(declarations, 'deltaLookUps'), ...kindFolds },
    }),
    products: step({
      operation: PRODUCT_LOOKUP,
      each: productEach(declarations, 'delta', 'deltaLookUps'),
      accepts: 'response',
      folds: { product: characteristics },
    }),
    ...recentSteps(declarations),
  }),
  counterexample: ({ products }) => ({ products: respondWith(products) }),
  judge(seen, { declarations }) {
    const listedUpcs = onlyReading(seen.bulk).folds.upcs;
    const isNotRemoved = isNotRemovedIn([onlyReading(seen.delta)], declarations);
    const { listed = [], deltaOnly = [] } = Object.groupBy(seen.products, ({ inputs }) =>
      listedUpcs.has(String(inputs.upc)) ? 'listed' : 'deltaOnly',
    );
    if (listed.length + deltaOnly.length === 0) return untested('the delta contains no UPC to look up');
    // An inconclusive advisory judgement must not hide a gating one.
    const gating =
      listed.length > 0
        ? judgeListedLookups({ products: listed, list: seen.bulk[0], recent: seen.recent }, declarations)
        : undefined;
    const notRemoved = deltaOnly.filter(({ inputs }) => isNotRemoved(String(inputs.upc)));
    const advisory = asAdvisory(judgeLookups(notRemoved, declarations));
    if (gating?.verdict === 'fail') return gating;
    if (gating && advisory.verdict === 'inconclusive') return gating;
    return combine(gating ? [gating, advisory] : [advisory]);
  },
});
