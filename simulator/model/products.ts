/**
 * Products, made from seed and index whenever they are asked for and never stored (sections 2, 4.3 and 8): a million
 * stream in constant memory. Dates are absolute, so that moving the clock by a week moves the windows over them.
 */
import { LIMITS } from '../../src/contract/index.ts';
import type { CategoryAssortment } from './assortment.ts';
import { mix, wrap } from './random.ts';
import type { Characteristic, Day, Product, ProductRow } from './types.ts';
import { indexOfUpc, upcAt } from './upc.ts';

const SALT = { shelf: 1, brand: 2, active: 3, change: 4, often: 5, traits: 6 } as const;

const HISTORY_DAYS = LIMITS.historyWeeks * 7;
// A change every 65 weeks for most and each week for one in fifty: near 3, 8 and 22 % within 1, 4 and 13 weeks.
const CHANGE_DAYS = 65 * 7;
const OFTEN = 50;

/** Days before the first as-of at which single products stand, so that both edges of each window are always met. */
const PINNED_CHANGES: readonly (number | undefined)[] = [undefined, 0, 6, 7, 27, 28, 90, 91];
const PINNED_ACTIVE = new Map([
  [0, 0],
  [8, HISTORY_DAYS - 1],
]);

const SIZES = ['100 g', '250 g', '500 g', '1 kg', '330 ml', '1 l'] as const;
const PACKS = ['single', 'twin pack', 'six-pack'] as const;
const FORMS = ['regular', 'light', 'extra', 'family'] as const;

export interface Products {
  readonly count: number;
  at(index: number, asOf: Day): ProductRow;
  byUpc(upc: string, asOf: Day): Product | undefined;
  /** All products in the order of their index, those of one category where `keeps` says so. */
  rows(asOf: Day, keeps?: (shelf: CategoryAssortment) => boolean): Iterable<ProductRow>;
  /** Products new or changed in the data weeks that end at the as-of: from `asOf − 7·weeks + 1` to `asOf`. */
  changed(asOf: Day, weeks: number, keeps?: (shelf: CategoryAssortment) => boolean): Iterable<ProductRow>;
}

/** Lists can be walked any number of times. */
const walk = <T>(make: () => Generator<T>): Iterable<T> => ({ [Symbol.iterator]: make });

/** The products of a seed; `start` is the as-of the pinned dates are counted from. */
export function createProducts(
  seed: number,
  count: number,
  start: Day,
  shelves: readonly CategoryAssortment[],
): Products {
  const pick = (index: number, salt: number, size: number): number => mix(seed, index, salt) % size;
  // The first products fill one shelf each, so that even a small world has all of them.
  const shelfOf = (index: number): CategoryAssortment =>
    shelves[index < shelves.length ? index : pick(index, SALT.shelf, shelves.length)] as CategoryAssortment;
  const activeOn = (index: number, asOf: Day): Day => {
    const pinned = PINNED_ACTIVE.get(index);
    const phase = pinned === undefined ? pick(index, SALT.active, HISTORY_DAYS) : start - pinned;
    return asOf - wrap(asOf - phase, HISTORY_DAYS);
  };
  const changedOn = (index: number, asOf: Day): Day | undefined => {
    const pinned = PINNED_CHANGES[index];
    const often = pinned === undefined && pick(index, SALT.often, OFTEN) === 0;
    const phase = pinned === undefined ? pick(index, SALT.change, CHANGE_DAYS) : start - pinned;
    const age = wrap(asOf - phase, often ? 7 : CHANGE_DAYS);
    return age < HISTORY_DAYS ? asOf - age : undefined;
  };
  const brandOf = (index: number, shelf: CategoryAssortment) =>
    shelf.brands[pick(index, SALT.brand, shelf.brands.length)] as CategoryAssortment['brands'][number];

  const at = (index: number, asOf: Day): ProductRow => {
    const shelf = shelfOf(index);
    const { manufacturer, brand } = brandOf(index, shelf);
    const traits = mix(seed, index, SALT.traits);
    const changed = changedOn(index, asOf);
    return {
      upc: upcAt(index),
      description: `${brand} ${shelf.subCategory} ${SIZES[traits % SIZES.length]}`,
      category: shelf.category,
      categoryId: shelf.categoryId,
      subCategory: shelf.subCategory,
      manufacturer,
      brand,
      market: LIMITS.productMarket,
      activeOn: activeOn(index, asOf),
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
    rows: (asOf, keeps) =>
      walk(function* () {
        for (let index = 0; index < count; index += 1) if (!keeps || keeps(shelfOf(index))) yield at(index, asOf);
      }),
    changed: (asOf, weeks, keeps) =>
      walk(function* () {
        const first = asOf - 7 * weeks + 1;
        for (let index = 0; index < count; index += 1) {
          const changed = changedOn(index, asOf);
          if (changed === undefined || changed < first) continue;
          if (!keeps || keeps(shelfOf(index))) yield at(index, asOf);
        }
      }),
  };
}
