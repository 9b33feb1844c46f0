/**
 * Products, computed from seed and index on request and never stored (sections 2, 4.3 and 8), so that a million products
 * stream in constant memory. Dates are absolute: the windows move when the clock moves by a week.
 */
import { LIMITS, MARKET_NAMES } from '../../src/contract/index.ts';
import type { CategoryAssortment } from './assortment.ts';
import { iterable } from './iterable.ts';
import { mix, wrap } from './random.ts';
import type { Characteristic, Day, Product, ProductRow } from './types.ts';
import { indexOfUpc, upcAt } from './upc.ts';

/** Salts of independent random values. */
const SALT = { entry: 1, brand: 2, active: 3, change: 4, often: 5, traits: 6, first: 7 } as const;

export const HISTORY_DAYS = LIMITS.historyWeeks * 7;
// Most products change every 65 weeks, one in fifty every week: about 3, 8 and 22 % within 1, 4 and 13 weeks.
const CHANGE_DAYS = 65 * 7;
const ONE_IN_CHANGES_WEEKLY = 50;

/** Days of change before the first as-of date, per index, so that both edges of each window always have a product. */
const PINNED_CHANGES: readonly (number | undefined)[] = [undefined, 0, 6, 7, 27, 28, 90, 91];
const PINNED_ACTIVE = new Map([
  [0, 0],
  [8, HISTORY_DAYS - 1],
]);

// One event in five is the first activity of a product, or its first one after a gap; all others change a known product.
const ONE_IN_FIRST = 5;

const SIZES = ['100 g', '250 g', '500 g', '1 kg', '330 ml', '1 l'] as const;
const PACKS = ['single', 'twin pack', 'six-pack'] as const;
const FORMS = ['regular', 'light', 'extra', 'family'] as const;

/** Selects products by their category. */
export type CategoryFilter = (names: Pick<ProductRow, 'category' | 'categoryId'>) => boolean;

export interface Products {
  readonly count: number;
  at(index: number, asOf: Day): ProductRow;
  byUpc(upc: string, asOf: Day): Product | undefined;
  /** All products in index order, filtered by `matches`. */
  rows(asOf: Day, matches?: CategoryFilter): Iterable<ProductRow>;
  /** Products new or changed in the data weeks that end at the as-of date: from `asOf − 7·weeks + 1` to `asOf`. */
  changed(asOf: Day, weeks: number, matches?: CategoryFilter): Iterable<ProductRow>;
}

/** Creates the products of a seed. The pinned dates count from `start`, the first as-of date. */
export function createProducts(
  seed: number,
  count: number,
  start: Day,
  assortment: readonly CategoryAssortment[],
): Products {
  const pick = (index: number, salt: number, size: number): number => mix(seed, index, salt) % size;
  // The first products have one sub-category each, so that even a small world has all sub-categories.
  const entryOf = (index: number): CategoryAssortment =>
    assortment[index < assortment.length ? index : pick(index, SALT.entry, assortment.length)] as CategoryAssortment;
  const activeOn = (index: number, asOf: Day): Day => {
    const pinned = PINNED_ACTIVE.get(index);
    const phase = pinned === undefined ? pick(index, SALT.active, HISTORY_DAYS) : start - pinned;
    return asOf - wrap(asOf - phase, HISTORY_DAYS);
  };
  /** The day of the latest event of a product: a change, or its first activity. */
  const latestOn = (index: number, asOf: Day): Day => {
    const pinned = PINNED_CHANGES[index];
    const changesWeekly = pinned === undefined && pick(index, SALT.often, ONE_IN_CHANGES_WEEKLY) === 0;
    const phase = pinned === undefined ? pick(index, SALT.change, CHANGE_DAYS) : start - pinned;
    return asOf - wrap(asOf - phase, changesWeekly ? 7 : CHANGE_DAYS);
  };
  const changedOn = (index: number, asOf: Day): Day | undefined => {
    const latest = latestOn(index, asOf);
    return asOf - latest < HISTORY_DAYS ? latest : undefined;
  };
  const firstActiveOn = (index: number, asOf: Day): Day =>
    pick(index, SALT.first, ONE_IN_FIRST) === 0
      ? latestOn(index, asOf)
      : start - 2 * CHANGE_DAYS - pick(index, SALT.first, 3000);
  const brandOf = (index: number, entry: CategoryAssortment) =>
    entry.brands[pick(index, SALT.brand, entry.brands.length)] as CategoryAssortment['brands'][number];

  const at = (index: number, asOf: Day): ProductRow => {
    const entry = entryOf(index);
    const { manufacturer, brand } = brandOf(index, entry);
    const traits = mix(seed, index, SALT.traits);
    const changed = changedOn(index, asOf);
    return {
      upc: upcAt(index),
      description: `${brand} ${entry.subCategory} ${SIZES[traits % SIZES.length]}`,
      category: entry.category,
      categoryId: entry.categoryId,
      subCategory: entry.subCategory,
      manufacturer,
      brand,
      market: MARKET_NAMES.products,
      activeOn: activeOn(index, asOf),
      firstActiveOn: firstActiveOn(index, asOf),
      ...(changed !== undefined && { changedOn: changed }),
    };
  };
  const characteristics = (index: number, row: ProductRow): Characteristic[] => {
    const traits = mix(seed, index, SALT.traits);
    return [
      { name: 'Brand', value: row.brand },
      { name: 'Size', value: SIZES[traits % SIZES.length] as string },
      { name: 'Pack', value: PACKS[(traits >>> 8) % PACKS.length] as string },
      { name: 'Form', value: FORMS[(traits >>> 16) % FORMS.length] as string },
    ];
  };
  return {
    count,
    at,
    byUpc(upc, asOf) {
      const index = indexOfUpc(upc);
      if (index === undefined || index >= count) return undefined;
      const row = at(index, asOf);
      return { ...row, characteristics: characteristics(index, row) };
    },
    rows: (asOf, matches) =>
      iterable(function* () {
        for (let index = 0; index < count; index += 1) if (!matches || matches(entryOf(index))) yield at(index, asOf);
      }),
    changed: (asOf, weeks, matches) =>
      iterable(function* () {
        const first = asOf - 7 * weeks + 1;
        for (let index = 0; index < count; index += 1) {
          const changed = changedOn(index, asOf);
          if (changed === undefined || changed < first) continue;
          if (matches && !matches(entryOf(index))) continue;
          const row = at(index, asOf);
          yield {
            ...row,
            changeKind: row.firstActiveOn >= first ? 'new' : 'changed',
            characteristics: characteristics(index, row),
          };
        }
      }),
  };
}
