/** Demands on group D, retail measurement performance: sections 4.4 and 8. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  type Field,
  PERFORMANCE_OPERATIONS,
  type PerformanceOperation,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { needsOf, type Rule } from '../../src/rule/index.ts';
import { ownRule } from '../../src/rule/performance-rows.ts';
import { compareMarkets, filteredListsRule, marketRule, requiredRule } from '../../src/rule/row-rules.ts';
import * as figures from './figures.ts';
import * as filteredFigures from './filtered-figures.ts';
import * as filters from './filters.ts';
import * as metadata from './metadata.ts';
import * as stability from './stability.ts';
import * as sums from './sums.ts';
import * as unknownName from './unknown-name.ts';

/** One market, in every row: section 4.4. */
const market = marketRule({
  id: 'D.market',
  statement: 'D.market',
  which: 'performance',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => needsOf(subject, 'request', 'fields.market'),
});

/** What identifies the rows of each performance operation. */
const ROW_NAMES: Readonly<
  Record<PerformanceOperation, { readonly demands: string; readonly fields: readonly Field[] }>
> = {
  [CATEGORY_PERFORMANCE]: {
    demands: 'A row of CategoryPerformance names its category and sub-category.',
    fields: ['category', 'subCategory'],
  },
  [BRAND_PERFORMANCE]: {
    demands: 'A row of BrandPerformance names its manufacturer and brand.',
    fields: SALES_FILTERS,
  },
};

const EACH = Object.keys(ROW_NAMES) as PerformanceOperation[];

export const retailMeasurement: readonly Rule[] = [
  metadata.metadataListed,
  metadata.metadataCovers,
  metadata.metadataUsed,
  metadata.metadataPairs,
  stability.namesStable,
  figures.fiveFigures,
  figures.figuresOrdered,
  figures.figuresPromisedOrdered,
  figures.percentChangeRule,
  sums.categorySums,
  figures.oneRowRule(BRAND_PERFORMANCE),
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
    of: figures.percentChangeRule,
    demands: 'The dollar percentage change in a filtered response has the value that the profile defines.',
  }),
  ...EACH.map(filteredFigures.figuresAgree),
  ...EACH.map((each) => requiredRule({ ...ownRule(each, 'NAME-rows-named'), ...ROW_NAMES[each] })),
  requiredRule({
    id: 'D.rows-in-market',
    statement: 'D.market',
    demands: 'A performance row, or the response that contains it, names its market.',
    subjects: PERFORMANCE_OPERATIONS,
    fields: ['market'],
  }),
  ...EACH.map(filters.rowsWhole),
  ...EACH.filter((each) => each !== BRAND_PERFORMANCE).map(figures.oneRowRule),
  ...EACH.map(stability.salesStable),
  stability.filtersStable,
  unknownName.unknownName,
  ...SALES_FILTERS.flatMap(filters.filterRules),
  filters.filtersWithoutServerErrors,
  ...filters.pairRules,
];
