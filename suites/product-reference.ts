/** Demands on group C, product reference: sections 4.3 and 8. */
import type { Rule } from '../src/rule/index.ts';
import { marketRule } from './market.ts';
import {
  deltaAnswered,
  deltaComplete,
  deltaDiffers,
  deltaFresh,
  deltaListed,
  deltaNested,
  deltaSpan,
  deltaWindow,
} from './product-reference/delta.ts';
import { lookupChanged } from './product-reference/delta-look-up.ts';
import { bulkWhole, filterAnswered, filterComplete, filterSound } from './product-reference/filter.ts';
import {
  bulkUnique,
  categoriesKnown,
  categoriesListed,
  historySpan,
  historyWindow,
  upcRule,
} from './product-reference/list.ts';
import { categoryAgrees, lookupBulk, lookupExample, malformedUpc } from './product-reference/look-up.ts';
import { BULK, CATEGORIES, DELTA, WINDOWS } from './product-reference/shared.ts';
import { malformedStatus, unknownStatus } from './product-reference/statuses.ts';
import { requiredRule } from './required.ts';
import { bulkStable, deltaStable } from './stability.ts';

const deltaAsks = Object.fromEntries(WINDOWS.map((weeks) => [`delta${weeks}`, { window: { value: weeks } }]));

export const productReference: readonly Rule[] = [
  categoriesListed,
  categoriesKnown,
  upcRule,
  bulkUnique,
  marketRule({
    id: 'C.us-market',
    statement: 'C.us-market',
    which: 'products',
    subjects: [BULK],
    needs: () => ['allProducts.request', 'allProducts.rows', 'allProducts.fields.market'],
  }),
  historySpan,
  historyWindow,
  filterSound,
  filterAnswered,
  bulkWhole,
  bulkStable,
  filterComplete,
  lookupBulk,
  lookupExample,
  lookupChanged,
  malformedUpc,
  unknownStatus,
  malformedStatus,
  deltaAnswered,
  deltaNested,
  deltaSpan,
  deltaWindow,
  deltaComplete,
  deltaListed,
  deltaDiffers,
  deltaFresh,
  deltaStable,
  categoryAgrees,
  requiredRule({
    id: 'C.products-categorised',
    statement: 'C.product-category',
    demands: 'A product of the bulk list belongs to a category.',
    subjects: [BULK],
    fields: ['category', 'categoryId'],
  }),
  requiredRule({
    id: 'C.categories-named',
    statement: 'C.categories',
    demands: 'A category of allCategories has what the profile says all of them have.',
    subjects: [CATEGORIES],
    fields: ['category', 'categoryId', 'subCategory'],
  }),
  requiredRule({
    id: 'C.products-in-market',
    statement: 'C.us-market',
    demands: 'A product of the bulk list, or the list itself, names its market.',
    subjects: [BULK],
    fields: ['market'],
  }),
  requiredRule({
    id: 'C.products-dated',
    statement: 'C.history-52',
    demands: 'A product of the bulk list has a date of its activity.',
    subjects: [BULK],
    fields: ['activeOn'],
  }),
  requiredRule({
    id: 'C.changes-dated',
    statement: 'C.delta-windows',
    demands: 'A product of a delta has the date of its change.',
    subjects: [DELTA],
    fields: ['changedOn'],
    asks: deltaAsks,
  }),
  requiredRule({
    id: 'C.changes-categorised',
    statement: 'C.product-category',
    demands: 'A product of a delta belongs to a category.',
    subjects: [DELTA],
    fields: ['category', 'categoryId'],
    asks: deltaAsks,
  }),
];
