/** Faults of group D (sections 4.4 and 8). */
import { type SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import {
  type CellsOf,
  drop,
  every,
  failing,
  inMarket,
  isFilteredSales,
  last,
  plus,
  salesFiltersOf,
  when,
} from '../deviations/changes.ts';
import {
  dropLast,
  onAnswer,
  onAvailable,
  onBrandSales,
  onCategorySales,
  onRequest,
  onSales,
  PERFORMANCE_NAMES,
  repeatLast,
  stating,
} from '../deviations/places.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { salesTotals } from '../model/sales.ts';
import type { PerformanceRow, SalesNames } from '../model/types.ts';
import { type Fault, inD } from './fault.ts';

type FigureName = (typeof SALES_FIGURES)[number];
type FilterName = (typeof SALES_FILTERS)[number];

/** Makes the performance operations ignore these filters. */
const unfiltered = (...names: readonly FilterName[]): Hooks =>
  onRequest(PERFORMANCE_NAMES, () => Object.fromEntries(names.map((name) => [name, undefined])));

const swapFigures = (one: FigureName, other: FigureName): Hooks =>
  onSales(every((row) => ({ [one]: row[other], [other]: row[one] })));

/** Metadata without the rows of one name. */
const lacking = (name: string, what: string, field: FilterName, value: string): Fault =>
  inD(name, 'D.metadata', {
    says: `Metadata lacks ${what} that performance rows name.`,
    hooks: onAvailable(drop((row) => row[field] === value)),
  });

/** Metadata that lists one name below that of another row. */
const listedBelowAnother = (field: FilterName, name: string, above: FilterName): Hooks =>
  onAvailable((rows, context) => {
    const other = rows.find((row) => row[field] !== name)?.[above];
    return every<SalesNames>((row) => row[field] === name && other && { [above]: other })(rows, context);
  });

/** A figure divided by a number. */
const divided = (name: 'sales4Weeks' | 'percentChange', by: number) =>
  every<PerformanceRow>(({ [name]: figure }) => typeof figure === 'number' && { [name]: figure / by });

export const isOfAllBrands = ({ query }: Context): boolean =>
  query.manufacturer === undefined && query.brand === undefined;

/** The profile of BrandPerformance with rows for totals. */
export const WITH_BRAND_TOTALS = stating(['brandPerformance'], {
  response: {
    fields: { manufacturer: { nullable: true, required: false }, brand: { nullable: true, required: false } },
  },
});

/** One row of both performance operations, or of one, differs. */
const oneRow = (
  name: string,
  statement: Fault['statement'],
  what: string,
  cells: CellsOf<PerformanceRow>,
  on = onSales,
): Fault => inD(name, statement, { says: `One row${what}.`, hooks: on(last(cells)) });

export const RETAIL_MEASUREMENT_FAULTS = [
  inD('metadata-brand-of-another-manufacturer', 'D.metadata', {
    says: 'Metadata lists the brand Old Mill under another manufacturer than performance rows.',
    hooks: listedBelowAnother('brand', 'Old Mill', 'manufacturer'),
  }),
  inD('metadata-sub-category-of-another-category', 'D.metadata', {
    says: 'Metadata lists the sub-category Bread under another category than performance rows.',
    hooks: listedBelowAnother('subCategory', 'Bread', 'category'),
  }),
  lacking('metadata-misses-a-category', 'a category', 'category', 'Coffee'),
  lacking('metadata-misses-a-sub-category', 'a sub-category', 'subCategory', 'Bread'),
  lacking('metadata-misses-a-manufacturer', 'a manufacturer', 'manufacturer', 'Nestor & Sons'),
  lacking('metadata-misses-a-brand', 'a brand', 'brand', 'Old Mill'),
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
  oneRow(
    'category-row-without-category',
    'D.category-performance',
    ' of CategoryPerformance has no category',
    { category: undefined },
    onCategorySales,
  ),
  inD('category-row-twice', 'D.category-performance', {
    says: 'One pair of category and sub-category has two rows with different figures.',
    strict: true,
    hooks: onCategorySales((rows) => [...rows, ...rows.slice(-1).map((row) => ({ ...row, sales4Weeks: 1 }))]),
  }),
  inD('category-rows-miss-one', 'D.category-performance', {
    says: 'CategoryPerformance without a filter lacks the row of one sub-category.',
    hooks: onCategorySales(when((context) => !isFilteredSales(context), dropLast)),
  }),
  oneRow(
    'brand-row-without-brand',
    'D.brand-performance',
    ' of BrandPerformance has no brand',
    { brand: undefined },
    onBrandSales,
  ),
  oneRow(
    'brand-row-without-manufacturer',
    'D.brand-performance',
    ' of BrandPerformance has no manufacturer',
    { manufacturer: undefined },
    onBrandSales,
  ),
  inD('brand-row-twice', 'D.brand-performance', {
    says: 'One brand has two rows with the same names.',
    hooks: onBrandSales(repeatLast),
  }),
  oneRow('figure-missing-in-one-row', 'D.five-figures', ' lacks its sales of the last 12 weeks', {
    sales12Weeks: undefined,
  }),
  oneRow('figure-null-in-one-row', 'D.five-figures', ' has null for its sales of the last 52 weeks', {
    sales52Weeks: null,
  }),
  oneRow('figure-text-in-one-row', 'D.five-figures', ' has the text n/a for its sales of the last 4 weeks', {
    sales4Weeks: 'n/a',
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
  oneRow('foreign-market-in-one-row', 'D.market', ' is for Total Canada', { market: 'Total Canada' }),
  oneRow('market-missing-in-one-row', 'D.market', ' has no market; all other rows have one', { market: undefined }),
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
  ...(['category', 'subCategory', 'manufacturer', 'brand'] as const).map((input) => {
    const word = input === 'subCategory' ? 'sub-category' : input;
    const says = `The filter by ${word} name is ignored.`;
    return inD(`${word}-filter-ignored`, 'D.filters', { says, hooks: unfiltered(input) });
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
