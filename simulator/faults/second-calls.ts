/** Faults that only a second request or a second filter reveals (sections 4.3, 4.4 and 8). */
import type { OperationName } from '../../src/contract/index.ts';
import {
  asUnknownProduct,
  isEven,
  isFilteredSales,
  isRepeated,
  isSecond,
  last,
  nthOf,
  perWorld,
  plus,
  queryBefore,
  salesFiltersOf,
  set,
  when,
} from '../deviations/changes.ts';
import {
  dropLast,
  firstRow,
  isFiltered,
  onAnswer,
  onAvailable,
  onBulk,
  onCategories,
  onFiltered,
  onOperations,
  onProduct,
  onSales,
  onWindow,
  PERFORMANCE_NAMES,
  stating,
} from '../deviations/places.ts';
import type { Context, Hooks, QueryContext } from '../deviations/types.ts';
import type { Product, ProductRow, Query } from '../model/types.ts';
import { inA, inB, inC, inD } from './fault.ts';

/** Changes the query of some operations by the one before. */
const byQueryBefore = (
  isChanged: (operation: QueryContext['operation']) => boolean,
  change: (query: Query, before: Query, context: QueryContext) => Query,
): Hooks => ({
  query(query, context) {
    return isChanged(context.operation) ? change(query, queryBefore(query, context) ?? {}, context) : query;
  },
});
const isOf =
  (...names: readonly OperationName[]) =>
  ({ name }: QueryContext['operation']) =>
    names.includes(name);

/** The dialects whose lists have an as-of date, which excludes a reload. */
const WITH_DATES = ['reference', 'hypermedia', 'xml', 'soap', 'statistics', 'tabular'] as const;

/** Whether the look-up before was of an unknown UPC. */
const lookUps = perWorld(() => ({ wasUnknown: false }));

/** Another value of the first characteristic. */
const otherCharacteristic = set<Product>(({ characteristics }) => ({
  characteristics: characteristics.map((each, at) => (at === 0 ? { ...each, value: 'Another' } : each)),
}));

/** Puts the last product into another category of the list. */
const inOtherCategory = (rows: Iterable<ProductRow>, context: Context): Iterable<ProductRow> =>
  last<ProductRow>(({ category: own }) => {
    const other = firstRow(rows, ({ category }) => category !== own);
    return other === undefined ? {} : { category: other.category, subCategory: other.subCategory };
  })(rows, context);

const acceptsGzip = ({ codings }: Context): boolean => codings.includes('gzip');

/** A profile that reads no as-of date in a look-up: only the order of the calls can then show the fault. */
const WITHOUT_LOOK_UP_DATE = stating(['products'], { response: { fields: { asOf: null } } });

