/** Oddities of rows: legal values, order and granularity (sections 2, 4.3, 4.4 and 8). */
import type { OperationName } from '../../src/contract/index.ts';
import {
  answerBefore,
  type Context,
  onAnswer,
  onBulk,
  onCategories,
  onDelta,
  onPerformance,
  onProduct,
  PERFORMANCE_NAMES,
} from '../faults/hooks.ts';
import { filterRows, joinRows } from '../faults/rows.ts';
import { mapRows } from '../model/iterable.ts';
import { percentChange } from '../model/sales.ts';
import type { Day, Figure, ModelAnswer, PerformanceRow, ProductRow } from '../model/types.ts';
import { always } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Changes the figures of every performance row. */
/** A number that depends on the names of a row only, so that a row is the same in filtered and unfiltered responses. */
const numberOf = ({ category, subCategory, manufacturer, brand }: PerformanceRow): number =>
  [...[category, subCategory, manufacturer, brand].join()].reduce((sum, char) => sum + char.charCodeAt(0), 0);

const figures = (change: (row: PerformanceRow, number: number) => Partial<PerformanceRow>): OddityHooks =>
  onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row) => ({ ...row, ...change(row, numberOf(row)) })));

const scaled = (figure: Figure, by: (value: number) => number): Figure =>
  typeof figure === 'number' ? by(figure) : figure;

const percentOf = ({ sales52Weeks: now, salesLastYear: before }: Partial<PerformanceRow>): Figure =>
  typeof now === 'number' && typeof before === 'number' ? percentChange(now, before) : null;

const money = (change: (value: number) => number) =>
  figures((row) => ({
    sales4Weeks: scaled(row.sales4Weeks, change),
    sales12Weeks: scaled(row.sales12Weeks, change),
    sales52Weeks: scaled(row.sales52Weeks, change),
    salesLastYear: scaled(row.salesLastYear, change),
  }));

const rounding = (decimals: number) =>
  figures((row) => {
    if (typeof row.sales52Weeks !== 'number' || typeof row.salesLastYear !== 'number' || row.salesLastYear === 0)
      return {};
    const exact = ((row.sales52Weeks - row.salesLastYear) / row.salesLastYear) * 100;
    return { percentChange: Number(exact.toFixed(decimals)) };
  });

/** Reverses the lists of an answer. */
function reversed(answer: ModelAnswer): ModelAnswer {
  switch (answer.kind) {
    case 'products':
      return { ...answer, rows: [...answer.rows].reverse() };
    case 'deltas':
      return { ...answer, windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: [...rows].reverse() })) };
    case 'performance':
    case 'filterNames':
      return { ...answer, rows: [...answer.rows].reverse() } as ModelAnswer;
    case 'categories':
      return {
        ...answer,
        categories: answer.categories
          .map((each) => ({ ...each, subCategories: [...each.subCategories].reverse() }))
          .reverse(),
      };
    case 'items':
      return { ...answer, items: [...answer.items].reverse() };
    case 'product':
      return {
        ...answer,
        product: { ...answer.product, characteristics: [...answer.product.characteristics].reverse() },
      };
    default:
      return answer;
  }
}

const padded = (name: string | undefined): string | undefined => name?.padEnd(40, ' ');

/** The dialects whose deltas show kinds of change. */
const WITH_KINDS = ['reference', 'hypermedia', 'tabular', 'soap'] as const;

const isDelisted = (upc: string): boolean => Number(upc) % 11 === 8;

/** Adds delta rows of products that are neither in the bulk list nor known to the look-up. */
const delistedProducts = (count: number, cells: Partial<ProductRow> = {}): OddityHooks =>
  onAnswer('deltas', (answer, { world }) => ({
    ...answer,
    windows: answer.windows.map(({ weeks, rows }) => {
      const delisted = Array.from({ length: count }, (_, at) => ({
        ...world.products.at(world.products.count + at, answer.asOf),
        changedOn: answer.asOf - at,
        ...cells,
      }));
      return { weeks, rows: joinRows(rows, delisted) };
    }),
  }));

/** Changes the rows of the bulk list, of deltas and of look-ups. */
const onRows = (change: <T extends ProductRow>(row: T, asOf: Day) => T): OddityHooks => ({
  answer(answer, { world }) {
    const asOf = world.clock.asOf();
    switch (answer.kind) {
      case 'products':
        return { ...answer, rows: mapRows(answer.rows, (row) => change(row, asOf)) };
      case 'deltas':
        return {
          ...answer,
          windows: answer.windows.map(({ weeks, rows }) => ({
            weeks,
            rows: mapRows(rows, (row) => change(row, asOf)),
          })),
        };
      case 'product':
        return { ...answer, product: change(answer.product, asOf) };
      default:
        return answer;
    }
  },
});

