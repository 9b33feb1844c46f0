/**
 * Dollar sales (sections 4.4 and 8), summed from seeded weekly sales of each brand on each shelf: so the windows nest, a
 * category is the sum of its brands, and a reload moves every figure by one week. Sums are kept in cents.
 */
import { LIMITS } from '../../src/contract/index.ts';
import type { CategoryAssortment } from './assortment.ts';
import { mix } from './random.ts';
import type { Day, PerformanceRow, Query, SalesNames } from './types.ts';

const [SHORT, MIDDLE, LONG] = LIMITS.salesWeeks;
const SALT = { base: 11, week: 12 } as const;
// What was launched so recently sold nothing last year, which leaves its percentage change undefined.
const LAUNCH_WEEKS_AGO = 20;
const LAUNCHED_EVERY = 11;

interface Sums {
  readonly names: Required<SalesNames>;
  readonly short: number;
  readonly middle: number;
  readonly long: number;
  readonly lastYear: number;
}

/** (this − last year) ÷ last year × 100, rounded to one decimal; null where last year was zero. */
export const percentChange = (sales: number, lastYear: number): number | null =>
  lastYear === 0 ? null : Math.round(((sales - lastYear) / lastYear) * 1000) / 10;

const figures = ({ short, middle, long, lastYear }: Omit<Sums, 'names'>) => ({
  market: LIMITS.market,
  sales4Weeks: short / 100,
  sales12Weeks: middle / 100,
  sales52Weeks: long / 100,
  salesLastYear: lastYear / 100,
  percentChange: percentChange(long, lastYear),
});

export interface Sales {
  /** Every combination of names that has sales. */
  available(): readonly Required<SalesNames>[];
  /** One row per combination that fits all names asked for. */
  byBrand(asOf: Day, asked: Query): PerformanceRow[];
  /** One row per category and sub-category: the sums of the brand rows that fit. */
  byCategory(asOf: Day, asked: Query): PerformanceRow[];
}

/** The sales of a seed; `start` is the as-of that launches are counted from. */
export function createSales(seed: number, start: Day, shelves: readonly CategoryAssortment[]): Sales {
  const cells = shelves.flatMap((shelf, at) =>
    shelf.brands.map(({ manufacturer, brand }, nth) => ({
      names: { category: shelf.category, subCategory: shelf.subCategory, manufacturer, brand },
      // The whole last shelf is new, so that a category row meets the missing percentage too.
      launched: at === shelves.length - 1 || (at * shelf.brands.length + nth) % LAUNCHED_EVERY === 5,
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
  const fits = (names: Required<SalesNames>, asked: Query): boolean =>
    (['category', 'subCategory', 'manufacturer', 'brand'] as const).every(
      (name) => asked[name] === undefined || asked[name] === names[name],
    );
  const sums = (asOf: Day, asked: Query): Sums[] =>
    cells.flatMap(({ names }, cell) => (fits(names, asked) ? [sumCell(cell, asOf)] : []));

  return {
    available: () => cells.map(({ names }) => names),
    byBrand: (asOf, asked) => sums(asOf, asked).map((each) => ({ ...each.names, ...figures(each) })),
    byCategory(asOf, asked) {
      const byShelf = Map.groupBy(sums(asOf, asked), ({ names }) =>
        JSON.stringify([names.category, names.subCategory]),
      );
      return [...byShelf.values()].map((rows) => {
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
