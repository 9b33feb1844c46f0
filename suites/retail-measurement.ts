/** Demands on group D, retail measurement performance: sections 4.4 and 8. */
import { SALES_FILTERS } from '../src/contract/index.ts';
import type { Rule } from '../src/rule/index.ts';
import { marketRule } from './market.ts';
import { requiredRule } from './required.ts';
import { pairsComplete, pairsSound } from './retail-measurement/filter-pairs.ts';
import { filteredWithinAll, filterRules, filtersAnswered } from './retail-measurement/filters.ts';
import { metadataCovers, metadataListed, metadataUsed } from './retail-measurement/metadata.ts';
import {
  categoryIdentity,
  figuresOrdered,
  fiveFigures,
  identityRule,
  percentChange,
} from './retail-measurement/rows.ts';
import { BRAND, CATEGORY, opening, PERFORMANCE } from './retail-measurement/shared.ts';
import { brandSalesStable, categorySalesStable } from './stability.ts';

export const retailMeasurement: readonly Rule[] = [
  metadataListed,
  metadataCovers,
  metadataUsed,
  fiveFigures,
  figuresOrdered,
  percentChange,
  identityRule,
  marketRule({
    id: 'D.market',
    statement: 'D.market',
    which: 'performance',
    subjects: PERFORMANCE,
    needs: (subject) => [opening(subject, 'request'), opening(subject, 'fields.market')],
  }),
  requiredRule({
    id: 'D.category-rows-named',
    statement: 'D.category-performance',
    demands: 'A row of CategoryPerformance names its category and sub-category.',
    subjects: [CATEGORY],
    fields: ['category', 'subCategory'],
  }),
  requiredRule({
    id: 'D.brand-rows-named',
    statement: 'D.brand-performance',
    demands: 'A row of BrandPerformance names its manufacturer and brand.',
    subjects: [BRAND],
    fields: SALES_FILTERS,
  }),
  requiredRule({
    id: 'D.rows-in-market',
    statement: 'D.market',
    demands: 'A performance row, or the answer it stands in, names its market.',
    subjects: PERFORMANCE,
    fields: ['market'],
  }),
  filteredWithinAll(CATEGORY, 'D.category-rows-whole', 'D.category-performance'),
  filteredWithinAll(BRAND, 'D.brand-rows-whole', 'D.brand-performance'),
  categoryIdentity,
  categorySalesStable,
  brandSalesStable,
  ...SALES_FILTERS.flatMap(filterRules),
  filtersAnswered,
  pairsSound,
  pairsComplete,
];
