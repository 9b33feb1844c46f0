/** Oddities of the rows of group D: their names and granularity (section 4.4). */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import { every, salesFiltersOf, when } from '../deviations/changes.ts';
import { onAvailable, onBrandSales, onCategorySales, onSales, stating } from '../deviations/places.ts';
import { isOfAllBrands, WITH_BRAND_TOTALS } from '../faults/retail-measurement.ts';
import { salesTotals } from '../model/sales-totals.ts';
import type { PerformanceRow, Query } from '../model/types.ts';
import { type Oddity, oddity, partialOddity } from './oddity.ts';

/** Changes the names of a row or of a query that it has. */
const withNames = <T extends Pick<Query, 'manufacturer' | 'brand'>>(row: T, change: (name: string) => string) => ({
  ...(row.manufacturer !== undefined && { manufacturer: change(row.manufacturer) }),
  ...(row.brand !== undefined && { brand: change(row.brand) }),
});

const byCategory = (rows: readonly PerformanceRow[]): PerformanceRow[] => salesTotals(rows, ['category']);

/** The profile of CategoryPerformance with rows for totals. */
const WITH_CATEGORY_TOTALS = stating(['categoryPerformance'], {
  response: { fields: { subCategory: { nullable: true, required: false } } },
});

export const SALES_ROW_ODDITIES: readonly Oddity[] = [
  partialOddity('metadata-of-single-columns', 'shapes', 'D', {
    says: 'A row of the metadata has the next category, sub-category, manufacturer and brand in alphabetical order, which do not belong together.',
    hooks: onAvailable((rows) => {
      const columns = SALES_FILTERS.map((name) => [...new Set(rows.map((row) => row[name]))].sort());
      const length = Math.max(...columns.map((column) => column.length));
      return Array.from({ length }, (_, at) =>
        Object.fromEntries(SALES_FILTERS.map((name, nth) => [name, columns[nth]?.[at]])),
      );
    }),
    profile: { metadata: null },
  }),
  oddity('names-padded', 'filters', 'D', {
    says: 'Names in performance rows are padded with spaces to forty characters, and filters ignore the padding.',
    hooks: {
      ...onSales(every((row) => withNames(row, (name) => name.padEnd(40, ' ')))),
      query: (query) => ({ ...query, ...withNames(query, (name) => name.trim()) }),
    },
  }),
  partialOddity('filter-changes-grain', 'filters', 'D', {
    says: 'CategoryPerformance returns one row per category; with a filter it returns sub-categories.',
    hooks: onCategorySales(when((context) => salesFiltersOf(context).length === 0, byCategory)),
    profile: WITH_CATEGORY_TOTALS,
  }),
  oddity('category-totals-among-rows', 'filters', 'D', {
    says: 'CategoryPerformance also returns one row per category, without a sub-category.',
    hooks: onCategorySales((rows, { query }) =>
      query.subCategory === undefined ? [...rows, ...byCategory(rows)] : rows,
    ),
    profile: WITH_CATEGORY_TOTALS,
  }),
  oddity('brand-totals-among-rows', 'filters', 'D', {
    says: 'BrandPerformance also returns one row per category and sub-category, the total of the rows with these names.',
    hooks: onBrandSales(when(isOfAllBrands, (rows) => [...rows, ...salesTotals(rows, ['category', 'subCategory'])])),
    profile: WITH_BRAND_TOTALS,
  }),
  oddity('totals-of-the-requested-rows', 'filters', 'D', {
    says: 'CategoryPerformance begins with one row per category, the total of the rows that follow: of all sub-categories, or of the requested one.',
    hooks: onCategorySales((rows) => [...byCategory(rows), ...rows]),
    profile: WITH_CATEGORY_TOTALS,
  }),
];
