/** Demands on group D, retail measurement performance: sections 4.4 and 8. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  PERFORMANCE_OPERATIONS,
  type PerformanceOperation,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { filteredListsRule } from '../../src/rule/filtered-lists-rule.ts';
import { openingOf, type Rule } from '../../src/rule/index.ts';
import { compareMarkets, marketRule } from '../../src/rule/market-rule.ts';
import { requiredRule } from '../../src/rule/required-rule.ts';
import { figuresOrdered, figuresPromisedOrdered, fiveFigures, percentChangeRule } from './figures.ts';
import { brandFiguresAgree, categoryFiguresAgree } from './filtered-figures.ts';
import {
  brandRowsWhole,
  categoryRowsWhole,
  filterRules,
  filtersWithoutServerErrors,
  pairsComplete,
  pairsSound,
} from './filters.ts';
import { metadataCovers, metadataListed, metadataPairs, metadataUsed } from './metadata.ts';
import { categoryIdentity, identityRule } from './row-identity.ts';
import { brandSalesStable, categorySalesStable, filtersStable, namesStable } from './stability.ts';
import { categorySums } from './sums.ts';
import { unknownName } from './unknown-name.ts';

/** One market, in every row: section 4.4. */
const market = marketRule({
  id: 'D.market',
  statement: 'D.market',
  which: 'performance',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [openingOf(subject, 'request'), openingOf(subject, 'fields.market')],
});

/** The rules that each performance operation has of its own. */
const OWN_RULES: Readonly<
  Record<PerformanceOperation, Readonly<Record<'figuresAgree' | 'rowsNamed' | 'rowsWhole' | 'salesStable', Rule>>>
> = {
  [CATEGORY_PERFORMANCE]: {
    figuresAgree: categoryFiguresAgree,
    rowsNamed: requiredRule({
      id: 'D.category-rows-named',
      statement: 'D.category-performance',
      demands: 'A row of CategoryPerformance names its category and sub-category.',
      subjects: [CATEGORY_PERFORMANCE],
      fields: ['category', 'subCategory'],
    }),
    rowsWhole: categoryRowsWhole,
    salesStable: categorySalesStable,
  },
  [BRAND_PERFORMANCE]: {
    figuresAgree: brandFiguresAgree,
    rowsNamed: requiredRule({
      id: 'D.brand-rows-named',
      statement: 'D.brand-performance',
      demands: 'A row of BrandPerformance names its manufacturer and brand.',
      subjects: [BRAND_PERFORMANCE],
      fields: SALES_FILTERS,
    }),
    rowsWhole: brandRowsWhole,
    salesStable: brandSalesStable,
  },
};
const ownRules = Object.values(OWN_RULES);

export const retailMeasurement: readonly Rule[] = [
  metadataListed,
  metadataCovers,
  metadataUsed,
  metadataPairs,
  namesStable,
  fiveFigures,
  figuresOrdered,
  figuresPromisedOrdered,
  percentChangeRule,
  categorySums,
  identityRule,
  market,
  filteredListsRule({
    id: 'D.filtered-market',
    subjects: PERFORMANCE_OPERATIONS,
    of: market,
    demands: 'The market of every row of a filtered response is Total US.',
    compare: compareMarkets,
  }),
  filteredListsRule({
    id: 'D.filtered-percent-change',
    subjects: PERFORMANCE_OPERATIONS,
    of: percentChangeRule,
    demands: 'The dollar percentage change in a filtered response has the value that the profile defines.',
  }),
  ...ownRules.map(({ figuresAgree }) => figuresAgree),
  ...ownRules.map(({ rowsNamed }) => rowsNamed),
  requiredRule({
    id: 'D.rows-in-market',
    statement: 'D.market',
    demands: 'A performance row, or the response that contains it, names its market.',
    subjects: PERFORMANCE_OPERATIONS,
    fields: ['market'],
  }),
  ...ownRules.map(({ rowsWhole }) => rowsWhole),
  categoryIdentity,
  ...ownRules.map(({ salesStable }) => salesStable),
  filtersStable,
  unknownName,
  ...SALES_FILTERS.flatMap(filterRules),
  filtersWithoutServerErrors,
  pairsSound,
  pairsComplete,
];
