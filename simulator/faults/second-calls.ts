/** Faults that only a second request or a second filter reveals (sections 4.3, 4.4 and 8). */
import { PRODUCT_LOOKUP, SALES_FILTERS } from '../../src/contract/index.ts';
import type { Product, ProductRow, Query } from '../model/types.ts';
import type { World } from '../model/world.ts';
import {
  type Context,
  isFiltered,
  onAnswer,
  onBulk,
  onDelta,
  onFiltered,
  onPerformance,
  onProduct,
  PERFORMANCE_NAMES,
} from './hooks.ts';
import { changeLast, dropLast, firstRow } from './rows.ts';
import type { Fault, FaultContext } from './types.ts';

/** The number of equal requests per world, so that each simulator has a state of its own. */
const countsByWorld = new WeakMap<World, Map<string, number>>();

/** Counts the requests with the same operation and query; the first is 1. */
function nthOf({ world, operation, query }: Context): number {
  const counts = countsByWorld.get(world) ?? new Map<string, number>();
  countsByWorld.set(world, counts);
  const key = JSON.stringify([operation.name, query]);
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.get(key) as number;
}

const isSecond = (context: Context): boolean => nthOf(context) === 2;
const isEven = (context: Context): boolean => nthOf(context) % 2 === 0;

/** The query before, per world and operation. */
const earlierQueries = new WeakMap<World, Map<string, Query>>();

/** Stores the query of an operation and returns the one before. */
function queryBefore(query: Query, { world, operation }: FaultContext): Query | undefined {
  const queries = earlierQueries.get(world) ?? new Map<string, Query>();
  earlierQueries.set(world, queries);
  const before = queries.get(operation.name);
  queries.set(operation.name, query);
  return before;
}

/** The dialects whose lists have an as-of date, which excludes a reload. */
const WITH_DATES = ['reference', 'hypermedia', 'xml', 'soap', 'statistics', 'tabular'] as const;

/** Whether the look-up before was of an unknown UPC, per world. */
const unknownBefore = new WeakMap<World, boolean>();

/** Another value of the first characteristic. */
const otherCharacteristic = (product: Product): Product => ({
  ...product,
  characteristics: product.characteristics.map((each, at) => (at === 0 ? { ...each, value: 'Another' } : each)),
});

/** Puts the last product into another category of the list. */
const inOtherCategory = (rows: Iterable<ProductRow>): Iterable<ProductRow> =>
  changeLast(rows, (row) => {
    const other = firstRow(rows, ({ category }) => category !== row.category);
    return other === undefined ? row : { ...row, category: other.category, subCategory: other.subCategory };
  });

const filters = (query: Context['query']) => SALES_FILTERS.filter((each) => query[each] !== undefined);

/** A profile that reads no as-of date in a look-up: only the order of the calls can then show the fault. */
const WITHOUT_LOOK_UP_DATE = {
  operations: { [PRODUCT_LOOKUP]: { response: { fields: { asOf: null } } } },
};

