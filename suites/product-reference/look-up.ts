/** The look-up by UPC returns the characteristics of a product: section 4.3. */

import { ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { stateOneAsOf } from '../../src/rule/data-weeks.ts';
import { isNotRemovedIn, kindFolds } from '../../src/rule/deltas.ts';
import {
  anything,
  combine,
  defineRule,
  failed,
  findingIn,
  inconclusive,
  type Judgement,
  listNeeds,
  maybe,
  relationRule,
  respondWith,
  rows,
  upcs,
} from '../../src/rule/index.ts';
import {
  FOUND,
  judgeListedLookups,
  judgeLookups,
  LISTED_LOOK_UPS,
  lookUpOf,
  lookUpsOf,
  otherProduct,
  RECENT_WEEK,
  sampleProducts,
  unknownLookup,
} from '../../src/rule/look-ups.ts';

export const lookupBulk = relationRule({
  id: 'C.lookup-listed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a listed product returns that product’s characteristics.',
  how: [
    'UPCs spread over the bulk list, some with leading zeros, are looked up.',
    'Each must get 2xx with characteristics and, where the profile binds it, the requested UPC.',
    'An unknown UPC must not return another product of the list.',
    'A product of the 1-week delta that is unknown is inconclusive unless other look-ups state the as-of date of the list.',
  ],
  looksLike:
    'A server whose look-up is reloaded after the lists, which is legal, does not know the newest products yet; the 1-week delta and the as-of dates tell them apart.',
  subjects: [PRODUCT_LOOKUP],
  sides: {
    ...LISTED_LOOK_UPS,
    unknown: maybe({ ...rows(PRODUCT_LOOKUP, FOUND), step: (_subject, declarations) => unknownLookup(declarations) }),
    recent: RECENT_WEEK,
  },
  counterexample: ({ products }) => ({ products: respondWith(products) }),
  compare({ bulk, products, unknown, recent }, { declarations }) {
    const judged = judgeListedLookups({ products, list: bulk, recent }, declarations);
    const other = unknown && otherProduct(unknown);
    // A placeholder for “no product”, such as one with the UPC 000000000000, is no product of the service.
    const isListed = other !== undefined && bulk.folds.upcs.has(other);
    if (!unknown || !isListed || (judged.verdict !== 'pass' && judged.verdict !== 'fail')) return judged;
    const expected = `no other product for the unknown UPC ${unknown.inputs.upc}`;
    return combine([judged, failed([findingIn(unknown, 'product-for-unknown', expected, `the product ${other}`)])]);
  },
});

export const lookupExample = defineRule({
  id: 'C.lookup-example',
  statement: 'C.lookup',
  since: '0.1.0',
  demands: 'A look-up by an example UPC of the profile returns that product’s characteristics.',
  how: 'Each example UPC is looked up; it must get 2xx with characteristics, and with that UPC where the response contains one.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => ['upcExamples', ...listNeeds(PRODUCT_LOOKUP, 'characteristics')],
  repeat: 'pass',
  probe(_subject, declarations) {
    const examples = declarations.examples('upc').slice(0, 5);
    return Object.fromEntries(examples.map((upc, at) => [`product${at}`, lookUpOf(upc, 'response')]));
  },
  counterexample: ({ product0 }) => ({ product0: respondWith(product0) }),
  judge: (seen, context) => judgeLookups(Object.values(seen).flat(), context.declarations),
});

/** Look-ups of products of the 13-week delta. */
const changedProducts = (from: string) => lookUpsOf(from, 'deltaLookUps', FOUND);

/** Makes a failure advisory; returns any other judgement unchanged. */
const asAdvisory = (judged: Judgement): Judgement =>
  judged.verdict === 'fail' ? failed(judged.findings, 'plausible') : judged;

export const lookupChanged = relationRule({
  id: 'C.lookup-changed',
  statement: 'C.lookup',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by the UPC of a new or changed product returns that product’s characteristics.',
  how: [
    'UPCs spread over the 13-week delta are looked up.',
    'A product that is also in the bulk list must be found.',
    'A product that is only in the delta may be delisted, so a failure of its look-up is advisory; the look-up is not judged if a row shows it as removed.',
    'If the look-up does not know a product that changed in the last week, the check is inconclusive unless other look-ups state the as-of date of the list.',
  ],
  subjects: [PRODUCT_LOOKUP],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['upc'], alsoMatches: anything, accepts: 'content', folds: { upcs } }),
    delta: rows(UPDATE_PRODUCTS, {
      weeks: 13,
      fields: ['upc'],
      accepts: 'content',
      folds: (declarations) => ({ some: sampleProducts(declarations, 'deltaLookUps'), ...kindFolds }),
    }),
    products: changedProducts('delta'),
    recent: RECENT_WEEK,
  },
  counterexample: ({ products }) => ({ products: respondWith(products) }),
  compare({ bulk, delta, products, recent }, { declarations }) {
    const isNotRemoved = isNotRemovedIn([delta], declarations);
    const { listed = [], deltaOnly = [] } = Object.groupBy(products, ({ inputs }) =>
      bulk.folds.upcs.has(String(inputs.upc)) ? 'listed' : 'deltaOnly',
    );
    if (products.length === 0) return [];
    const notRemoved = deltaOnly.filter(({ inputs }) => isNotRemoved(String(inputs.upc)));
    const advisory = asAdvisory(judgeLookups(notRemoved, declarations));
    if (listed.length === 0) return combine([advisory]);
    // An inconclusive advisory judgement must not hide a gating one.
    const gating = judgeListedLookups({ products: listed, list: bulk, recent }, declarations);
    return gating.verdict === 'fail' || advisory.verdict === 'inconclusive' ? gating : combine([gating, advisory]);
  },
  nothing: 'the delta contains no UPC to look up',
});

