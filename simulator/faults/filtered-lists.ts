/** Faults of filtered lists whose unfiltered list is correct (sections 4.3 and 4.4). */
import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, SALES_FILTERS } from '../../src/contract/index.ts';
import type { DialectName } from '../dialects/names.ts';
import type { PerformanceRow, Query } from '../model/types.ts';
import { isFiltered, onAnswer, onBulk, onFiltered, onPerformance, onRequest } from './hooks.ts';
import { changeLast, dropLast, repeatLast } from './rows.ts';
import type { Fault, Hooks } from './types.ts';

const onFilteredPerformance = (
  operation: 'categoryPerformance' | 'brandPerformance',
  change: (row: PerformanceRow) => PerformanceRow,
): Hooks =>
  onPerformance([operation], (rows, { query }) =>
    SALES_FILTERS.some((each) => query[each] !== undefined)
      ? rows.map((row, at) => (at === rows.length - 1 ? change(row) : row))
      : rows,
  );

const more = (figure: PerformanceRow['sales12Weeks']) => (typeof figure === 'number' ? figure + 10 : figure);

/** The dialects with both inputs for a category. */
const BOTH_FILTERS: readonly DialectName[] = ['reference', 'soap', 'statistics'];

/** Whether the bulk list is filtered by one of the two inputs for a category alone. */
const isByNameAlone = ({ category, categoryId }: Query): boolean => category !== undefined && categoryId === undefined;
const isByIdAlone = ({ category, categoryId }: Query): boolean => category === undefined && categoryId !== undefined;

/** What the implementer states about unknown names. */
const UNKNOWN_REFUSED = (...keys: readonly string[]) => ({
  operations: Object.fromEntries(keys.map((key) => [key, { statuses: { unknown: [404] } }])),
});

/** The dialects whose filters take names, without a code for each. */
const FILTERING_BY_NAME = ['reference', 'hypermedia', 'xml', 'terse'] as const;

/** A page that is smaller than those of the dialects, and not the first one. */
const isLaterSmallPage = ({ offset = 0, limit = Number.POSITIVE_INFINITY }: Query): boolean => offset > 0 && limit < 20;

