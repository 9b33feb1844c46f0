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
import { bulkWhole, filterComplete, filterSound } from './product-reference/filter.ts';
import {
  bulkUnique,
  categoriesKnown,
  categoriesListed,
  historySpan,
  historyWindow,
  upcRule,
} from './product-reference/list.ts';
import { categoryAgrees, lookupBulk, lookupExample, malformedUpc } from './product-reference/look-up.ts';
import { BULK } from './product-reference/shared.ts';
import { malformedStatus, unknownStatus } from './product-reference/statuses.ts';
import { requiredRule } from './required.ts';
import { bulkStable, deltaStable } from './stability.ts';

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
    subject: BULK,
    fields: ['category', 'categoryId'],
  }),
];
