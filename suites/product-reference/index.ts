/** Demands on group C, product reference: sections 4.3 and 8. */
import { ALL_CATEGORIES, ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import type { Rule } from '../../src/rule/index.ts';
import { compareMarkets, filteredListsRule, marketRule, requiredRule } from '../../src/rule/row-rules.ts';
import { categoryAgrees, deltaCategory, lookupAgrees, lookupLatest } from './agreement.ts';
import { categoriesKnown, categoriesListed, namesListed, productCounts, unknownCategory } from './categories.ts';
import {
  bulkComplete,
  filterAgrees,
  filterAnswered,
  filterComplete,
  filterOnce,
  filterSound,
} from './category-filter.ts';
import {
  deltaByDates,
  deltaFresh,
  deltaNew,
  deltaSpan,
  deltaWindow,
  historySpan,
  historyWindow,
} from './delta-dates.ts';
import { deltaAnswered, malformedWindow } from './delta-windows.ts';
import {
  deltaComplete,
  deltaDiffers,
  deltaKinds,
  deltaListed,
  deltaNested,
  deltaRemovedUnlisted,
  deltaWithinBulk,
} from './deltas.ts';
import { deltaInLookUp, lookupBulk, lookupChanged, lookupExample } from './look-up.ts';
import { lookupAfterUnknown } from './look-up-after-unknown.ts';
import { malformedStatus, malformedUpc, unknownStatus } from './look-up-statuses.ts';
import {
  bulkStable,
  bulkValuesStable,
  categoriesStable,
  deltaStable,
  deltaValuesStable,
  filterStable,
  lookUpStable,
} from './stability.ts';
import { subCategoriesListed } from './sub-categories.ts';
import { bulkUnique, firstActiveBefore, upcCheckDigit, upcRule } from './upcs.ts';

/** The products of the one market: section 4.3. */
const market = marketRule({
  id: 'C.us-market',
  statement: 'C.us-market',
  which: 'products',
  subjects: [ALL_PRODUCTS],
  needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.market'],
});

export const productReference: readonly Rule[] = [
  categoriesListed,
  categoriesKnown,
  productCounts,
  categoriesStable,
  namesListed,
  upcRule,
  upcCheckDigit,
  bulkUnique,
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
    of: upcRule,
    demands: 'Every UPC of a filtered bulk list has 12 digits.',
  }),
  historySpan,
  historyWindow,
  filterSound,
  filterAnswered,
  bulkComplete,
  bulkStable,
  bulkValuesStable,
  filterComplete,
  filterOnce,
  filterAgrees,
  filterStable,
  lookupBulk,
  lookupAfterUnknown,
  lookupExample,
  lookupChanged,
  lookUpStable,
  malformedUpc,
  firstActiveBefore,
  unknownStatus,
  malformedStatus,
  malformedWindow,
  deltaAnswered,
  deltaNested,
  deltaSpan,
  deltaWindow,
  deltaComplete,
  deltaByDates,
  deltaListed,
  deltaKinds,
  deltaNew,
  deltaWithinBulk,
  deltaRemovedUnlisted,
  deltaInLookUp,
  lookupAgrees,
  lookupLatest,
  deltaDiffers,
  deltaFresh,
  deltaStable,
  deltaValuesStable,
  categoryAgrees,
  subCategoriesListed,
  unknownCategory,
  deltaCategory,
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
