/** Faults of filtered lists whose unfiltered list is correct (sections 4.3 and 4.4). */
import type { OperationName } from '../../src/contract/index.ts';
import { failing, inMarket, isFilteredSales, last, plus, salesFiltersOf, when } from '../deviations/changes.ts';
import {
  dropLast,
  isFiltered,
  onAnswer,
  onBulk,
  onFiltered,
  onRequest,
  onSales,
  PERFORMANCE_NAMES,
  repeatLast,
  stating,
} from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import type { PerformanceRow, Query } from '../model/types.ts';
import { inC, inD } from './fault.ts';

/** Adds to a figure of the last row of a filtered response. */
const onFilteredSales = (name: OperationName, ...more: Parameters<typeof plus>): Hooks =>
  onSales(when(isFilteredSales, last<PerformanceRow>(plus(...more))), [name]);

/** The dialects with both inputs for a category. */
const BOTH_FILTERS = ['reference', 'soap', 'statistics'] as const;
const isByNameAlone = ({ query }: { readonly query: Query }): boolean =>
  query.category !== undefined && query.categoryId === undefined;
const isByIdAlone = ({ query }: { readonly query: Query }): boolean =>
  query.category === undefined && query.categoryId !== undefined;

/** What the implementer states about unknown names. */
const refusesUnknown = (...names: readonly OperationName[]) => stating(names, { statuses: { unknown: [404] } });

/** The dialects whose filters take names, without a code for each. */
const FILTERING_BY_NAME = ['reference', 'hypermedia', 'xml', 'terse'] as const;

/** A page that is smaller than those of the dialects, and not the first one. */
const isLaterSmallPage = ({ offset = 0, limit = Number.POSITIVE_INFINITY }: Query): boolean => offset > 0 && limit < 20;

/** The delta of other windows is that of 4 weeks. */
export const asFourWeeks = (...windows: readonly number[]): Hooks =>
  onRequest(['updateProducts'], ({ window = 0 }) => windows.includes(window) && { window: 4 });