export const deltaInLookUp = relationRule({
  id: 'C.delta-in-look-up',
  statement: 'C.lookup',
  demands: 'The look-up knows every product of the delta that is not removed.',
  how: [
    'Where the profile says that the look-up knows every product of the delta that is not removed, UPCs spread over the 13-week delta are looked up.',
    'Products that are also in the 1-week delta are not judged, because a look-up that is a reload behind does not know the new ones yet.',
  ],
  looksLike: [
    'A server whose look-up is a reload ahead and no longer knows a product that the delta still contains.',
    'The as-of dates of the delta and the bulk list distinguish them: if they differ, an unknown product is inconclusive.',
  ],
  subjects: [PRODUCT_LOOKUP],
  promises: ['deltaInLookUp'],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['asOf'], accepts: 'content' }),
    one: rows(UPDATE_PRODUCTS, { weeks: 1, fields: ['upc', 'asOf'], folds: kindFolds }),
    thirteen: rows(UPDATE_PRODUCTS, {
      weeks: 13,
      folds: (declarations) => ({ ...kindFolds, some: sampleProducts(declarations, 'deltaLookUps') }),
    }),
    products: changedProducts('thirteen'),
  },
  counterexample: ({ products = [], one = [] }) => {
    const recent = new Set(one.flatMap((reading) => reading.rows.map(({ upc }) => upc)));
    const at = products.findIndex(({ inputs }) => !recent.has(String(inputs.upc)));
    return { products: products.map((each, index) => (index === at ? (respondWith([each])[0] ?? each) : each)) };
  },
  compare({ bulk, one, thirteen, products }, { declarations }) {
    const remains = isNotRemovedIn([one, thirteen], declarations);
    const judged = products.filter(
      ({ inputs }) => remains(String(inputs.upc)) && !one.folds.upcs.has(String(inputs.upc)),
    );
    if (judged.length === 0) return [];
    const found = judgeLookups(judged, declarations);
    return found.verdict !== 'fail' || stateOneAsOf(declarations, bulk, one, thirteen)
      ? combine([found])
      : inconclusive('a product is unknown, but the delta and the bulk list do not state one as-of date');
  },
  nothing: 'no product of the delta that was looked up is older than a week and not removed',
});