/** No product has an event after a day: neither a date nor a row of a delta. */
const withoutChangesAfter = (lastDay: (asOf: Day) => Day): OddityHooks => {
  const isEarlier = ({ changedOn = 0 }: ProductRow, asOf: Day) => changedOn <= lastDay(asOf);
  const dates = onRows((row, asOf) => {
    if (isEarlier(row, asOf)) return row;
    const { changedOn: _, ...rest } = row;
    return { ...rest, firstActiveOn: asOf - 3650 } as typeof row;
  });
  return {
    answer(answer, context) {
      const asOf = context.world.clock.asOf();
      if (answer.kind !== 'deltas') return dates.answer?.(answer, context) ?? answer;
      return {
        ...answer,
        windows: answer.windows.map(({ weeks, rows }) => ({
          weeks,
          rows: filterRows(rows, (row) => isEarlier(row, asOf)),
        })),
      };
    },
  };
};

/** The activity date of a product at an as-of date. */
const activeOn = (upc: string, asOf: Day, { world }: Context): Day => world.products.byUpc(upc, asOf)?.activeOn ?? asOf;

/** Sums CategoryPerformance rows over their sub-categories: one row per category. */
function byCategory(rows: readonly PerformanceRow[]): PerformanceRow[] {
  const sum = (
    parts: readonly PerformanceRow[],
    name: 'sales4Weeks' | 'sales12Weeks' | 'sales52Weeks' | 'salesLastYear',
  ) => Math.round(parts.reduce((total, row) => total + (typeof row[name] === 'number' ? row[name] : 0), 0) * 100) / 100;
  return [...Map.groupBy(rows, (row) => row.category)].map(([category, parts]) => {
    const { subCategory: _, ...first } = parts[0] as PerformanceRow;
    const total = {
      sales4Weeks: sum(parts, 'sales4Weeks'),
      sales12Weeks: sum(parts, 'sales12Weeks'),
      sales52Weeks: sum(parts, 'sales52Weeks'),
      salesLastYear: sum(parts, 'salesLastYear'),
    };
    return { ...first, ...(category !== undefined && { category }), ...total, percentChange: percentOf(total) };
  });
}

const onOperation = (name: OperationName, hooks: OddityHooks): OddityHooks => ({
  answer: (answer, context) => (context.operation.name === name ? (hooks.answer?.(answer, context) ?? answer) : answer),
});

const LONG = 'A very long description. '.repeat(400);

