/** Oddities of rows: legal values, orders and grains (sections 2, 4.3, 4.4 and 8). */
import type { OperationName } from '../../src/contract/index.ts';
import {
  onAnswer,
  onBulk,
  onCategories,
  onDelta,
  onPerformance,
  onProduct,
  PERFORMANCE_NAMES,
} from '../faults/hooks.ts';
import { changeAll, joinRows, keepRows } from '../faults/rows.ts';
import { percentChange } from '../model/sales.ts';
import type { Figure, ModelAnswer, PerformanceRow, ProductRow } from '../model/types.ts';
import { always } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** Every figure of every performance row. */
const figures = (change: (row: PerformanceRow, index: number) => Partial<PerformanceRow>): OddityHooks =>
  onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row, index) => ({ ...row, ...change(row, index) })));

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

/** The lists of an answer, turned about. */
function reversed(answer: ModelAnswer): ModelAnswer {
  switch (answer.kind) {
    case 'products':
      return { ...answer, rows: [...answer.rows].reverse() };
    case 'deltas':
      return { ...answer, windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: [...rows].reverse() })) };
    case 'performance':
    case 'available':
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

/** A row of a delta that is not in the bulk list, and that the look-up does not know. */
const strangers = (count: number): OddityHooks =>
  onAnswer('deltas', (answer, { world }) => ({
    ...answer,
    windows: answer.windows.map(({ weeks, rows }) => {
      const gone = Array.from({ length: count }, (_, at) => ({
        ...world.products.at(world.products.count + at, answer.asOf),
        changedOn: answer.asOf - at,
      }));
      return { weeks, rows: joinRows(rows, gone) };
    }),
  }));

/** CategoryPerformance by category alone: its rows summed over their sub-categories. */
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

const only = (name: OperationName, hooks: OddityHooks): OddityHooks => ({
  answer: (answer, context) => (context.operation.name === name ? (hooks.answer?.(answer, context) ?? answer) : answer),
});

const LONG = 'A very long description. '.repeat(400);

