/** Faults of group D (sections 4.4 and 8). */
import { type SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import { salesTotals } from '../model/sales-totals.ts';
import type { Figure, PerformanceRow, Query } from '../model/types.ts';
import { onAnswer, onAvailable, onPerformance, onRequest, PERFORMANCE_NAMES } from './hooks.ts';
import type { Fault, Hooks } from './types.ts';

type FigureName = (typeof SALES_FIGURES)[number];
type FilterName = (typeof SALES_FILTERS)[number];

const inLastRow = <T>(rows: readonly T[], change: (row: T) => T): readonly T[] =>
  rows.map((row, at) => (at === rows.length - 1 ? change(row) : row));

const without = <R extends object>(row: R, name: keyof R): R => ({ ...row, [name]: undefined });

/** Makes the performance operations ignore these filters. */
const unfiltered = (...names: readonly FilterName[]): Hooks =>
  onRequest(PERFORMANCE_NAMES, (query) =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name as FilterName))),
  );

const hasFilter = (query: Query): boolean => SALES_FILTERS.some((name) => query[name] !== undefined);

const figureInLast = (name: FigureName, value: Figure): Hooks =>
  onPerformance(PERFORMANCE_NAMES, (rows) => inLastRow(rows, (row) => ({ ...row, [name]: value })));

const swapFigures = (one: FigureName, other: FigureName): Hooks =>
  onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row) => ({ ...row, [one]: row[other], [other]: row[one] })));

