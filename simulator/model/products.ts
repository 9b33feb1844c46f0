/**
 * Products, computed from seed and index on request and never stored (sections 2, 4.3 and 8), so that a million products
 * stream in constant memory. Dates are absolute: the windows move when the clock moves by a week.
 */
import { LIMITS, MARKET_NAMES } from '../../src/contract/index.ts';
import type { CategoryAssortment } from './assortment.ts';
import { iterable } from './iterable.ts';
import { mix, wrap } from './random.ts';
import type { Characteristic, Day, Product, ProductRow } from './types.ts';
import { indexOfUpc, MAX_PRODUCTS, upcAt } from './upc.ts';

/** Salts of independent random values. */
const SALT = { entry: 1, brand: 2, active: 3, change: 4, often: 5, traits: 6, first: 7 } as const;

export const HISTORY_DAYS = LIMITS.historyWeeks * 7;
// Most products change every 65 weeks, one in fifty every week: about 3, 8 and 22 % within 1, 4 and 13 weeks.
const CHANGE_DAYS = 65 * 7;
const ONE_IN_CHANGES_WEEKLY = 50;

/** Days of change before the first as-of date, per index, so that both edges of each window always have a product. */
const PINNED_CHANGES: readonly (number | undefined)[] = [undefined, 0, 6, 7, 27, 28, 90, 91, undefined, 3];
/** The pinned products that each window shows as new. The first ones are old, because profiles have them as examples. */
const PINNED_YOUNG: ReadonlySet<number> = new Set([4, 6, 9]);
const PINNED_ACTIVE = new Map([
  [0, 0],
  [8, HISTORY_DAYS - 1],
]);

// One product in five was first active at its latest event before the start; all others are older.
const ONE_IN_FIRST = 5;
/** Each week after the start brings one new product for so many. */
const PRODUCTS_PER_NEW_ONE = 250;

const SIZES = ['100 g', '250 g', '500 g', '1 kg', '330 ml', '1 l'] as const;
const PACKS = ['single', 'twin pack', 'six-pack'] as const;
const FORMS = ['regular', 'light', 'extra', 'family'] as const;

/** Selects products by their category. */
export type CategoryFilter = (names: Pick<ProductRow, 'category' | 'categoryId'>) => boolean;

export interface Products {
  /** The number of products at the start. */
  readonly count: number;
  at(index: number, asOf: Day): ProductRow;
  byUpc(upc: string, asOf: Day): Product | undefined;
  /** All products known at the date, in index order, filtered by `matches`. */
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
  const newPerWeek = Math.ceil(count / PRODUCTS_PER_NEW_ONE);
  const changesWeekly = (index: number): boolean =>
    PINNED_CHANGES[index] === undefined && pick(index, SALT.often, ONE_IN_CHANGES_WEEKLY) === 0;
  const eventOn = (index: number, asOf: Day): Day => {
    const pinned = PINNED_CHANGES[index];
    const phase = pinned === undefined ? pick(index, SALT.change, CHANGE_DAYS) : start - pinned;
    return asOf - wrap(asOf - phase, changesWeekly(index) ? 7 : CHANGE_DAYS);
  };
  /** The day on which a product was first active, which never changes. Before it the product is unknown. */
  const firstActiveOn = (index: number): Day => {
    if (index >= count) return start + 7 * Math.floor((index - count) / newPerWeek) + 1 + pick(index, SALT.first, 7);
    const isPinned = index < PINNED_CHANGES.length || PINNED_ACTIVE.has(index);
    const isYoung = isPinned
      ? PINNED_YOUNG.has(index)
      : pick(index, SALT.first, ONE_IN_FIRST) === 0 && !changesWeekly(index);
    return isYoung ? eventOn(index, start) : start - 2 * CHANGE_DAYS - pick(index, SALT.first, 3000);
  };
  /** One more than the largest index of a product that may be known. */
  const endAt = (asOf: Day): number =>
    Math.min(MAX_PRODUCTS, count + newPerWeek * Math.max(0, Math.ceil((asOf - start) / 7)));
  const isKnown = (index: number, asOf: Day): boolean =>
    (index < count && asOf >= start) || firstActiveOn(index) <= asOf;
  /** A product that is not known yet is shown as an old one: faults and oddities name products that no list contains. */
  const shownFirstActiveOn = (index: number, asOf: Day): Day =>
    isKnown(index, asOf) ? firstActiveOn(index) : start - 2 * CHANGE_DAYS;
  const activeOn = (index: number, asOf: Day): Day => {
    const pinned = PINNED_ACTIVE.get(index);
    const phase = pinned === undefined ? pick(index, SALT.active, HISTORY_DAYS) : start - pinned;
    return Math.max(asOf - wrap(asOf - phase, HISTORY_DAYS), shownFirstActiveOn(index, asOf));
  };
  /** The day of the latest event of a product: a change, or its first activity. */
  const latestOn = (index: number, asOf: Day): Day => Math.max(eventOn(index, asOf), shownFirstActiveOn(index, asOf));
  const changedOn = (index: number, asOf: Day): Day | undefined => {
    const latest = latestOn(index, asOf);
    return asOf - latest < HISTORY_DAYS ? latest : undefined;
  };
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
      firstActiveOn: shownFirstActiveOn(index, asOf),
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
      if (index === undefined || index >= endAt(asOf) || !isKnown(index, asOf)) return undefined;
      const row = at(index, asOf);
      return { ...row, characteristics: characteristics(index, row) };
    },
    rows: (asOf, matches) =>
      iterable(function* () {
        const end = endAt(asOf);
        for (let index = 0; index < end; index += 1)
          if ((!matches || matches(entryOf(index))) && isKnown(index, asOf)) yield at(index, asOf);
      }),
    changed: (asOf, weeks, matches) =>
      iterable(function* () {
        const first = asOf - 7 * weeks + 1;
        const end = endAt(asOf);
        for (let index = 0; index < end; index += 1) {
          const changed = changedOn(index, asOf);
          if (changed === undefined || changed < first || !isKnown(index, asOf)) continue;
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
