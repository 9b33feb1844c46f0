/** Oddities of group D: figures, their units and windows; names and granularity of rows (section 4.4). */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import { every, salesFiltersOf, when } from '../deviations/changes.ts';
import {
  onAvailable,
  onBrandSales,
  onCategorySales,
  onSales,
  PERFORMANCE_NAMES,
  stating,
} from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import { isOfAllBrands, WITH_BRAND_TOTALS } from '../faults/retail-measurement.ts';
import { percentChange, salesTotals } from '../model/sales.ts';
import type { Figure, PerformanceRow, Query } from '../model/types.ts';
import { type Oddity, oddity, partialOddity } from './oddity.ts';

/** A number that depends on the names of a row only, so that a row is the same in filtered and unfiltered responses. */
const numberOf = ({ category, subCategory, manufacturer, brand }: PerformanceRow): number =>
  [...[category, subCategory, manufacturer, brand].join()].reduce((sum, char) => sum + char.charCodeAt(0), 0);

/** Changes the figures of every performance row. */
const figures = (
  change: (row: PerformanceRow, number: number) => Partial<PerformanceRow> | false,
  names: Parameters<typeof onSales>[1] = PERFORMANCE_NAMES,
): Hooks =>
  onSales(
    every((row) => change(row, numberOf(row))),
    names,
  );

const scaled = (figure: Figure, by: (value: number) => number): Figure =>
  typeof figure === 'number' ? by(figure) : figure;

const percentOf = ({ sales52Weeks: now, salesLastYear: before }: Partial<PerformanceRow>): Figure =>
  typeof now === 'number' && typeof before === 'number' ? percentChange(now, before) : null;

const SALES = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear'] as const;
const NONE = { sales4Weeks: 0, sales12Weeks: 0, sales52Weeks: 0, salesLastYear: 0, percentChange: null };

const money = (change: (value: number) => number, names: Parameters<typeof onSales>[1] = PERFORMANCE_NAMES) =>
  figures((row) => Object.fromEntries(SALES.map((name) => [name, scaled(row[name], change)])), names);

const rounding = (decimals: number) =>
  figures((row) => {
    if (typeof row.sales52Weeks !== 'number' || typeof row.salesLastYear !== 'number' || row.salesLastYear === 0)
      return {};
    const exact = ((row.sales52Weeks - row.salesLastYear) / row.salesLastYear) * 100;
    return { percentChange: Number(exact.toFixed(decimals)) };
  });

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

export const SALES_ODDITIES: readonly Oddity[] = [
  oddity('sales-reduced-by-returns', 'emptiness', 'D', {
    says: 'Returns reduce the sales of twelve weeks to zero, below those of four weeks.',
    hooks: onSales(every({ sales12Weeks: 0 })),
    profile: { figures: { windowsOrdered: null } },
  }),
  oddity('sales-negative', 'emptiness', 'D', {
    says: 'Returns exceed the sales of the last four weeks in about every third row.',
    hooks: figures(({ sales4Weeks }, number) =>
      number % 3 === 0 ? { sales4Weeks: scaled(sales4Weeks, (value) => -value - 0.01) } : {},
    ),
    profile: { figures: { sums: null } },
  }),
  oddity('sales-none-yet', 'emptiness', 'D', {
    says: 'About every fourth row has no sales this year or last year, so it has no percentage change.',
    hooks: figures((_row, number) => (number % 4 === 0 ? NONE : {})),
    profile: { figures: { sums: null } },
  }),
  partialOddity('percent-null-throughout', 'emptiness', 'D', {
    says: 'No brand or category had sales last year, so no row has a percentage change.',
    hooks: figures(() => ({ salesLastYear: 0, percentChange: null })),
  }),
  oddity('percent-999-without-last-year', 'windows', 'D', {
    says: 'The percentage change is 999.9 when the sales of last year are zero.',
    hooks: figures(({ salesLastYear }) => salesLastYear === 0 && { percentChange: 999.9 }),
  }),
  oddity('percent-whole', 'windows', 'D', {
    says: 'The percentage change is rounded to whole percents.',
    hooks: rounding(0),
    profile: { figures: { percentChange: { decimals: 0 } } },
  }),
  oddity('percent-two-decimals', 'windows', 'D', {
    says: 'The percentage change is rounded to two decimals.',
    hooks: rounding(2),
    profile: { figures: { percentChange: { decimals: 2 } } },
  }),
  partialOddity('percent-of-four-weeks', 'windows', 'D', {
    says: 'The percentage change is that of the last four weeks; no figure shows their sales of last year.',
    hooks: figures((_row, number) => ({ percentChange: (number % 70) - 35 })),
    profile: { figures: null },
  }),
  oddity('last-year-calendar', 'windows', 'D', {
    says: 'Last year is the calendar year, so its sales differ.',
    hooks: figures((row) => {
      const salesLastYear = scaled(row.salesLastYear, (value) => Math.round(value * 97) / 100);
      return { salesLastYear, percentChange: percentOf({ ...row, salesLastYear }) };
    }),
  }),
  oddity('dollars-whole', 'windows', 'D', {
    says: 'Sales are rounded to whole dollars after the percentage change is computed.',
    hooks: money(Math.round),
  }),
  oddity('dollars-with-fractions-of-cents', 'windows', 'D', {
    says: 'Sales have seven decimals.',
    hooks: money((value) => (value === 0 ? 0 : Number((value + 0.0012345).toFixed(7)))),
    profile: { figures: { sums: null } },
  }),
  oddity('dollars-huge', 'windows', 'D', {
    says: 'Sales are trillions of dollars.',
    hooks: money((value) => value * 1_000_000),
  }),
  oddity('rows-without-sales-left-out', 'relations', 'D', {
    says: 'One sub-category had no sales in any window; BrandPerformance has no rows for it, CategoryPerformance one with zeros.',
    hooks: onSales((rows, { operation }) =>
      rows.flatMap((row) => {
        if (row.subCategory !== 'Bread') return [row];
        return operation.name === 'brandPerformance' ? [] : [{ ...row, ...NONE }];
      }),
    ),
  }),
  oddity('category-rows-are-no-sums', 'relations', 'D', {
    says: 'Category rows cover more outlets than brand rows, so their sales are a tenth larger than the sums.',
    hooks: money((value) => value * 1.1, ['categoryPerformance']),
    profile: { figures: { sums: 'atLeast' } },
  }),
  partialOddity('sales-in-thousands', 'windows', 'D', {
    says: 'Dollar sales are rounded down to thousands in each row, so category rows differ from the sums of brand rows.',
    hooks: money((value) => Math.floor(value / 1000) * 1000),
    profile: { figures: { percentChange: null } },
  }),
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