export const FILTERED_LIST_FAULTS = [
  inC('delta-of-any-window', 'C.delta-windows', {
    says: 'The delta of 2 or 3 weeks is that of 4 weeks, although the profile states that it is refused.',
    dialects: ['reference'],
    hooks: asFourWeeks(2, 3),
  }),
  inC('delta-of-two-weeks', 'C.delta-windows', {
    says: 'The delta of 2 weeks is that of 4 weeks, although the profile states that it is refused; that of 3 weeks is refused.',
    dialects: ['reference'],
    hooks: asFourWeeks(2),
  }),
  inC('small-pages-lose-a-row', 'operation.served', {
    says: 'Each page but the first lacks a row if pages of less than 20 rows are requested.',
    dialects: ['xml'],
    hooks: onRequest(
      undefined,
      (query, { operation: { group } }) =>
        group === 'C' && isLaterSmallPage(query) && { offset: (query.offset ?? 0) + 1 },
    ),
  }),
  inC('small-pages-forget-the-filter', 'operation.served', {
    says: 'Later pages of the bulk list are of the whole list, not of the filtered one, if pages of less than 20 rows are requested.',
    dialects: ['xml'],
    hooks: onRequest(['allProducts'], (query) => isLaterSmallPage(query) && { category: undefined }),
  }),
  inC('unknown-category-answered', 'C.category-filter', {
    says: 'The bulk list of an unknown category contains the products of another one; the profile states that it is refused.',
    profile: refusesUnknown('allProducts'),
    dialects: FILTERING_BY_NAME,
    hooks: onFiltered((rows, { world }) => {
      const isEmpty = rows[Symbol.iterator]().next().done === true;
      const other = isEmpty && world.answer('allProducts', { category: 'Tea' });
      return other && other.kind === 'products' ? other.rows : rows;
    }),
  }),
  inD('unknown-name-answered', 'D.filters', {
    says: 'The performance of an unknown name is that of all names; the profile states that it is refused.',
    profile: refusesUnknown(...PERFORMANCE_NAMES),
    dialects: FILTERING_BY_NAME,
    hooks: onSales((rows, context) => {
      const isUnknown = rows.length === 0 && salesFiltersOf(context).length === 1;
      const all = isUnknown && context.world.answer(context.operation.name, {});
      return all && all.kind === 'performance' ? all.rows : rows;
    }),
  }),
  inD('unknown-brand-answered', 'D.filters', {
    says: 'The performance of an unknown brand is that of all brands, and other unknown names are refused; the profile states that each is.',
    profile: refusesUnknown('brandPerformance'),
    dialects: FILTERING_BY_NAME,
    hooks: onAnswer('performance', (answer, context) => {
      const { world, operation, query } = context;
      const [input, ...others] = salesFiltersOf(context);
      if (answer.rows.length > 0 || input === undefined || others.length > 0) return answer;
      return input === 'brand'
        ? world.answer(operation.name, {})
        : { kind: 'unknown', input, value: String(query[input]) };
    }),
  }),
  inC('filter-by-id-alone-ignored', 'C.category-filter', {
    says: 'The bulk list filtered by the id of a category alone is the whole list; with the name, it is filtered.',
    dialects: BOTH_FILTERS,
    hooks: onRequest(['allProducts'], (query) => isByIdAlone({ query }) && { categoryId: undefined }),
  }),
  inC('filter-by-name-alone-ignored', 'C.category-filter', {
    says: 'The bulk list filtered by the name of a category alone is the whole list; with the id, it is filtered.',
    dialects: BOTH_FILTERS,
    hooks: onRequest(['allProducts'], (query) => isByNameAlone({ query }) && { category: undefined }),
  }),
  inC('filter-by-name-alone-misses-one', 'C.category-filter', {
    says: 'The bulk list filtered by the name of a category alone lacks its last product.',
    dialects: BOTH_FILTERS,
    hooks: onBulk(when(isByNameAlone, dropLast)),
  }),
  inC('filter-by-id-alone-knows-more', 'C.bulk', {
    says: 'The bulk list filtered by the id of a category alone contains a product that the whole list lacks.',
    dialects: BOTH_FILTERS,
    hooks: onBulk(when(isByIdAlone, last({ upc: '999999999993' }))),
  }),
  inC('filter-by-id-alone-breaks', 'C.category-filter', {
    says: 'The bulk list filtered by the id of a category alone fails with 500, for every second category.',
    dialects: BOTH_FILTERS,
    hooks: onAnswer(
      'products',
      when((context) => isByIdAlone(context) && /[02468]$/.test(context.query.categoryId ?? ''), failing('no index')),
    ),
  }),
  inD('filtered-rows-of-another-market', 'D.market', {
    says: 'The rows of a filtered response of BrandPerformance are for Total Canada.',
    hooks: onAnswer(
      'performance',
      when(
        (context) => context.operation.name === 'brandPerformance' && isFilteredSales(context),
        inMarket('Total Canada'),
      ),
    ),
  }),
  inD('filtered-rows-of-a-region', 'D.market', {
    says: 'Every row of the responses filtered by a brand is for Total West; the profile names no market.',
    profile: { markets: null },
    hooks: onAnswer(
      'performance',
      when(({ query }) => query.brand !== undefined, inMarket('Total West')),
    ),
  }),
  inD('filtered-percent-change-wrong', 'D.five-figures', {
    says: 'The percentage change of the last row of a filtered response of CategoryPerformance is wrong.',
    hooks: onFilteredSales('categoryPerformance', 'percentChange', 5),
  }),
  inD('filtered-category-figure-wrong', 'D.category-performance', {
    says: 'The last row of a filtered response of CategoryPerformance has other sales of 12 weeks than in the unfiltered one.',
    hooks: onFilteredSales('categoryPerformance', 'sales12Weeks', 10),
  }),
  inD('filtered-brand-figure-wrong', 'D.brand-performance', {
    says: 'The last row of a filtered response of BrandPerformance has other sales of 12 weeks than in the unfiltered one.',
    hooks: onFilteredSales('brandPerformance', 'sales12Weeks', 10),
  }),
  inC('filtered-products-of-another-market', 'C.us-market', {
    says: 'The products of a filtered bulk list belong to the Canadian market.',
    hooks: onAnswer('products', when(isFiltered, inMarket('CA'))),
  }),
  inC('filtered-products-of-an-unnamed-market', 'C.us-market', {
    says: 'The products of a filtered bulk list belong to the Canadian market; the profile names no market.',
    profile: { markets: null },
    hooks: onAnswer('products', when(isFiltered, inMarket('CA'))),
  }),
  inC('filtered-product-twice', 'C.category-filter', {
    says: 'Each filtered bulk list contains its last product twice.',
    hooks: onFiltered(repeatLast),
  }),
  inC('filtered-product-of-another-brand', 'C.category-filter', {
    says: 'The last product of each filtered bulk list has another brand there than in the unfiltered list.',
    dialects: ['reference', 'xml'],
    hooks: onFiltered(last(({ brand }) => ({ brand: `${brand} Extra` }))),
  }),
  inC('filtered-product-changed-another-day', 'C.category-filter', {
    says: 'The last product of each filtered bulk list has another date of change there than in the unfiltered list.',
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    hooks: onFiltered(last(({ activeOn, changedOn = activeOn }) => ({ changedOn: changedOn - 7 }))),
  }),
  inC('filtered-upc-11-digits', 'C.upc-12', {
    says: 'The last product of a filtered bulk list has a UPC of 11 digits.',
    hooks: onFiltered(last(({ upc }) => ({ upc: upc.slice(1) }))),
  }),
];
