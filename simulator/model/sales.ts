/**
 * Dollar sales (sections 4.4 and 8), summed in cents from seeded weekly sales per sub-category and brand. So the windows
 * nest, a category is the sum of its brands, and a reload moves every figure by one week.
 */
import { LIMITS, MARKET_NAMES, type SALES_FILTERS } from '../../src/contract/index.ts';
import type { CategoryAssortment } from './assortment.ts';
import { mix } from './random.ts';
import type { Day, PerformanceRow, Query, SalesNames } from './types.ts';

const [SHORT, MIDDLE, LONG] = LIMITS.salesWeeks;
const SALT = { base: 11, week: 12 } as const;
// A brand launched this recently has no sales last year, so its percentage change is undefined.
const LAUNCH_WEEKS_AGO = 20;
const LAUNCHED_EVERY = 11;

interface Sums {
  readonly names: Required<SalesNames>;
  readonly short: number;
  readonly middle: number;
  readonly long: number;
  readonly lastYear: number;
}

/** (this − last year) ÷ last year × 100, rounded to one decimal; null when last year is zero. */
export const percentChange = (sales: number, lastYear: number): number | null =>
  lastYear === 0 ? null : Math.round(((sales - lastYear) / lastYear) * 1000) / 10;

const figures = ({ short, middle, long, lastYear }: Omit<Sums, 'names'>) => ({
  market: MARKET_NAMES.performance,
  sales4Weeks: short / 100,
  sales12Weeks: middle / 100,
  sales52Weeks: long / 100,
  salesLastYear: lastYear / 100,
  percentChange: percentChange(long, lastYear),
});

export interface Sales {
  /** Every combination of names that has sales. */
  filterNames(): readonly Required<SalesNames>[];
  /** One row per combination that matches all names of the query. */
  byBrand(asOf: Day, query: Query): PerformanceRow[];
  /** One row per category and sub-category: the sums of the matching brand rows. */
  byCategory(asOf: Day, query: Query): PerformanceRow[];
}

/** Creates the sales of a seed. Launches count from `start`, the first as-of date. */
export function createSales(seed: number, start: Day, assortment: readonly CategoryAssortment[]): Sales {
  const cells = assortment.flatMap((entry, at) =>
    entry.brands.map(({ manufacturer, brand }, nth) => ({
      names: { category: entry.category, subCategory: entry.subCategory, manufacturer, brand },
      // Every brand of the last sub-category is new, so that one category row has no percentage change, too.
      launched: at === assortment.length - 1 || (at * entry.brands.length + nth) % LAUNCHED_EVERY === 5,
    })),
  );
  const weekOf = (day: Day): number => Math.floor(day / 7);
  const launchWeek = weekOf(start) - LAUNCH_WEEKS_AGO;

  const sumCell = (cell: number, asOf: Day): Sums => {
    const { names, launched } = cells[cell]!;
    const base = 50_000 + (mix(seed, cell, SALT.base) % 5_000_000);
    const sum = (from: number, weeks: number): number => {
      let cents = 0;
      for (let week = from; week > from - weeks; week -= 1) {
        if (launched && week < launchWeek) break;
        cents += base + Math.round((base * (mix(seed, cell, SALT.week, week) % 1000)) / 2500);
      }
      return cents;
    };
    const now = weekOf(asOf);
    return {
      names,
      short: sum(now, SHORT),
      middle: sum(now, MIDDLE),
      long: sum(now, LONG),
      lastYear: sum(now - LONG, LONG),
    };
  };
  const matches = (names: Required<SalesNames>, query: Query): boolean =>
    (['category', 'subCategory', 'manufacturer', 'brand'] as const).every(
      (name) => query[name] === undefined || query[name] === names[name],
    );
  const sums = (asOf: Day, query: Query): Sums[] =>
    cells.flatMap(({ names }, cell) => (matches(names, query) ? [sumCell(cell, asOf)] : []));

  return {
    filterNames: () => cells.map(({ names }) => names),
    byBrand: (asOf, query) => sums(asOf, query).map((each) => ({ ...each.names, ...figures(each) })),
    byCategory(asOf, query) {
      const bySubCategory = Map.groupBy(sums(asOf, query), ({ names }) =>
        JSON.stringify([names.category, names.subCategory]),
      );
      return [...bySubCategory.values()].map((rows) => {
        const total = (pick: (each: Sums) => number): number => rows.reduce((sum, each) => sum + pick(each), 0);
        const { category, subCategory } = rows[0]!.names;
        return {
          category,
          subCategory,
          ...figures({
            short: total((each) => each.short),
            middle: total((each) => each.middle),
            long: total((each) => each.long),
            lastYear: total((each) => each.lastYear),
          }),
        };
      });
    },
  };
}

/** One row for each combination of these names: the sums of the rows with them. */
export function salesTotals(
  rows: readonly PerformanceRow[],
  names: readonly (typeof SALES_FILTERS)[number][],
): PerformanceRow[] {
  const sum = (
    parts: readonly PerformanceRow[],
    name: 'sales4Weeks' | 'sales12Weeks' | 'sales52Weeks' | 'salesLastYear',
  ) => Math.round(parts.reduce((total, row) => total + (typeof row[name] === 'number' ? row[name] : 0), 0) * 100) / 100;
  return [...Map.groupBy(rows, (row) => JSON.stringify(names.map((name) => row[name]))).values()].map((parts) => {
    const first = parts[0] as PerformanceRow;
    const total = {
      sales4Weeks: sum(parts, 'sales4Weeks'),
      sales12Weeks: sum(parts, 'sales12Weeks'),
      sales52Weeks: sum(parts, 'sales52Weeks'),
      salesLastYear: sum(parts, 'salesLastYear'),
    };
    const own = Object.fromEntries(names.flatMap((name) => (name in first ? [[name, first[name]]] : [])));
    return {
      ...own,
      market: first.market,
      ...total,
      percentChange: percentChange(total.sales52Weeks, total.salesLastYear),
    };
  });
}
