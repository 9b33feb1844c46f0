/** Oddities of the figures of group D: sales, their units and windows, percentage changes (section 4.4). */
import { onPerformance, PERFORMANCE_NAMES } from '../faults/hooks.ts';
import { percentChange } from '../model/sales.ts';
import type { Figure, PerformanceRow } from '../model/types.ts';
import { always } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** A number that depends on the names of a row only, so that a row is the same in filtered and unfiltered responses. */
const numberOf = ({ category, subCategory, manufacturer, brand }: PerformanceRow): number =>
  [...[category, subCategory, manufacturer, brand].join()].reduce((sum, char) => sum + char.charCodeAt(0), 0);

/** Changes the figures of every performance row. */
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

export const FIGURE_ODDITIES: readonly Oddity[] = [
  {
    name: 'sales-reduced-by-returns',
    legalBasis: 'emptiness',
    groups: ['D'],
    says: 'Returns reduce the sales of twelve weeks to zero, below those of four weeks.',
    start: always(onPerformance(PERFORMANCE_NAMES, (rows) => rows.map((row) => ({ ...row, sales12Weeks: 0 })))),
    profile: { figures: { windowsOrdered: null } },
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
    profile: { figures: { sums: null } },
  },
  {
    name: 'dollars-huge',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'Sales are trillions of dollars.',
    start: always(money((value) => value * 1_000_000)),
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
];