export const FILTERED_LIST_FAULTS = [
  {
    name: 'delta-of-any-window',
    statement: 'C.delta-windows',
    says: 'The delta of 2 or 3 weeks is that of 4 weeks, although the profile states that it is refused.',
    dialects: ['reference'],
    hooks: onRequest(['updateProducts'], (query) =>
      query.window === 2 || query.window === 3 ? { ...query, window: 4 } : query,
    ),
  },
  {
    name: 'delta-of-two-weeks',
    statement: 'C.delta-windows',
    says: 'The delta of 2 weeks is that of 4 weeks, although the profile states that it is refused; that of 3 weeks is refused.',
    dialects: ['reference'],
    hooks: onRequest(['updateProducts'], (query) => (query.window === 2 ? { ...query, window: 4 } : query)),
  },
  {
    name: 'small-pages-lose-a-row',
    statement: 'operation.served',
    group: 'C',
    says: 'Each page but the first lacks a row if pages of less than 20 rows are requested.',
    dialects: ['xml'],
    hooks: {
      query: (query, { operation }) =>
        operation.group === 'C' && isLaterSmallPage(query) ? { ...query, offset: (query.offset ?? 0) + 1 } : query,
    },
  },
  {
    name: 'small-pages-forget-the-filter',
    statement: 'operation.served',
    group: 'C',
    says: 'Later pages of the bulk list are of the whole list, not of the filtered one, if pages of less than 20 rows are requested.',
    dialects: ['xml'],
    hooks: onRequest(['allProducts'], (query) => (isLaterSmallPage(query) ? { ...query, category: undefined } : query)),
  },
  {
    name: 'unknown-category-answered',
    statement: 'C.category-filter',
    says: 'The bulk list of an unknown category contains the products of another one; the profile states that it is refused.',
    profile: UNKNOWN_REFUSED('GET /PLATFORMAPI/prodRef/v1/allProducts'),
    dialects: FILTERING_BY_NAME,
    hooks: onFiltered((rows, { world, query }) => {
      const isEmpty = rows[Symbol.iterator]().next().done === true;
      const other = isEmpty && isFiltered(query) && world.answer('allProducts', { category: 'Tea' });
      return other && other.kind === 'products' ? other.rows : rows;
    }),
  },
  {
    name: 'unknown-name-answered',
    statement: 'D.filters',
    says: 'The performance of an unknown name is that of all names; the profile states that it is refused.',
    profile: UNKNOWN_REFUSED(CATEGORY_PERFORMANCE, BRAND_PERFORMANCE),
    dialects: FILTERING_BY_NAME,
    hooks: onPerformance(['categoryPerformance', 'brandPerformance'], (rows, { world, operation, query }) => {
      const isUnknown = rows.length === 0 && SALES_FILTERS.filter((each) => query[each] !== undefined).length === 1;
      const all = isUnknown && world.answer(operation.name, {});
      return all && all.kind === 'performance' ? all.rows : rows;
    }),
  },
  {
    name: 'unknown-brand-answered',
    statement: 'D.filters',
    says: 'The performance of an unknown brand is that of all brands, and other unknown names are refused; the profile states that each is.',
    profile: UNKNOWN_REFUSED(BRAND_PERFORMANCE),
    dialects: FILTERING_BY_NAME,
    hooks: onAnswer('performance', (answer, { world, operation, query }) => {
      const [input, ...others] = SALES_FILTERS.filter((each) => query[each] !== undefined);
      if (answer.rows.length > 0 || input === undefined || others.length > 0) return answer;
      return input === 'brand'
        ? world.answer(operation.name, {})
        : { kind: 'unknown', input, value: String(query[input]) };
    }),
  },
  {
    name: 'filter-by-id-alone-ignored',
    statement: 'C.category-filter',
    says: 'The bulk list filtered by the id of a category alone is the whole list; with the name, it is filtered.',
    dialects: BOTH_FILTERS,
    hooks: onRequest(['allProducts'], (query) => (isByIdAlone(query) ? { ...query, categoryId: undefined } : query)),
  },
  {
    name: 'filter-by-name-alone-ignored',
    statement: 'C.category-filter',
    says: 'The bulk list filtered by the name of a category alone is the whole list; with the id, it is filtered.',
    dialects: BOTH_FILTERS,
    hooks: onRequest(['allProducts'], (query) => (isByNameAlone(query) ? { ...query, category: undefined } : query)),
  },
  {
    name: 'filter-by-name-alone-misses-one',
    statement: 'C.category-filter',
    says: 'The bulk list filtered by the name of a category alone lacks its last product.',
    dialects: BOTH_FILTERS,
    hooks: onBulk((rows, { query }) => (isByNameAlone(query) ? dropLast(rows) : rows)),
  },
  {
    name: 'filter-by-id-alone-knows-more',
    statement: 'C.bulk',
    says: 'The bulk list filtered by the id of a category alone contains a product that the whole list lacks.',
    dialects: BOTH_FILTERS,
    hooks: onBulk((rows, { query }) =>
      isByIdAlone(query) ? changeLast(rows, (row) => ({ ...row, upc: '999999999993' })) : rows,
    ),
  },
  {
    name: 'filter-by-id-alone-breaks',
    statement: 'C.category-filter',
    says: 'The bulk list filtered by the id of a category alone fails with 500, for every second category.',
    dialects: BOTH_FILTERS,
    hooks: onAnswer('products', (answer, { query }) =>
      isByIdAlone(query) && /[02468]$/.test(query.categoryId ?? '')
        ? { kind: 'internalError', why: 'no index' }
        : answer,
    ),
  },
  {
    name: 'filtered-rows-of-another-market',
    statement: 'D.market',
    says: 'The rows of a filtered response of BrandPerformance are for Total Canada.',
    hooks: onAnswer('performance', (answer, { operation, query }) =>
      operation.name === 'brandPerformance' && SALES_FILTERS.some((each) => query[each] !== undefined)
        ? {
            ...answer,
            market: 'Total Canada',
            rows: answer.rows.map((row) => ({ ...row, market: 'Total Canada' })),
          }
        : answer,
    ),
  },
  {
    name: 'filtered-rows-of-a-region',
    statement: 'D.market',
    says: 'Every row of the responses filtered by a brand is for Total West; the profile names no market.',
    profile: { markets: null },
    hooks: onAnswer('performance', (answer, { query }) =>
      query.brand === undefined
        ? answer
        : { ...answer, market: 'Total West', rows: answer.rows.map((row) => ({ ...row, market: 'Total West' })) },
    ),
  },
  {
    name: 'filtered-percent-change-wrong',
    statement: 'D.five-figures',
    says: 'The percentage change of the last row of a filtered response of CategoryPerformance is wrong.',
    hooks: onFilteredPerformance('categoryPerformance', (row) => ({
      ...row,
      percentChange: typeof row.percentChange === 'number' ? row.percentChange + 5 : row.percentChange,
    })),
  },
  {
    name: 'filtered-category-figure-wrong',
    statement: 'D.category-performance',
    says: 'The last row of a filtered response of CategoryPerformance has other sales of 12 weeks than in the unfiltered one.',
    hooks: onFilteredPerformance('categoryPerformance', (row) => ({ ...row, sales12Weeks: more(row.sales12Weeks) })),
  },
  {
    name: 'filtered-brand-figure-wrong',
    statement: 'D.brand-performance',
    says: 'The last row of a filtered response of BrandPerformance has other sales of 12 weeks than in the unfiltered one.',
    hooks: onFilteredPerformance('brandPerformance', (row) => ({ ...row, sales12Weeks: more(row.sales12Weeks) })),
  },
  {
    name: 'filtered-products-of-another-market',
    statement: 'C.us-market',
    says: 'The products of a filtered bulk list belong to the Canadian market.',
    hooks: onAnswer('products', (answer, { query }) =>
      isFiltered(query)
        ? { ...answer, market: 'CA', rows: Array.from(answer.rows, (row) => ({ ...row, market: 'CA' })) }
        : answer,
    ),
  },
  {
    name: 'filtered-products-of-an-unnamed-market',
    statement: 'C.us-market',
    says: 'The products of a filtered bulk list belong to the Canadian market; the profile names no market.',
    profile: { markets: null },
    hooks: onAnswer('products', (answer, { query }) =>
      isFiltered(query)
        ? { ...answer, market: 'CA', rows: Array.from(answer.rows, (row) => ({ ...row, market: 'CA' })) }
        : answer,
    ),
  },
  {
    name: 'filtered-product-twice',
    statement: 'C.category-filter',
    says: 'Each filtered bulk list contains its last product twice.',
    hooks: onFiltered(repeatLast),
  },
  {
    name: 'filtered-product-of-another-brand',
    statement: 'C.category-filter',
    says: 'The last product of each filtered bulk list has another brand there than in the unfiltered list.',
    dialects: ['reference', 'xml'],
    hooks: onFiltered((rows) => changeLast(rows, (row) => ({ ...row, brand: `${row.brand} Extra` }))),
  },
  {
    name: 'filtered-product-changed-another-day',
    statement: 'C.category-filter',
    says: 'The last product of each filtered bulk list has another date of change there than in the unfiltered list.',
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    hooks: onFiltered((rows) =>
      changeLast(rows, (row) => ({ ...row, changedOn: (row.changedOn ?? row.activeOn) - 7 })),
    ),
  },
  {
    name: 'filtered-upc-11-digits',
    statement: 'C.upc-12',
    says: 'The last product of a filtered bulk list has a UPC of 11 digits.',
    hooks: onAnswer('products', (answer, { query }) =>
      isFiltered(query)
        ? { ...answer, rows: changeLast(answer.rows, (row) => ({ ...row, upc: row.upc.slice(1) })) }
        : answer,
    ),
  },
] as const satisfies readonly Fault[];