export const ROW_ODDITIES: readonly Oddity[] = [
  {
    name: 'row-order-changes',
    reading: 'rows',
    says: 'Every list that comes as a whole is in the opposite order at every second request.',
    start: () => {
      let turn = 0;
      return {
        // Pages of changing lists would be no pages of one list.
        answer: (answer, { query }) => (query.limit === undefined && turn++ % 2 === 1 ? reversed(answer) : answer),
      };
    },
  },
  {
    name: 'sales-negative',
    reading: 'emptiness',
    groups: ['D'],
    says: 'Returns outweigh the sales of the last four weeks in every third row.',
    start: always(
      figures(({ sales4Weeks }, index) =>
        index % 3 === 0 ? { sales4Weeks: scaled(sales4Weeks, (value) => -value - 0.01) } : {},
      ),
    ),
  },
  {
    name: 'sales-none-yet',
    reading: 'emptiness',
    groups: ['D'],
    says: 'Every fourth row has no sales at all, this year or last, and so no percentage change.',
    start: always(
      figures((_row, index) =>
        index % 4 === 0
          ? { sales4Weeks: 0, sales12Weeks: 0, sales52Weeks: 0, salesLastYear: 0, percentChange: null }
          : {},
      ),
    ),
  },
  {
    name: 'percent-null-throughout',
    reading: 'emptiness',
    groups: ['D'],
    says: 'No brand or category had sales last year, so no row has a percentage change.',
    start: always(figures(() => ({ salesLastYear: 0, percentChange: null }))),
    leaves: 'partial',
  },
  {
    name: 'percent-999-without-last-year',
    reading: 'windows',
    groups: ['D'],
    says: 'Where last year is zero the percentage change is 999.9.',
    start: always(figures(({ salesLastYear }) => (salesLastYear === 0 ? { percentChange: 999.9 } : {}))),
  },
  {
    name: 'percent-whole',
    reading: 'windows',
    groups: ['D'],
    says: 'The percentage change is rounded to whole percents.',
    start: always(rounding(0)),
    profile: { figures: { percentChange: { decimals: 0 } } },
  },
  {
    name: 'percent-two-decimals',
    reading: 'windows',
    groups: ['D'],
    says: 'The percentage change is rounded to two decimals.',
    start: always(rounding(2)),
    profile: { figures: { percentChange: { decimals: 2 } } },
  },
  {
    name: 'percent-of-four-weeks',
    reading: 'windows',
    groups: ['D'],
    says: 'The percentage change is that of the last four weeks, of which no figure of last year is shown.',
    start: always(figures((_row, index) => ({ percentChange: (index % 70) - 35 }))),
    profile: { figures: null },
    leaves: 'partial',
  },
  {
    name: 'last-year-calendar',
    reading: 'windows',
    groups: ['D'],
    says: 'Last year is the calendar year, so its sales are other ones.',
    start: always(
      figures((row) => {
        const salesLastYear = scaled(row.salesLastYear, (value) => Math.round(value * 97) / 100);
        return { salesLastYear, percentChange: percentOf({ ...row, salesLastYear }) };
      }),
    ),
  },
  {
    name: 'dollars-whole',
    reading: 'windows',
    groups: ['D'],
    says: 'Sales are rounded to whole dollars; the percentage change is computed before.',
    start: always(money(Math.round)),
  },
  {
    name: 'dollars-with-fractions-of-cents',
    reading: 'windows',
    groups: ['D'],
    says: 'Sales are written with seven decimals.',
    start: always(money((value) => (value === 0 ? 0 : Number((value + 0.0012345).toFixed(7))))),
  },
  {
    name: 'dollars-huge',
    reading: 'windows',
    groups: ['D'],
    says: 'Sales run into trillions of dollars.',
    start: always(money((value) => value * 1_000_000)),
  },
  {
    name: 'delta-week-empty',
    reading: 'emptiness',
    groups: ['C'],
    says: 'Nothing changed in the last week.',
    start: always(
      onDelta((rows, _weeks, { world }) => keepRows(rows, ({ changedOn = 0 }) => changedOn <= world.clock.asOf() - 7)),
    ),
  },
  {
    name: 'deltas-all-empty',
    reading: 'emptiness',
    groups: ['C'],
    says: 'Nothing changed in thirteen weeks.',
    start: always(onDelta(() => [])),
    leaves: 'partial',
  },
  {
    name: 'delta-of-delisted-products',
    reading: 'relations',
    groups: ['C'],
    says: 'Deltas show products that were taken out of the bulk list, and that the look-up no longer knows.',
    start: always(strangers(5)),
  },
  {
    name: 'delta-row-per-change',
    reading: 'relations',
    groups: ['C'],
    says: 'A product that changed twice stands twice in a delta.',
    start: always(onDelta((rows) => joinRows(rows, rows))),
  },
  {
    name: 'delta-by-week-ending',
    reading: 'windows',
    groups: ['C'],
    says: 'A change is dated by the Saturday that ends its week.',
    start: always(
      onDelta((rows, _weeks, { world }) =>
        changeAll(rows, (row) => {
          const { changedOn = 0 } = row;
          const asOf = world.clock.asOf();
          return { ...row, changedOn: asOf - 7 * Math.floor((asOf - changedOn) / 7) };
        }),
      ),
    ),
    profile: { dataWeek: { changedOn: 'weekEnding' } },
  },
  {
    name: 'delta-a-week-behind',
    reading: 'reload',
    groups: ['C'],
    says: 'The delta is reloaded a day after the bulk list, so its as-of and all its windows are a week older.',
    start: always(
      onAnswer('deltas', (answer) => ({
        ...answer,
        asOf: answer.asOf - 7,
        windows: answer.windows.map(({ weeks, rows }) => ({
          weeks,
          rows: changeAll(rows, (row) => ({
            ...row,
            ...(row.changedOn !== undefined && { changedOn: row.changedOn - 7 }),
          })),
        })),
      })),
    ),
  },
  {
    name: 'bulk-of-active-weeks-only',
    reading: 'windows',
    groups: ['C'],
    says: 'All products were last active in the newest data week.',
    start: always(
      onAnswer('products', (answer) => ({
        ...answer,
        rows: changeAll(answer.rows, (row) => ({ ...row, activeOn: answer.asOf })),
      })),
    ),
  },
  {
    name: 'products-without-sub-category',
    reading: 'rows',
    groups: ['C'],
    says: 'Every third product has no sub-category.',
    start: always({
      ...onBulk((rows) =>
        changeAll(rows, (row) =>
          Number(row.upc) % 3 === 0 ? ({ ...row, subCategory: undefined } as unknown as ProductRow) : row,
        ),
      ),
    }),
  },
  {
    name: 'products-with-long-texts',
    reading: 'rows',
    groups: ['C'],
    says: 'Descriptions are ten thousand characters long.',
    start: always(onProduct((product) => ({ ...product, description: LONG }))),
  },
  {
    name: 'products-with-one-characteristic',
    reading: 'rows',
    groups: ['C'],
    says: 'A product has one characteristic, and two products may share it.',
    start: always(onProduct((product) => ({ ...product, characteristics: [{ name: 'Base size', value: '1 CT' }] }))),
  },
  {
    name: 'categories-without-products',
    reading: 'emptiness',
    groups: ['C'],
    says: 'allCategories lists twenty more categories, none of which has a product.',
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
    reading: 'filters',
    groups: ['C'],
    says: 'allCategories spells the names in capitals, and the filter takes them in any case.',
    start: always({
      ...onCategories((categories) => categories.map((each) => ({ ...each, name: each.name.toUpperCase() }))),
      ask(query, { world }) {
        const { category } = query;
        const own =
          category === undefined
            ? undefined
            : [...new Set(world.sales.available().map((row) => row.category))].find(
                (each) => each?.toUpperCase() === category.toUpperCase(),
              );
        return own === undefined ? query : { ...query, category: own };
      },
    }),
  },
  {
    name: 'names-padded',
    reading: 'filters',
    groups: ['D'],
    says: 'Names of performance rows are filled up with blanks to forty characters, and filters overlook those.',
    start: always({
      ...onPerformance(PERFORMANCE_NAMES, (rows) =>
        rows.map((row) => ({
          ...row,
          ...(row.manufacturer !== undefined && { manufacturer: padded(row.manufacturer) as string }),
          ...(row.brand !== undefined && { brand: padded(row.brand) as string }),
        })),
      ),
      ask: (query) => ({
        ...query,
        ...(query.manufacturer !== undefined && { manufacturer: query.manufacturer.trim() }),
        ...(query.brand !== undefined && { brand: query.brand.trim() }),
      }),
    }),
  },
  {
    name: 'category-rows-are-no-sums',
    reading: 'relations',
    groups: ['D'],
    says: 'Category rows cover more outlets than brand rows: they are a tenth larger than their sums.',
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
  },
  {
    name: 'filter-changes-grain',
    reading: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance shows one row per category, and sub-categories only where a filter is given.',
    start: always(
      only(
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
    leaves: 'partial',
  },
  {
    name: 'category-totals-among-rows',
    reading: 'filters',
    groups: ['D'],
    says: 'CategoryPerformance shows a row per category too, which names no sub-category.',
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
