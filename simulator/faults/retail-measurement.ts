/** Faults of group D (sections 4.4 and 8). */
import { type SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import {
  type CellsOf,
  drop,
  every,
  failing,
  inMarket,
  last,
  plus,
  salesFiltersOf,
  when,
} from '../deviations/changes.ts';
import {
  onAnswer,
  onAvailable,
  onBrandSales,
  onCategorySales,
  onRequest,
  onSales,
  PERFORMANCE_NAMES,
  stating,
} from '../deviations/places.ts';
import { dropLast, repeatLast } from '../deviations/rows.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { salesTotals } from '../model/sales-totals.ts';
import type { PerformanceRow, SalesNames } from '../model/types.ts';
import { inD } from './fault.ts';

type FigureName = (typeof SALES_FIGURES)[number];
type FilterName = (typeof SALES_FILTERS)[number];

/** Makes the performance operations ignore these filters. */
const unfiltered = (...names: readonly FilterName[]): Hooks =>
  onRequest(PERFORMANCE_NAMES, (query) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name as FilterName))),
  );

const isFilteredSales = (context: Context): boolean => salesFiltersOf(context).length > 0;

const inLast = (cells: CellsOf<PerformanceRow>): Hooks => onSales(last(cells));

const swapFigures = (one: FigureName, other: FigureName): Hooks =>
  onSales(every((row) => ({ [one]: row[other], [other]: row[one] })));

/** Metadata without the rows of one name. */
const lacking = (field: FilterName, name: string): Hooks => onAvailable(drop((row) => row[field] === name));

/** Metadata that lists one name below that of another row. */
const listedBelowAnother = (field: FilterName, name: string, above: FilterName): Hooks =>
  onAvailable((rows, context) => {
    const other = rows.find((row) => row[field] !== name)?.[above];
    return every<SalesNames>((row) => (row[field] === name && other ? { [above]: other } : {}))(rows, context);
  });

/** A figure divided by a number. */
const divided = (name: 'sales4Weeks' | 'percentChange', by: number) =>
  every<PerformanceRow>(({ [name]: figure }) => (typeof figure === 'number' ? { [name]: figure / by } : {}));

export const isOfAllBrands = ({ query }: Context): boolean =>
  query.manufacturer === undefined && query.brand === undefined;

/** The profile of BrandPerformance with rows for totals. */
export const WITH_BRAND_TOTALS = stating(['brandPerformance'], {
  response: {
    fields: { manufacturer: { nullable: true, required: false }, brand: { nullable: true, required: false } },
  },
});