export const RETAIL_MEASUREMENT_FAULTS = [
  {
    name: 'metadata-brand-of-another-manufacturer',
    statement: 'D.metadata',
    says: 'Metadata lists the brand Old Mill under another manufacturer than performance rows.',
    hooks: onAvailable((rows) => {
      const other = rows.find(({ brand }) => brand !== 'Old Mill')?.manufacturer;
      return rows.map((row) => (row.brand === 'Old Mill' && other ? { ...row, manufacturer: other } : row));
    }),
  },
  {
    name: 'metadata-sub-category-of-another-category',
    statement: 'D.metadata',
    says: 'Metadata lists the sub-category Bread under another category than performance rows.',
    hooks: onAvailable((rows) => {
      const other = rows.find(({ subCategory }) => subCategory !== 'Bread')?.category;
      return rows.map((row) => (row.subCategory === 'Bread' && other ? { ...row, category: other } : row));
    }),
  },
  {
    name: 'metadata-misses-a-category',
    statement: 'D.metadata',
    says: 'Metadata lacks a category that performance rows name.',
    hooks: onAvailable((rows) => rows.filter(({ category }) => category !== 'Coffee')),
  },
  {
    name: 'metadata-misses-a-sub-category',
    statement: 'D.metadata',
    says: 'Metadata lacks a sub-category that performance rows name.',
    hooks: onAvailable((rows) => rows.filter(({ subCategory }) => subCategory !== 'Bread')),
  },
  {
    name: 'metadata-misses-a-manufacturer',
    statement: 'D.metadata',
    says: 'Metadata lacks a manufacturer that performance rows name.',
    hooks: onAvailable((rows) => rows.filter(({ manufacturer }) => manufacturer !== 'Nestor & Sons')),
  },
  {
    name: 'metadata-misses-a-brand',
    statement: 'D.metadata',
    says: 'Metadata lacks a brand that performance rows name.',
    hooks: onAvailable((rows) => rows.filter(({ brand }) => brand !== 'Old Mill')),
  },
  {
    name: 'metadata-without-sub-categories',
    statement: 'D.metadata',
    says: 'Metadata lists no sub-categories.',
    hooks: onAvailable((rows) => rows.map(({ subCategory: _, ...row }) => row)),
  },
  {
    name: 'metadata-empty',
    statement: 'D.metadata',
    says: 'Metadata is empty, although performance rows have names.',
    hooks: onAvailable(() => []),
  },
  {
    name: 'metadata-unsold-brand',
    statement: 'D.metadata',
    says: 'Metadata lists a manufacturer and brand that no performance row names.',
    strict: true,
    hooks: onAvailable((rows) => inLastRow(rows, (row) => ({ ...row, manufacturer: 'Nobody', brand: 'Nothing' }))),
  },
  {
    name: 'category-row-without-category',
    statement: 'D.category-performance',
    says: 'One row of CategoryPerformance has no category.',
    hooks: onPerformance(['categoryPerformance'], (rows) => inLastRow(rows, (row) => without(row, 'category'))),
  },
  {
    name: 'category-row-twice',
    statement: 'D.category-performance',
    says: 'One pair of category and sub-category has two rows with different figures.',
    strict: true,
    hooks: onPerformance(['categoryPerformance'], (rows) => [
      ...rows,
      ...rows.slice(-1).map((row) => ({ ...row, sales4Weeks: 1 })),
    ]),
  },
  {
    name: 'category-rows-miss-one',
    statement: 'D.category-performance',
    says: 'CategoryPerformance without a filter lacks the row of one sub-category.',
    hooks: onPerformance(['categoryPerformance'], (rows, { query }) => (hasFilter(query) ? rows : rows.slice(0, -1))),
  },
  {
    name: 'brand-row-without-brand',
    statement: 'D.brand-performance',
    says: 'One row of BrandPerformance has no brand.',
    hooks: onPerformance(['brandPerformance'], (rows) => inLastRow(rows, (row) => without(row, 'brand'))),
  },
  {
    name: 'brand-row-without-manufacturer',
    statement: 'D.brand-performance',
    says: 'One row of BrandPerformance has no manufacturer.',
    hooks: onPerformance(['brandPerformance'], (rows) => inLastRow(rows, (row) => without(row, 'manufacturer'))),
  },
  {
    name: 'brand-row-twice',
    statement: 'D.brand-performance',
    says: 'One brand has two rows with the same names.',
    hooks: onPerformance(['brandPerformance'], (rows) => [...rows, ...rows.slice(-1)]),
  },
  {
    name: 'figure-missing-in-one-row',
    statement: 'D.five-figures',
    says: 'One row lacks its sales of the last 12 weeks.',
    hooks: figureInLast('sales12Weeks', undefined),
  },
  {
    name: 'figure-null-in-one-row',
    statement: 'D.five-figures',
    says: 'One row has null for its sales of the last 52 weeks.',
    hooks: figureInLast('sales52Weeks', null),
  },
  {
    name: 'figure-text-in-one-row',
    statement: 'D.five-figures',
    says: 'One row has the text n/a for its sales of the last 4 weeks.',
    hooks: figureInLast('sales4Weeks', 'n/a'),
  },
  {
    name: 'last-year-missing',
    statement: 'D.five-figures',
    says: 'No row has sales of last year.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row) => without(row, 'salesLastYear'))),
  },
  {
    name: 'percent-missing',
    statement: 'D.five-figures',
    says: 'No row has a percentage change.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row) => without(row, 'percentChange'))),
  },
  {
    name: 'percent-missing-in-one-row',
    statement: 'D.five-figures',
    says: 'One row with sales of last year has no percentage change.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) => {
      const at = rows.findIndex((row) => row.salesLastYear !== 0);
      return rows.map((row, each): PerformanceRow => (each === at ? without(row, 'percentChange') : row));
    }),
  },
  {
    name: 'foreign-market-in-one-row',
    statement: 'D.market',
    says: 'One row is for Total Canada.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) => inLastRow(rows, (row) => ({ ...row, market: 'Total Canada' }))),
  },
  {
    name: 'market-missing-in-one-row',
    statement: 'D.market',
    says: 'One row has no market; all other rows have one.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) => inLastRow(rows, (row) => without(row, 'market'))),
  },
  {
    name: 'filter-breaks-on-a-brand',
    statement: 'D.filters',
    says: 'The filter by one brand fails with 500; the filter by every other brand works.',
    hooks: onAnswer('performance', (answer, { query }) =>
      query.brand === 'Old Mill' ? { kind: 'internalError', why: 'the name does not go into the query' } : answer,
    ),
  },
  {
    name: 'foreign-market',
    statement: 'D.market',
    says: 'Every row of both performance operations is for Total Canada.',
    hooks: onAnswer('performance', (answer) => ({
      ...answer,
      market: 'Total Canada',
      rows: answer.rows.map((row) => ({ ...row, market: 'Total Canada' })),
    })),
  },
  {
    name: 'filters-ignored',
    statement: 'D.filters',
    says: 'All filters are ignored: the response always has every row.',
    hooks: unfiltered(...SALES_FILTERS),
  },
  {
    name: 'category-filter-ignored',
    statement: 'D.filters',
    says: 'The filter by category name is ignored.',
    hooks: unfiltered('category'),
  },
  {
    name: 'sub-category-filter-ignored',
    statement: 'D.filters',
    says: 'The filter by sub-category name is ignored.',
    hooks: unfiltered('subCategory'),
  },
  {
    name: 'manufacturer-filter-ignored',
    statement: 'D.filters',
    says: 'The filter by manufacturer name is ignored.',
    hooks: unfiltered('manufacturer'),
  },
  {
    name: 'brand-filter-ignored',
    statement: 'D.filters',
    says: 'The filter by brand name is ignored.',
    hooks: unfiltered('brand'),
  },
  {
    name: 'manufacturer-filter-leaks',
    statement: 'D.filters',
    says: 'The rows filtered by manufacturer end with one row of another manufacturer.',
    hooks: onPerformance(['brandPerformance'], (rows, { query, world }) => {
      if (query.manufacturer === undefined || rows.length === 0) return rows;
      const all = world.sales.byBrand(world.clock.asOf(), {});
      return [...rows, ...all.filter((row) => row.manufacturer !== query.manufacturer).slice(0, 1)];
    }),
  },
  {
    name: 'brand-filter-by-prefix',
    statement: 'D.filters',
    says: 'The filter by brand matches by prefix: Sun also returns the rows of Sunny & Bright.',
    hooks: onPerformance(['brandPerformance'], (rows, { query, world }) => {
      const { brand, ...others } = query;
      if (brand === undefined) return rows;
      return world.sales.byBrand(world.clock.asOf(), others).filter((row) => row.brand?.startsWith(brand));
    }),
  },
  {
    name: 'filter-drops-rows',
    statement: 'D.filters',
    says: 'Filtered lists lack their last row.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query }) => (hasFilter(query) ? rows.slice(0, -1) : rows)),
  },
  {
    name: 'filter-fails-on-ampersand-names',
    statement: 'D.filters',
    says: 'Names are cut off at an ampersand, so their filtered lists are empty.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query }) =>
      SALES_FILTERS.some((name) => query[name]?.includes('&')) ? [] : rows,
    ),
  },
  {
    name: 'windows-4-and-12-swapped',
    statement: 'D.windows',
    says: 'The sales of the last 4 weeks and of the last 12 weeks are swapped.',
    strict: true,
    hooks: swapFigures('sales4Weeks', 'sales12Weeks'),
  },
  {
    name: 'windows-4-and-52-swapped',
    statement: 'D.windows',
    says: 'The sales of the last 4 weeks and of the last 52 weeks are swapped.',
    strict: true,
    hooks: swapFigures('sales4Weeks', 'sales52Weeks'),
  },
  {
    name: 'windows-12-and-52-swapped',
    statement: 'D.windows',
    says: 'The sales of the last 12 weeks and of the last 52 weeks are swapped, although the profile promises that longer windows have no lower sales.',
    dialects: ['reference', 'hypermedia', 'tabular', 'xml', 'statistics', 'soap'],
    hooks: swapFigures('sales12Weeks', 'sales52Weeks'),
  },
  {
    name: 'percent-as-fraction',
    statement: 'D.five-figures',
    says: 'The percentage change is a fraction; the profile states percent of the sales of 52 weeks.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows) =>
      rows.map((row) => ({
        ...row,
        percentChange: typeof row.percentChange === 'number' ? row.percentChange / 100 : row.percentChange,
      })),
    ),
  },
  {
    name: 'category-is-not-the-sum',
    statement: 'D.category-performance',
    says: 'The sales of 12 weeks of one category row are three dollars more than the sum of its brand rows.',
    hooks: onPerformance(['categoryPerformance'], (rows) =>
      inLastRow(rows, (row) => ({
        ...row,
        sales12Weeks: typeof row.sales12Weeks === 'number' ? row.sales12Weeks + 3 : row.sales12Weeks,
      })),
    ),
  },
  {
    name: 'category-is-not-the-sum-among-brand-totals',
    statement: 'D.category-performance',
    says: 'The sales of one category row differ from the sum of its brand rows, which BrandPerformance also returns as a total.',
    dialects: ['reference', 'xml'],
    hooks: onPerformance(['categoryPerformance', 'brandPerformance'], (rows, { operation, query }) => {
      if (operation.name === 'categoryPerformance')
        return inLastRow(rows, (row) => ({
          ...row,
          sales52Weeks: typeof row.sales52Weeks === 'number' ? row.sales52Weeks + 3 : row.sales52Weeks,
        }));
      const isWhole = query.manufacturer === undefined && query.brand === undefined;
      return isWhole ? [...rows, ...salesTotals(rows, ['category', 'subCategory'])] : rows;
    }),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/BrandPerformance': {
          response: {
            fields: { manufacturer: { nullable: true, required: false }, brand: { nullable: true, required: false } },
          },
        },
      },
    },
  },
  {
    name: 'category-row-missing',
    statement: 'D.category-performance',
    says: 'CategoryPerformance lacks one sub-category that brand rows name, in every response.',
    hooks: onPerformance(['categoryPerformance'], (rows) => rows.filter(({ subCategory }) => subCategory !== 'Bread')),
  },
  {
    name: 'brand-rows-missing',
    statement: 'D.category-performance',
    says: 'BrandPerformance lacks all brands of one sub-category that has a category row, in every response.',
    hooks: onPerformance(['brandPerformance'], (rows) => rows.filter(({ subCategory }) => subCategory !== 'Bread')),
  },
  {
    name: 'category-below-its-brands',
    statement: 'D.category-performance',
    says: 'The sales of 4 weeks of category rows are half the sum of their brand rows.',
    profile: { figures: { sums: 'atLeast' } },
    hooks: onPerformance(['categoryPerformance'], (rows) =>
      rows.map((row) => ({
        ...row,
        sales4Weeks: typeof row.sales4Weeks === 'number' ? row.sales4Weeks / 2 : row.sales4Weeks,
      })),
    ),
  },
] as const satisfies readonly Fault[];