export const SECOND_CALL_FAULTS = [
  {
    name: 'bulk-second-call-misses-one',
    statement: 'C.bulk',
    says: 'The bulk list lacks its last product when it is requested a second time.',
    hooks: onBulk((rows, context) => (isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'bulk-second-call-other-category',
    statement: 'C.bulk',
    says: 'The last product of the bulk list is in another category when the list is requested a second time.',
    hooks: onBulk((rows, context) => (isSecond(context) ? inOtherCategory(rows) : rows)),
  },
  {
    name: 'delta-second-call-other-category',
    statement: 'C.delta-weekly',
    says: 'The last row of the 13-week delta has another category when it is requested a second time within one data week.',
    hooks: onDelta((rows, weeks, context) => (weeks === 13 && isSecond(context) ? inOtherCategory(rows) : rows)),
  },
  {
    name: 'delta-second-call-misses-one',
    statement: 'C.delta-weekly',
    says: 'The 13-week delta lacks its last row when it is requested a second time within one data week.',
    hooks: onDelta((rows, weeks, context) => (weeks === 13 && isSecond(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'sales-second-call-differ',
    statement: 'D.windows',
    says: 'The sales of 52 weeks in the last row are one dollar higher when they are requested a second time.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, context) =>
      isSecond(context)
        ? [
            ...changeLast(rows, (row) => ({
              ...row,
              sales52Weeks: typeof row.sales52Weeks === 'number' ? row.sales52Weeks + 1 : row.sales52Weeks,
            })),
          ]
        : rows,
    ),
  },
  {
    name: 'bulk-gzip-misses-one',
    statement: 'C.bulk',
    says: 'The bulk list lacks its last product for clients that accept gzip.',
    hooks: onBulk((rows, { codings, query }) =>
      codings.includes('gzip') && !isFiltered(query) ? dropLast(rows) : rows,
    ),
  },
  {
    name: 'filtered-second-call-misses-one',
    statement: 'C.category-filter',
    says: 'A list filtered by category lacks its last product every second time.',
    hooks: onFiltered((rows, context) => (isEven(context) ? dropLast(rows) : rows)),
  },
  {
    name: 'delta-window-of-the-call-before',
    statement: 'C.delta-weekly',
    says: 'Every second equal request of a delta gets the window of the request before.',
    hooks: {
      query(query, context) {
        if (context.operation.name !== 'updateProducts') return query;
        const before = queryBefore(query, context);
        return isEven({ ...context, query }) && before?.window !== undefined
          ? { ...query, window: before.window }
          : query;
      },
    },
  },
  {
    name: 'categories-second-call-miss-one',
    statement: 'C.categories',
    says: 'allCategories lacks its last category every second time.',
    hooks: onAnswer('categories', (answer, context) =>
      isEven(context) ? { ...answer, categories: answer.categories.slice(0, -1) } : answer,
    ),
  },
  {
    name: 'lookup-second-call-changes',
    statement: 'C.lookup',
    says: 'The second look-up of a product returns another characteristic.',
    hooks: onProduct((product, context) => (isSecond(context) ? otherCharacteristic(product) : product)),
  },
  {
    name: 'lookup-alternates-without-date',
    statement: 'C.lookup',
    says: 'Every second look-up of a product returns another characteristic, in responses without an as-of date.',
    profile: WITHOUT_LOOK_UP_DATE,
    hooks: onProduct((product, context) => (isEven(context) ? otherCharacteristic(product) : product)),
  },
  {
    name: 'lookup-gzip-changes-without-date',
    statement: 'C.lookup',
    says: 'A look-up returns another characteristic to clients that accept gzip, in responses without an as-of date.',
    profile: WITHOUT_LOOK_UP_DATE,
    hooks: onProduct((product, { codings }) => (codings.includes('gzip') ? otherCharacteristic(product) : product)),
  },
  {
    name: 'lookup-forgets',
    statement: 'C.lookup',
    says: 'A product is known to its first look-up only.',
    hooks: onAnswer('product', (answer, context) =>
      nthOf(context) > 1 ? { kind: 'unknown', input: 'upc', value: answer.product.upc } : answer,
    ),
  },
  {
    name: 'lookup-after-unknown-misses',
    statement: 'C.lookup',
    says: 'A look-up directly after the one of an unknown UPC does not find its product either.',
    hooks: {
      answer(answer, { world, operation, query }) {
        if (operation.name !== 'products' || (answer.kind !== 'product' && answer.kind !== 'unknown')) return answer;
        const isAfterUnknown = unknownBefore.get(world) ?? false;
        unknownBefore.set(world, answer.kind === 'unknown');
        return isAfterUnknown ? { kind: 'unknown', input: 'upc', value: query.upc ?? '' } : answer;
      },
    },
  },
  {
    name: 'lookup-other-product-each-ninth',
    statement: 'C.lookup',
    says: 'Every ninth look-up returns the product of the look-up before.',
    hooks: {
      query(query, context) {
        if (context.operation.name !== 'products') return query;
        const before = queryBefore(query, context);
        const isNinth = nthOf({ ...context, query: {} }) % 9 === 0;
        return isNinth && before?.upc !== undefined && /^\d{12}$/.test(query.upc ?? '')
          ? { ...query, upc: before.upc }
          : query;
      },
    },
  },
  {
    name: 'metadata-of-the-catalogue-before',
    statement: 'B.catalogue-id',
    says: 'Every second equal request of group B gets the metadata of the catalogue of the request before.',
    hooks: {
      query(query, context) {
        if (context.operation.group !== 'B') return query;
        const before = queryBefore(query, context);
        return isEven({ ...context, query }) && before?.catalogueId !== undefined
          ? { ...query, catalogueId: before.catalogueId }
          : query;
      },
    },
  },
  {
    name: 'metadata-second-call-misses-one',
    statement: 'B.catalogue-id',
    says: 'Every operation of group B omits the last item the second time.',
    hooks: onAnswer('items', (answer, context) =>
      context.operation.group === 'B' && isSecond(context) ? { ...answer, items: answer.items.slice(0, -1) } : answer,
    ),
  },
  {
    name: 'names-second-call-miss-one',
    statement: 'D.metadata',
    says: 'The metadata lacks its last row from the second request on.',
    hooks: onAnswer('filterNames', (answer, context) =>
      nthOf(context) > 1 ? { ...answer, rows: answer.rows.slice(0, -1) } : answer,
    ),
  },
  {
    name: 'filtered-after-the-first-call-misses-one',
    statement: 'C.category-filter',
    says: 'A list filtered by category lacks its last product from the second request on.',
    dialects: WITH_DATES,
    hooks: onFiltered((rows, context) => (nthOf(context) > 1 ? dropLast(rows) : rows)),
  },
  {
    name: 'filter-of-the-call-before',
    statement: 'C.bulk',
    says: 'An unfiltered bulk list is filtered by the category of the request before, if that had one.',
    hooks: {
      query(query, context) {
        if (context.operation.name !== 'allProducts') return query;
        const before = queryBefore(query, context);
        return isFiltered(query) || !before ? query : { ...before, ...query };
      },
    },
  },
  {
    name: 'sales-filter-of-the-call-before',
    statement: 'D.windows',
    says: 'Unfiltered sales are filtered by the names of the request before, if that had some.',
    hooks: {
      query(query, context) {
        if (!PERFORMANCE_NAMES.some((name) => name === context.operation.name)) return query;
        const before = queryBefore(query, context);
        return filters(query).length > 0 || !before ? query : { ...before, ...query };
      },
    },
  },
  {
    name: 'filtered-sales-after-the-first-call-differ',
    statement: 'D.filters',
    says: 'The sales of 4 weeks in the last row of a filtered result are one dollar higher from the second request on.',
    dialects: WITH_DATES,
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, context) =>
      filters(context.query).length > 0 && nthOf(context) > 1
        ? [
            ...changeLast(rows, (row) => ({
              ...row,
              sales4Weeks: typeof row.sales4Weeks === 'number' ? row.sales4Weeks + 1 : row.sales4Weeks,
            })),
          ]
        : rows,
    ),
  },
  {
    name: 'filtered-sales-second-call-differ',
    statement: 'D.filters',
    says: 'The sales of 4 weeks in the last row of a filtered result are one dollar higher every second time.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, context) =>
      filters(context.query).length > 0 && isEven(context)
        ? [
            ...changeLast(rows, (row) => ({
              ...row,
              sales4Weeks: typeof row.sales4Weeks === 'number' ? row.sales4Weeks + 1 : row.sales4Weeks,
            })),
          ]
        : rows,
    ),
  },
  {
    name: 'test-service-every-second-call-unknown',
    statement: 'operation.served',
    group: 'A',
    says: 'testService returns 404 every second time.',
    hooks: onAnswer('serviceOk', (answer, context) => (isEven(context) ? { kind: 'noSuchPath' } : answer)),
  },
  {
    name: 'job-start-every-second-call-405',
    statement: 'operation.served',
    group: 'A',
    says: 'A POST that starts a job returns 405 every second time.',
    hooks: onAnswer('jobStarted', (answer, context) =>
      isEven(context) ? { kind: 'wrongMethod', allow: ['GET'] } : answer,
    ),
  },
  {
    name: 'second-filter-ignored',
    statement: 'D.filters',
    says: 'Of two filters in one request, only the first is applied.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query, world, operation }) => {
      const [first, second] = filters(query);
      if (first === undefined || second === undefined) return rows;
      const sales = operation.name === 'brandPerformance' ? world.sales.byBrand : world.sales.byCategory;
      return sales(world.clock.asOf(), { [first]: query[first] });
    }),
  },
  {
    name: 'two-filters-find-nothing',
    statement: 'D.filters',
    says: 'Two filters in one request return no row.',
    hooks: onPerformance(PERFORMANCE_NAMES, (rows, { query }) => (filters(query).length > 1 ? [] : rows)),
  },
] as const satisfies readonly Fault[];