export const RETAIL_MEASUREMENT_FAULTS = [
  inD('metadata-brand-of-another-manufacturer', 'D.metadata', {
    says: 'Metadata lists the brand Old Mill under another manufacturer than performance rows.',
    hooks: listedBelowAnother('brand', 'Old Mill', 'manufacturer'),
  }),
  inD('metadata-sub-category-of-another-category', 'D.metadata', {
    says: 'Metadata lists the sub-category Bread under another category than performance rows.',
    hooks: listedBelowAnother('subCategory', 'Bread', 'category'),
  }),
  inD('metadata-misses-a-category', 'D.metadata', {
    says: 'Metadata lacks a category that performance rows name.',
    hooks: lacking('category', 'Coffee'),
  }),
  inD('metadata-misses-a-sub-category', 'D.metadata', {
    says: 'Metadata lacks a sub-category that performance rows name.',
    hooks: lacking('subCategory', 'Bread'),
  }),
  inD('metadata-misses-a-manufacturer', 'D.metadata', {
    says: 'Metadata lacks a manufacturer that performance rows name.',
    hooks: lacking('manufacturer', 'Nestor & Sons'),
  }),
  inD('metadata-misses-a-brand', 'D.metadata', {
    says: 'Metadata lacks a brand that performance rows name.',
    hooks: lacking('brand', 'Old Mill'),
  }),
  inD('metadata-without-sub-categories', 'D.metadata', {
    says: 'Metadata lists no sub-categories.',
    hooks: onAvailable((rows) => rows.map(({ subCategory: _, ...row }) => row)),
  }),
  inD('metadata-empty', 'D.metadata', {
    says: 'Metadata is empty, although performance rows have names.',
    hooks: onAvailable(() => []),
  }),
  inD('metadata-unsold-brand', 'D.metadata', {
    says: 'Metadata lists a manufacturer and brand that no performance row names.',
    strict: true,
    hooks: onAvailable(last({ manufacturer: 'Nobody', brand: 'Nothing' })),
  }),
  inD('category-row-without-category', 'D.category-performance', {
    says: 'One row of CategoryPerformance has no category.',
    hooks: onCategorySales(last({ category: undefined })),
  }),
  inD('category-row-twice', 'D.category-performance', {
    says: 'One pair of category and sub-category has two rows with different figures.',
    strict: true,
    hooks: onCategorySales((rows) => [...rows, ...rows.slice(-1).map((row) => ({ ...row, sales4Weeks: 1 }))]),
  }),
  inD('category-rows-miss-one', 'D.category-performance', {
    says: 'CategoryPerformance without a filter lacks the row of one sub-category.',
    hooks: onCategorySales(when((context) => !isFilteredSales(context), dropLast)),
  }),
  inD('brand-row-without-brand', 'D.brand-performance', {
    says: 'One row of BrandPerformance has no brand.',
    hooks: onBrandSales(last({ brand: undefined })),
  }),
  inD('brand-row-without-manufacturer', 'D.brand-performance', {
    says: 'One row of BrandPerformance has no manufacturer.',
    hooks: onBrandSales(last({ manufacturer: undefined })),
  }),
  inD('brand-row-twice', 'D.brand-performance', {
    says: 'One brand has two rows with the same names.',
    hooks: onBrandSales(repeatLast),
  }),
  inD('figure-missing-in-one-row', 'D.five-figures', {
    says: 'One row lacks its sales of the last 12 weeks.',
    hooks: inLast({ sales12Weeks: undefined }),
  }),
  inD('figure-null-in-one-row', 'D.five-figures', {
    says: 'One row has null for its sales of the last 52 weeks.',
    hooks: inLast({ sales52Weeks: null }),
  }),
  inD('figure-text-in-one-row', 'D.five-figures', {
    says: 'One row has the text n/a for its sales of the last 4 weeks.',
    hooks: inLast({ sales4Weeks: 'n/a' }),
  }),
  inD('last-year-missing', 'D.five-figures', {
    says: 'No row has sales of last year.',
    hooks: onSales(every({ salesLastYear: undefined })),
  }),
  inD('percent-missing', 'D.five-figures', {
    says: 'No row has a percentage change.',
    hooks: onSales(every({ percentChange: undefined })),
  }),
  inD('percent-missing-in-one-row', 'D.five-figures', {
    says: 'One row with sales of last year has no percentage change.',
    hooks: onSales((rows) => {
      const at = rows.findIndex((row) => row.salesLastYear !== 0);
      return rows.map((row, each) => (each === at ? { ...row, percentChange: undefined } : row));
    }),
  }),
  inD('foreign-market-in-one-row', 'D.market', {
    says: 'One row is for Total Canada.',
    hooks: inLast({ market: 'Total Canada' }),
  }),
  inD('market-missing-in-one-row', 'D.market', {
    says: 'One row has no market; all other rows have one.',
    hooks: inLast({ market: undefined }),
  }),
  inD('filter-breaks-on-a-brand', 'D.filters', {
    says: 'The filter by one brand fails with 500; the filter by every other brand works.',
    hooks: onAnswer(
      'performance',
      when(({ query }) => query.brand === 'Old Mill', failing('the name does not go into the query')),
    ),
  }),
  inD('foreign-market', 'D.market', {
    says: 'Every row of both performance operations is for Total Canada.',
    hooks: onAnswer('performance', inMarket('Total Canada')),
  }),
  inD('filters-ignored', 'D.filters', {
    says: 'All filters are ignored: the response always has every row.',
    hooks: unfiltered(...SALES_FILTERS),
  }),
  inD('category-filter-ignored', 'D.filters', {
    says: 'The filter by category name is ignored.',
    hooks: unfiltered('category'),
  }),
  inD('sub-category-filter-ignored', 'D.filters', {
    says: 'The filter by sub-category name is ignored.',
    hooks: unfiltered('subCategory'),
  }),
  inD('manufacturer-filter-ignored', 'D.filters', {
    says: 'The filter by manufacturer name is ignored.',
    hooks: unfiltered('manufacturer'),
  }),
  inD('brand-filter-ignored', 'D.filters', {
    says: 'The filter by brand name is ignored.',
    hooks: unfiltered('brand'),
  }),
  inD('manufacturer-filter-leaks', 'D.filters', {
    says: 'The rows filtered by manufacturer end with one row of another manufacturer.',
    hooks: onBrandSales((rows, { query, world }) => {
      if (query.manufacturer === undefined || rows.length === 0) return rows;
      const all = world.sales.byBrand(world.clock.asOf(), {});
      return [...rows, ...all.filter((row) => row.manufacturer !== query.manufacturer).slice(0, 1)];
    }),
  }),
  inD('brand-filter-by-prefix', 'D.filters', {
    says: 'The filter by brand matches by prefix: Sun also returns the rows of Sunny & Bright.',
    hooks: onBrandSales((rows, { query: { brand, ...others }, world }) =>
      brand === undefined
        ? rows
        : world.sales.byBrand(world.clock.asOf(), others).filter((row) => row.brand?.startsWith(brand)),
    ),
  }),
  inD('filter-drops-rows', 'D.filters', {
    says: 'Filtered lists lack their last row.',
    hooks: onSales(when(isFilteredSales, dropLast)),
  }),
  inD('filter-fails-on-ampersand-names', 'D.filters', {
    says: 'Names are cut off at an ampersand, so their filtered lists are empty.',
    hooks: onSales((rows, context) =>
      salesFiltersOf(context).some((name) => context.query[name]?.includes('&')) ? [] : rows,
    ),
  }),
  inD('windows-4-and-12-swapped', 'D.windows', {
    says: 'The sales of the last 4 weeks and of the last 12 weeks are swapped.',
    strict: true,
    hooks: swapFigures('sales4Weeks', 'sales12Weeks'),
  }),
  inD('windows-4-and-52-swapped', 'D.windows', {
    says: 'The sales of the last 4 weeks and of the last 52 weeks are swapped.',
    strict: true,
    hooks: swapFigures('sales4Weeks', 'sales52Weeks'),
  }),
  inD('windows-12-and-52-swapped', 'D.windows', {
    says: 'The sales of the last 12 weeks and of the last 52 weeks are swapped, although the profile promises that longer windows have no lower sales.',
    dialects: ['reference', 'hypermedia', 'tabular', 'xml', 'statistics', 'soap'],
    hooks: swapFigures('sales12Weeks', 'sales52Weeks'),
  }),
  inD('percent-as-fraction', 'D.five-figures', {
    says: 'The percentage change is a fraction; the profile states percent of the sales of 52 weeks.',
    hooks: onSales(divided('percentChange', 100)),
  }),
  inD('category-is-not-the-sum', 'D.category-performance', {
    says: 'The sales of 12 weeks of one category row are three dollars more than the sum of its brand rows.',
    hooks: onCategorySales(last(plus('sales12Weeks', 3))),
  }),
  inD('category-is-not-the-sum-among-brand-totals', 'D.category-performance', {
    says: 'The sales of one category row differ from the sum of its brand rows, which BrandPerformance also returns as a total.',
    dialects: ['reference', 'xml'],
    hooks: onSales((rows, context) => {
      if (context.operation.name === 'categoryPerformance')
        return last<PerformanceRow>(plus('sales52Weeks', 3))(rows, context);
      return isOfAllBrands(context) ? [...rows, ...salesTotals(rows, ['category', 'subCategory'])] : rows;
    }),
    profile: WITH_BRAND_TOTALS,
  }),
  inD('category-row-missing', 'D.category-performance', {
    says: 'CategoryPerformance lacks one sub-category that brand rows name, in every response.',
    hooks: onCategorySales(drop(({ subCategory }) => subCategory === 'Bread')),
  }),
  inD('brand-rows-missing', 'D.category-performance', {
    says: 'BrandPerformance lacks all brands of one sub-category that has a category row, in every response.',
    hooks: onBrandSales(drop(({ subCategory }) => subCategory === 'Bread')),
  }),
  inD('category-below-its-brands', 'D.category-performance', {
    says: 'The sales of 4 weeks of category rows are half the sum of their brand rows.',
    profile: { figures: { sums: 'atLeast' } },
    hooks: onCategorySales(divided('sales4Weeks', 2)),
  }),
];