export const SECOND_CALL_FAULTS = [
  inC('bulk-second-call-misses-one', 'C.bulk', {
    says: 'The bulk list lacks its last product when it is requested a second time.',
    hooks: onBulk(when(isSecond, dropLast)),
  }),
  inC('bulk-second-call-other-category', 'C.bulk', {
    says: 'The last product of the bulk list is in another category when the list is requested a second time.',
    hooks: onBulk(when(isSecond, inOtherCategory)),
  }),
  inC('delta-second-call-other-category', 'C.delta-weekly', {
    says: 'The last row of the 13-week delta has another category when it is requested a second time within one data week.',
    hooks: onWindow(13, when(isSecond, inOtherCategory)),
  }),
  inC('delta-second-call-misses-one', 'C.delta-weekly', {
    says: 'The 13-week delta lacks its last row when it is requested a second time within one data week.',
    hooks: onWindow(13, when(isSecond, dropLast)),
  }),
  inD('sales-second-call-differ', 'D.windows', {
    says: 'The sales of 52 weeks in the last row are one dollar higher when they are requested a second time.',
    hooks: onSales(when(isSecond, last(plus('sales52Weeks', 1)))),
  }),
  inC('bulk-gzip-misses-one', 'C.bulk', {
    says: 'The bulk list lacks its last product for clients that accept gzip.',
    hooks: onBulk(when((context) => acceptsGzip(context) && !isFiltered(context), dropLast)),
  }),
  inC('filtered-second-call-misses-one', 'C.category-filter', {
    says: 'A list filtered by category lacks its last product every second time.',
    hooks: onFiltered(when(isEven, dropLast)),
  }),
  inC('delta-window-of-the-call-before', 'C.delta-weekly', {
    says: 'Every second equal request of a delta gets the window of the request before.',
    hooks: byQueryBefore(isOf('updateProducts'), (query, { window }, context) =>
      isEven({ ...context, query }) && window !== undefined ? { ...query, window } : query,
    ),
  }),
  inC('categories-second-call-miss-one', 'C.categories', {
    says: 'allCategories lacks its last category every second time.',
    hooks: onCategories(when(isEven, dropLast)),
  }),
  inC('lookup-second-call-changes', 'C.lookup', {
    says: 'The second look-up of a product returns another characteristic.',
    hooks: onProduct(when(isSecond, otherCharacteristic)),
  }),
  inC('lookup-alternates-without-date', 'C.lookup', {
    says: 'Every second look-up of a product returns another characteristic, in responses without an as-of date.',
    profile: WITHOUT_LOOK_UP_DATE,
    hooks: onProduct(when(isEven, otherCharacteristic)),
  }),
  inC('lookup-gzip-changes-without-date', 'C.lookup', {
    says: 'A look-up returns another characteristic to clients that accept gzip, in responses without an as-of date.',
    profile: WITHOUT_LOOK_UP_DATE,
    hooks: onProduct(when(acceptsGzip, otherCharacteristic)),
  }),
  inC('lookup-forgets', 'C.lookup', {
    says: 'A product is known to its first look-up only.',
    hooks: onAnswer('product', when(isRepeated, asUnknownProduct)),
  }),
  inC('lookup-after-unknown-misses', 'C.lookup', {
    says: 'A look-up directly after the one of an unknown UPC does not find its product either.',
    hooks: onOperations(['products'], (answer, context) => {
      if (answer.kind !== 'product' && answer.kind !== 'unknown') return answer;
      const { wasUnknown } = lookUps(context);
      lookUps(context).wasUnknown = answer.kind === 'unknown';
      return wasUnknown ? { kind: 'unknown', input: 'upc', value: context.query.upc ?? '' } : answer;
    }),
  }),
  inC('lookup-other-product-each-ninth', 'C.lookup', {
    says: 'Every ninth look-up returns the product of the look-up before.',
    hooks: byQueryBefore(isOf('products'), (query, { upc }, context) =>
      nthOf({ ...context, query: {} }) % 9 === 0 && upc !== undefined && /^\d{12}$/.test(query.upc ?? '')
        ? { ...query, upc }
        : query,
    ),
  }),
  inB('metadata-of-the-catalogue-before', 'B.catalogue-id', {
    says: 'Every second equal request of group B gets the metadata of the catalogue of the request before.',
    hooks: byQueryBefore(
      ({ group }) => group === 'B',
      (query, { catalogueId }, context) =>
        isEven({ ...context, query }) && catalogueId !== undefined ? { ...query, catalogueId } : query,
    ),
  }),
  inB('metadata-second-call-misses-one', 'B.catalogue-id', {
    says: 'Every operation of group B omits the last item the second time.',
    hooks: onAnswer('items', (answer, context) =>
      context.operation.group === 'B' && isSecond(context) ? { ...answer, items: answer.items.slice(0, -1) } : answer,
    ),
  }),
  inD('names-second-call-miss-one', 'D.metadata', {
    says: 'The metadata lacks its last row from the second request on.',
    hooks: onAvailable(when(isRepeated, dropLast)),
  }),
  inC('filtered-after-the-first-call-misses-one', 'C.category-filter', {
    says: 'A list filtered by category lacks its last product from the second request on.',
    dialects: WITH_DATES,
    hooks: onFiltered(when(isRepeated, dropLast)),
  }),
  inC('filter-of-the-call-before', 'C.bulk', {
    says: 'An unfiltered bulk list is filtered by the category of the request before, if that had one.',
    hooks: byQueryBefore(isOf('allProducts'), (query, before) =>
      isFiltered({ query }) ? query : { ...before, ...query },
    ),
  }),
  inD('sales-filter-of-the-call-before', 'D.windows', {
    says: 'Unfiltered sales are filtered by the names of the request before, if that had some.',
    hooks: byQueryBefore(isOf(...PERFORMANCE_NAMES), (query, before) =>
      salesFiltersOf({ query }).length > 0 ? query : { ...before, ...query },
    ),
  }),
  inD('filtered-sales-after-the-first-call-differ', 'D.filters', {
    says: 'The sales of 4 weeks in the last row of a filtered result are one dollar higher from the second request on.',
    dialects: WITH_DATES,
    hooks: onSales(when((context) => isFilteredSales(context) && isRepeated(context), last(plus('sales4Weeks', 1)))),
  }),
  inD('filtered-sales-second-call-differ', 'D.filters', {
    says: 'The sales of 4 weeks in the last row of a filtered result are one dollar higher every second time.',
    hooks: onSales(when((context) => isFilteredSales(context) && isEven(context), last(plus('sales4Weeks', 1)))),
  }),
  inA('test-service-every-second-call-unknown', 'operation.served', {
    says: 'testService returns 404 every second time.',
    hooks: onAnswer('serviceOk', (answer, context) => (isEven(context) ? { kind: 'noSuchPath' } : answer)),
  }),
  inA('job-start-every-second-call-405', 'operation.served', {
    says: 'A POST that starts a job returns 405 every second time.',
    hooks: onAnswer('jobStarted', (answer, context) =>
      isEven(context) ? { kind: 'wrongMethod', allow: ['GET'] } : answer,
    ),
  }),
  inD('second-filter-ignored', 'D.filters', {
    says: 'Of two filters in one request, only the first is applied.',
    hooks: onSales((rows, context) => {
      const { query, world, operation } = context;
      const [first, second] = salesFiltersOf(context);
      if (first === undefined || second === undefined) return rows;
      const answer = world.answer(operation.name, { [first]: query[first] });
      return answer.kind === 'performance' ? answer.rows : rows;
    }),
  }),
  inD('two-filters-find-nothing', 'D.filters', {
    says: 'Two filters in one request return no row.',
    hooks: onSales((rows, context) => (salesFiltersOf(context).length > 1 ? [] : rows)),
  }),
];
