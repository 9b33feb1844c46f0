/** Demands on group C, product reference: sections 4.3 and 8. */
import { ALL_CATEGORIES, ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import type { Rule } from '../../src/rule/index.ts';
import { compareMarkets, filteredListsRule, marketRule, requiredRule } from '../../src/rule/row-rules.ts';
import * as categories from './categories.ts';
import * as categoryAgreement from './category-agreement.ts';
import * as categoryFilter from './category-filter.ts';
import * as deltaByDates from './delta-by-dates.ts';
import * as deltaDates from './delta-dates.ts';
import * as deltaInBulk from './delta-in-bulk.ts';
import * as deltaWindows from './delta-windows.ts';
import * as deltas from './deltas.ts';
import * as lookUp from './look-up.ts';
import * as lookUpAfterUnknown from './look-up-after-unknown.ts';
import * as lookUpAgreement from './look-up-agreement.ts';
import * as lookUpStatuses from './look-up-statuses.ts';
import { namesListed } from './names-listed.ts';
import { productCounts } from './product-counts.ts';
import * as stability from './stability.ts';
import * as subCategories from './sub-categories.ts';
import * as upcs from './upcs.ts';

/** The products of the one market: section 4.3. */
const market = marketRule({
  id: 'C.us-market',
  statement: 'C.us-market',
  which: 'products',
  subjects: [ALL_PRODUCTS],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.market'],
});

export const productReference: readonly Rule[] = [
  categories.categoriesListed,
  categories.categoriesKnown,
  productCounts,
  stability.categoriesStable,
  namesListed,
  upcs.upcRule,
  upcs.upcCheckDigit,
  upcs.bulkUnique,
  market,
  filteredListsRule({
    id: 'C.filtered-us-market',
    subjects: [ALL_PRODUCTS],
    of: market,
    demands: 'The market of every product of a filtered bulk list is US.',
    compare: compareMarkets,
  }),
  filteredListsRule({
    id: 'C.filtered-upc-12-digits',
    subjects: [ALL_PRODUCTS],
    of: upcs.upcRule,
    demands: 'Every UPC of a filtered bulk list has 12 digits.',
  }),
  deltaDates.historySpan,
  deltaDates.historyWindow,
  categoryFilter.filterSound,
  categoryFilter.filterAnswered,
  categoryFilter.bulkComplete,
  stability.bulkStable,
  stability.bulkValuesStable,
  categoryFilter.filterComplete,
  categoryFilter.filterOnce,
  categoryFilter.filterAgrees,
  stability.filterStable,
  lookUp.lookupBulk,
  lookUpAfterUnknown.lookupAfterUnknown,
  lookUp.lookupExample,
  lookUp.lookupChanged,
  stability.lookUpStable,
  lookUpStatuses.malformedUpc,
  upcs.firstActiveBefore,
  lookUpStatuses.unknownStatus,
  lookUpStatuses.malformedStatus,
  deltaWindows.malformedWindow,
  deltaWindows.deltaAnswered,
  deltas.deltaNested,
  deltaDates.deltaSpan,
  deltaDates.deltaWindow,
  deltas.deltaComplete,
  deltaByDates.deltaByDates,
  deltaInBulk.deltaListed,
  deltas.deltaKinds,
  deltaByDates.deltaNew,
  deltaInBulk.deltaWithinBulk,
  deltaInBulk.deltaRemovedUnlisted,
  lookUp.deltaInLookUp,
  lookUpAgreement.lookupAgrees,
  lookUpAgreement.lookupLatest,
  deltas.deltaDiffers,
  deltaDates.deltaFresh,
  stability.deltaStable,
  stability.deltaValuesStable,
  categoryAgreement.categoryAgrees,
  subCategories.subCategoriesListed,
  categories.unknownCategory,
  categoryAgreement.deltaCategory,
  requiredRule({
    id: 'C.products-categorised',
    statement: 'C.product-category',
    demands: 'A product of the bulk list belongs to a category.',
    subjects: [ALL_PRODUCTS],
    fields: ['category', 'categoryId'],
  }),
  requiredRule({
    id: 'C.categories-named',
    statement: 'C.categories',
    demands: 'A category of allCategories has the fields that the profile marks required.',
    subjects: [ALL_CATEGORIES],
    fields: ['category', 'categoryId', 'subCategory'],
  }),
  requiredRule({
    id: 'C.products-in-market',
    statement: 'C.us-market',
    demands: 'A product of the bulk list, or the list itself, names its market.',
    subjects: [ALL_PRODUCTS],
    fields: ['market'],
  }),
  requiredRule({
    id: 'C.products-dated',
    statement: 'C.history-52',
    demands: 'A product of the bulk list has an activity date.',
    subjects: [ALL_PRODUCTS],
    fields: ['activeOn'],
  }),
  requiredRule({
    id: 'C.changes-dated',
    statement: 'C.delta-windows',
    demands: 'A product of a delta has a change date.',
    subjects: [UPDATE_PRODUCTS],
    fields: ['changedOn'],
  }),
  requiredRule({
    id: 'C.changes-categorised',
    statement: 'C.product-category',
    demands: 'A product of a delta belongs to a category.',
    subjects: [UPDATE_PRODUCTS],
    fields: ['category', 'categoryId'],
  }),
];