export const ROW_ODDITIES: readonly Oddity[] = [
  {
    name: 'pages-limited-without-total',
    legalBasis: 'limits',
    groups: ['C', 'D'],
    dialects: ['xml'],
    says: 'A page never has more than 20 rows, whatever size is requested; no response states a total.',
    start: () => ({
      query: (query) => (query.limit === undefined ? query : { ...query, limit: Math.min(query.limit, 20) }),
    }),
  },
  {
    name: 'row-order-changes',
    legalBasis: 'rows',
    says: 'Every list without pages is in reverse order at every second request.',
    start: () => {
      let requests = 0;
      return {
        // The order of a paged list must not change between its pages.
        answer: (answer, { query }) => (query.limit === undefined && requests++ % 2 === 1 ? reversed(answer) : answer),
      };
    },
  },
  {
    name: 'sales-negative',
    legalBasis: 'emptiness',
    groups: ['D'],
    says: 'Returns exceed the sales of the last four weeks in about every third row.',
    start: always(
      figures(({ sales4Weeks }, number) =>
        number % 3 === 0 ? { sales4Weeks: scaled(sales4Weeks, (value) => -value - 0.01) } : {},
      ),
    ),
    profile: { figures: { sums: null } },
  },
  {
    name: 'sales-none-yet',
    legalBasis: 'emptiness',
    groups: ['D'],
    says: 'About every fourth row has no sales this year or last year, so it has no percentage change.',
    start: always(
      figures((_row, number) =>
        number % 4 === 0
          ? { sales4Weeks: 0, sales12Weeks: 0, sales52Weeks: 0, salesLastYear: 0, percentChange: null }
          : {},
      ),
    ),
    profile: { figures: { sums: null } },
  },
  {
    name: 'percent-null-throughout',
    legalBasis: 'emptiness',
    groups: ['D'],
    says: 'No brand or category had sales last year, so no row has a percentage change.',
    start: always(figures(() => ({ salesLastYear: 0, percentChange: null }))),
    weakestOutcome: 'partial',
  },
  {
    name: 'percent-999-without-last-year',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'The percentage change is 999.9 when the sales of last year are zero.',
    start: always(figures(({ salesLastYear }) => (salesLastYear === 0 ? { percentChange: 999.9 } : {}))),
  },
  {
    name: 'percent-whole',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'The percentage change is rounded to whole percents.',
    start: always(rounding(0)),
    profile: { figures: { percentChange: { decimals: 0 } } },
  },
  {
    name: 'percent-two-decimals',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'The percentage change is rounded to two decimals.',
    start: always(rounding(2)),
    profile: { figures: { percentChange: { decimals: 2 } } },
  },
  {
    name: 'percent-of-four-weeks',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'The percentage change is that of the last four weeks; no figure shows their sales of last year.',
    start: always(figures((_row, number) => ({ percentChange: (number % 70) - 35 }))),
    profile: { figures: null },
    weakestOutcome: 'partial',
  },
  {
    name: 'last-year-calendar',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Last year is the calendar year, so its sales differ.',
    start: always(
      figures((row) => {
        const salesLastYear = scaled(row.salesLastYear, (value) => Math.round(value * 97) / 100);
        return { salesLastYear, percentChange: percentOf({ ...row, salesLastYear }) };
      }),
    ),
  },
  {
    name: 'dollars-whole',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Sales are rounded to whole dollars after the percentage change is computed.',
    start: always(money(Math.round)),
  },
  {
    name: 'dollars-with-fractions-of-cents',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Sales have seven decimals.',
    start: always(money((value) => (value === 0 ? 0 : Number((value + 0.0012345).toFixed(7))))),
  },
  {
    name: 'dollars-huge',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Sales are trillions of dollars.',
    start: always(money((value) => value * 1_000_000)),
  },
  {
    name: 'delta-week-empty',
    legalBasis: 'emptiness',
    groups: ['C'],
    says: 'No product changed in the last week.',
    start: always(withoutChangesAfter((asOf) => asOf - 7)),
  },
  {
    name: 'deltas-all-empty',
    legalBasis: 'emptiness',
    groups: ['C'],
    says: 'No product changed in thirteen weeks.',
    start: always(withoutChangesAfter((asOf) => asOf - 7 * 13)),
    weakestOutcome: 'partial',
  },
  {
    name: 'delta-of-delisted-products',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'Deltas contain products that are no longer in the bulk list and are unknown to the look-up.',
    start: always(delistedProducts(5)),
    profile: { delta: { withinBulk: null, inLookUp: null } },
    weakestOutcome: 'partial',
  },
  {
    name: 'delta-of-removed-products',
    legalBasis: 'relations',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'Deltas contain rows of removed products, which are not in the bulk list and are unknown to the look-up.',
    start: always(delistedProducts(6, { changeKind: 'removed' })),
  },
  {
    name: 'delta-of-removed-and-returned-products',
    legalBasis: 'relations',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'Deltas show some products as removed that have returned to the bulk list, and others as changed and as removed.',
    start: always(
      onDelta((rows, _weeks, { world }) =>
        joinRows(
          mapRows(rows, (row) => (Number(row.upc) % 5 === 0 ? { ...row, changeKind: 'removed' } : row)),
          ['changed', 'removed'].map((changeKind) => ({
            ...world.products.at(world.products.count, world.clock.asOf()),
            changedOn: world.clock.asOf(),
            changeKind,
          })),
        ),
      ),
    ),
  },
  {
    name: 'delta-kinds-of-some-rows',
    legalBasis: 'rows',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'Every second row of a delta shows no kind of change.',
    start: always(
      onDelta((rows) =>
        mapRows(rows, ({ changeKind, ...row }) =>
          Number(row.upc) % 2 === 0 ? row : { ...row, ...(changeKind !== undefined && { changeKind }) },
        ),
      ),
    ),
  },
  {
    name: 'refresh-date-of-the-reload',
    legalBasis: 'windows',
    groups: ['B', 'C'],
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    says: 'The refresh date is the Tuesday of the reload, three days after the last day of the data week.',
    start: always({
      answer: (answer, { operation }) =>
        answer.kind === 'items' && operation.name === 'refreshDates'
          ? {
              ...answer,
              items: answer.items.map((item) => ({ ...item, ...(item.date !== undefined && { date: item.date + 3 }) })),
            }
          : answer,
    }),
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: { reloadDay: 3 } } },
  },
  {
    name: 'look-up-a-reload-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The look-up is reloaded a day after the delta, so it shows the dates of a week ago.',
    start: always(onAnswer('product', (_answer, context) => answerBefore(1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'look-up-a-reload-ahead',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The look-up is reloaded a day before the delta, so it shows the changes of the next week.',
    start: always(onAnswer('product', (_answer, context) => answerBefore(-1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'products-delisted-since-the-delta',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The bulk list and the look-up are a reload ahead of the delta and no longer contain some of its products.',
    start: always({
      answer(answer, context) {
        if (answer.kind === 'deltas') return answerBefore(1, context);
        if (answer.kind === 'products')
          return { ...answer, rows: filterRows(answer.rows, ({ upc }) => !isDelisted(upc)) };
        return answer.kind === 'product' && isDelisted(answer.product.upc)
          ? { kind: 'unknown', input: 'upc', value: answer.product.upc }
          : answer;
      },
    }),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'delta-row-per-change',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'A product that changed twice appears twice in a delta.',
    start: always(onDelta((rows) => joinRows(rows, rows))),
  },
  {
    name: 'delta-by-week-ending',
    legalBasis: 'windows',
    groups: ['C'],
    says: 'A change is dated by the Saturday that ends its week.',
    start: always(
      onRows((row, asOf) => ({
        ...row,
        firstActiveOn: asOf - 7 * Math.floor((asOf - row.firstActiveOn) / 7),
        ...(row.changedOn !== undefined && { changedOn: asOf - 7 * Math.floor((asOf - row.changedOn) / 7) }),
      })),
    ),
    profile: { dataWeek: { changedOn: 'weekEnding', firstActiveOn: 'weekEnding' } },
  },
  {
    name: 'delta-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The delta is reloaded a day after the bulk list, so its as-of date and its windows are a week older.',
    start: always(onAnswer('deltas', (_answer, context) => answerBefore(1, context))),
  },
  {
    name: 'bulk-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The bulk list is reloaded a day after the delta, so its as-of date and the dates of its products are a week older.',
    start: always(onAnswer('products', (_answer, context) => answerBefore(1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'products-returned-since-the-delta',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The delta is a week older than the bulk list and lacks products that were not active then and are listed again now.',
    start: always(
      onAnswer('deltas', (answer, context) => {
        const before = answerBefore(1, context);
        return before.kind === 'deltas'
          ? {
              ...before,
              windows: before.windows.map(({ weeks, rows }) => ({
                weeks,
                rows: filterRows(rows, ({ upc }) => activeOn(upc, answer.asOf, context) <= before.asOf),
              })),
            }
          : before;
      }),
    ),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'list-with-later-dates',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The bulk list shows changes from the moment they happen, so products that changed again have a date after the as-of date.',
    start: always(
      onBulk((rows, { world }) =>
        mapRows(rows, (row) => (Number(row.upc) % 5 === 0 ? { ...row, changedOn: world.clock.asOf() + 2 } : row)),
      ),
    ),
  },
  {
    name: 'bulk-of-active-weeks-only',
    legalBasis: 'windows',
    groups: ['C'],
    says: 'All products were last active in the newest data week.',
    start: always(
      onAnswer('products', (answer) => ({
        ...answer,
        rows: mapRows(answer.rows, (row) => ({ ...row, activeOn: answer.asOf })),
      })),
    ),
  },
  {
    name: 'products-without-sub-category',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Every third product has no sub-category.',
    start: always({
      ...onBulk((rows) =>
        mapRows(rows, (row) =>
          Number(row.upc) % 3 === 0 ? ({ ...row, subCategory: undefined } as unknown as ProductRow) : row,
        ),
      ),
    }),
  },
  {
    name: 'products-with-long-texts',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Descriptions are ten thousand characters long.',
    start: always(onProduct((product) => ({ ...product, description: LONG }))),
  },
  {
    name: 'products-with-one-characteristic',
    legalBasis: 'rows',
    groups: ['C'],
    says: 'Every product has one characteristic, which other products share.',
    start: always(onProduct((product) => ({ ...product, characteristics: [{ name: 'Base size', value: '1 CT' }] }))),
  },
  {
    name: 'categories-without-products',
    legalBasis: 'emptiness',
    groups: ['C'],
    says: 'allCategories lists twenty more categories that have no products.',
    start: always(
      onCategories((categories) => [
        ...categories,
        ...Array.from({ length: 20 }, (_, at) => ({
          id: `cat-9${String(at).padStart(2, '0')}`,
          name: `Planned Category ${at + 1}`,
          subCategories: ['General'],
        })),
      ]),
    ),
  },
  {
    name: 'categories-in-capitals',
    legalBasis: 'filters',
    groups: ['C'],
    says: 'allCategories returns names in capitals, and the filter ignores case.',
    start: always({
      ...onCategories((categories) => categories.map((each) => ({ ...each, name: each.name.toUpperCase() }))),
      query(query, { world }) {
        const { category } = query;
        const own =
          category === undefined
            ? undefined
            : [...new Set(world.sales.filterNames().map((row) => row.category))].find(
                (each) => each?.toUpperCase() === category.toUpperCase(),
              );
        return own === undefined ? query : { ...query, category: own };
      },
    }),
  },
  {
    name: 'names-padded',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'Names in performance rows are padded with spaces to forty characters, and filters ignore the padding.',
    start: always({
      ...onPerformance(PERFORMANCE_NAMES, (rows) =>
        rows.map((row) => ({
          ...row,
          ...(row.manufacturer !== undefined && { manufacturer: padded(row.manufacturer) as string }),
          ...(row.brand !== undefined && { brand: padded(row.brand) as string }),
        })),
      ),
      query: (query) => ({
        ...query,
        ...(query.manufacturer !== undefined && { manufacturer: query.manufacturer.trim() }),
        ...(query.brand !== undefined && { brand: query.brand.trim() }),
      }),
    }),
  },
  {
    name: 'rows-without-sales-left-out',
    legalBasis: 'relations',
    groups: ['D'],
    says: 'One sub-category had no sales in any window; BrandPerformance has no rows for it, CategoryPerformance one with zeros.',
    start: always(
      onPerformance(PERFORMANCE_NAMES, (rows, { operation }) =>
        rows.flatMap((row) => {
          if (row.subCategory !== 'Bread') return [row];
          const none = { sales4Weeks: 0, sales12Weeks: 0, sales52Weeks: 0, salesLastYear: 0, percentChange: null };
          return operation.name === 'brandPerformance' ? [] : [{ ...row, ...none }];
        }),
      ),
    ),
  },
  {
    name: 'category-rows-are-no-sums',
    legalBasis: 'relations',
    groups: ['D'],
    says: 'Category rows cover more outlets than brand rows, so their sales are a tenth larger than the sums.',
    start: always(
      onPerformance(['categoryPerformance'], (rows) =>
        rows.map((row) => ({
          ...row,
          sales4Weeks: scaled(row.sales4Weeks, (value) => value * 1.1),
          sales12Weeks: scaled(row.sales12Weeks, (value) => value * 1.1),
          sales52Weeks: scaled(row.sales52Weeks, (value) => value * 1.1),
          salesLastYear: scaled(row.salesLastYear, (value) => value * 1.1),
        })),
      ),
    ),
    profile: { figures: { sums: 'atLeast' } },
  },
  {
    name: 'sales-in-thousands',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Dollar sales are rounded down to thousands in each row, so category rows differ from the sums of brand rows.',
    start: always(
      onPerformance(PERFORMANCE_NAMES, (rows) =>
        rows.map((row) => {
          const inThousands = (figure: Figure) => scaled(figure, (value) => Math.floor(value / 1000) * 1000);
          return {
            ...row,
            sales4Weeks: inThousands(row.sales4Weeks),
            sales12Weeks: inThousands(row.sales12Weeks),
            sales52Weeks: inThousands(row.sales52Weeks),
            salesLastYear: inThousands(row.salesLastYear),
          };
        }),
      ),
    ),
    profile: { figures: { percentChange: null } },
    weakestOutcome: 'partial',
  },
  {
    name: 'filter-changes-grain',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance returns one row per category; with a filter it returns sub-categories.',
    start: always(
      onOperation(
        'categoryPerformance',
        onAnswer('performance', (answer, { query }) =>
          query.category === undefined &&
          query.subCategory === undefined &&
          query.manufacturer === undefined &&
          query.brand === undefined
            ? { ...answer, rows: byCategory(answer.rows) }
            : answer,
        ),
      ),
    ),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': {
          response: { fields: { subCategory: { nullable: true, required: false } } },
        },
      },
    },
    weakestOutcome: 'partial',
  },
  {
    name: 'category-totals-among-rows',
    legalBasis: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance also returns one row per category, without a sub-category.',
    weakestOutcome: 'partial',
    start: always(
      onPerformance(['categoryPerformance'], (rows, { query }) =>
        query.subCategory === undefined ? [...rows, ...byCategory(rows)] : rows,
      ),
    ),
    profile: {
      operations: {
        'GET /RetailMeasurement/v1/CategoryPerformance': {
          response: { fields: { subCategory: { nullable: true, required: false } } },
        },
      },
    },
  },
];
