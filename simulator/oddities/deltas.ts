/** Oddities of deltas: which products they contain, their kinds of change and their dates (sections 4.3 and 8). */
import { LIMITS } from '../../src/contract/index.ts';
import { add, every } from '../deviations/changes.ts';
import {
  changeProductLists,
  filterRows,
  joinRows,
  onAnswer,
  onBulk,
  onDelta,
  onProductRows,
  onWindow,
  stating,
} from '../deviations/places.ts';
import type { Hooks } from '../deviations/types.ts';
import { unchanged, unlisted, withoutCheckDigit } from '../faults/delta.ts';
import { asFourWeeks } from '../faults/filtered-lists.ts';
import { iterable, mapRows } from '../model/iterable.ts';
import type { Day, ProductRow } from '../model/types.ts';
import { type Oddity, oddity, partialOddity } from './oddity.ts';

/** The dialects whose deltas show kinds of change. */
const WITH_KINDS = ['reference', 'hypermedia', 'tabular', 'soap'] as const;

/** Adds delta rows of products that are neither in the bulk list nor known to the look-up. */
const delistedProducts = (count: number, cells: Partial<ProductRow> = {}): Hooks =>
  onDelta(
    add(({ world }) =>
      Array.from({ length: count }, (_, at) => ({
        ...unlisted(world, at),
        changedOn: world.clock.asOf() - at,
        ...cells,
      })),
    ),
  );

/** No product has an event after a day: neither a date nor a row of a delta. */
const withoutChangesAfter = (lastDay: (asOf: Day) => Day): Hooks => {
  const isEarlier = ({ changedOn = 0 }: ProductRow, asOf: Day) => changedOn <= lastDay(asOf);
  const dates = onProductRows((row, asOf) =>
    isEarlier(row, asOf) ? row : { ...row, changedOn: undefined, firstActiveOn: asOf - 3650 },
  );
  return {
    answer(answer, context) {
      const asOf = context.world.clock.asOf();
      return answer.kind === 'deltas'
        ? changeProductLists(answer, (rows) => filterRows(rows, (row) => isEarlier(row, asOf)))
        : (dates.answer?.(answer, context) ?? answer);
    },
  };
};

/** Changes cells of every n-th product. */
const everyNth = (nth: number, cells: Parameters<typeof every<ProductRow>>[0]) =>
  every<ProductRow>((row, context) =>
    Number(row.upc) % nth === 0 ? (typeof cells === 'function' ? cells(row, context) : cells) : {},
  );

/** The Saturday that ends the week of a day. */
const weekEnding = (day: Day, asOf: Day): Day => asOf - 7 * Math.floor((asOf - day) / 7);

export const DELTA_ODDITIES: readonly Oddity[] = [
  oddity('delta-of-further-windows', 'extras', 'C', {
    says: 'The delta of 2 or 3 weeks succeeds, too: it is that of 4 weeks; the profile states nothing about other windows.',
    dialects: ['reference'],
    profile: stating(['updateProducts'], { statuses: null }),
    hooks: asFourWeeks(2, 3),
  }),
  oddity('delta-week-empty', 'emptiness', 'C', {
    says: 'No product changed in the last week.',
    hooks: withoutChangesAfter((asOf) => asOf - 7),
  }),
  oddity('bulk-list-with-the-day-52-weeks-before', 'windows', 'C', {
    says: 'The bulk list contains a product that was last active exactly 52 weeks before the as-of date, although no delta contains the day exactly its weeks before.',
    hooks: onAnswer('products', (answer, { world: { products } }) => {
      const { upc } = products.at(products.count - 1, answer.asOf);
      const activeOn = answer.asOf - 7 * LIMITS.historyWeeks;
      return { ...answer, rows: mapRows(answer.rows, (row) => (row.upc === upc ? { ...row, activeOn } : row)) };
    }),
    profile: { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } },
  }),
  partialOddity('deltas-all-empty', 'emptiness', 'C', {
    says: 'No product changed in thirteen weeks.',
    hooks: withoutChangesAfter((asOf) => asOf - 7 * 13),
  }),
  partialOddity('delta-of-delisted-products', 'relations', 'C', {
    says: 'Deltas contain products that are no longer in the bulk list and are unknown to the look-up.',
    hooks: delistedProducts(5),
    profile: { delta: { withinBulk: null, inLookUp: null } },
  }),
  oddity('delta-of-removed-products', 'relations', 'C', {
    says: 'Deltas contain rows of removed products, which are not in the bulk list and are unknown to the look-up.',
    dialects: WITH_KINDS,
    hooks: delistedProducts(6, { changeKind: 'removed' }),
  }),
  oddity('delta-of-removed-and-returned-products', 'relations', 'C', {
    says: 'Deltas show some products as removed that have returned to the bulk list, and others as changed and as removed.',
    dialects: WITH_KINDS,
    hooks: onDelta((rows, context) => {
      const both = ['changed', 'removed'].map((changeKind) => ({
        ...unlisted(context.world),
        changedOn: context.world.clock.asOf(),
        changeKind,
      }));
      return joinRows(everyNth(5, { changeKind: 'removed' })(rows, context), both);
    }),
    profile: { delta: { removedUnlisted: null } },
  }),
  oddity('delta-new-after-a-gap', 'relations', 'C', {
    says: 'Deltas call every fifth product new because it returned after a gap; the profile does not say by which date.',
    dialects: WITH_KINDS,
    hooks: onDelta(everyNth(5, { changeKind: 'new' })),
    profile: { delta: { newBy: null } },
  }),
  oddity('delta-new-and-changed', 'relations', 'C', {
    says: 'A product that is new in a window and changed since has a row for each.',
    dialects: WITH_KINDS,
    hooks: onDelta((rows) =>
      iterable(function* () {
        for (const row of rows) {
          yield row;
          if (row.changeKind === 'new') yield { ...row, changeKind: 'changed' };
        }
      }),
    ),
  }),
  oddity('delta-of-removed-products-still-listed', 'relations', 'C', {
    says: 'Deltas show products as removed that the bulk list still contains, with dates before the window.',
    dialects: WITH_KINDS,
    hooks: onDelta(
      add((context) => {
        const changedOn = context.world.clock.asOf() - 1;
        return [...unchanged(context)].slice(0, 5).map((row) => ({ ...row, changedOn, changeKind: 'removed' }));
      }),
    ),
    profile: { delta: { removedUnlisted: null } },
  }),
  oddity('delta-of-products-with-own-numbers', 'rows', 'C', {
    says: 'A removed product has a number of the service in place of a UPC with a check digit.',
    dialects: WITH_KINDS,
    hooks: onWindow(13, add(withoutCheckDigit)),
    profile: { upc: { checkDigit: null } },
  }),
  oddity('delta-kinds-of-some-rows', 'rows', 'C', {
    says: 'Every second row of a delta shows no kind of change.',
    dialects: WITH_KINDS,
    hooks: onDelta(everyNth(2, { changeKind: undefined })),
  }),
  oddity('delta-row-per-change', 'relations', 'C', {
    says: 'A product that changed twice appears twice in a delta.',
    hooks: onDelta((rows) => joinRows(rows, rows)),
  }),
  oddity('delta-by-week-ending', 'windows', 'C', {
    says: 'A change is dated by the Saturday that ends its week.',
    hooks: onProductRows((row, asOf) => ({
      ...row,
      firstActiveOn: weekEnding(row.firstActiveOn, asOf),
      ...(row.changedOn !== undefined && { changedOn: weekEnding(row.changedOn, asOf) }),
    })),
    profile: { dataWeek: { changedOn: 'weekEnding', firstActiveOn: 'weekEnding' } },
  }),
  oddity('list-with-later-dates', 'relations', 'C', {
    says: 'The bulk list shows changes from the moment they happen, so products that changed again have a date after the as-of date.',
    hooks: onBulk(everyNth(5, (_row, { world }) => ({ changedOn: world.clock.asOf() + 2 }))),
  }),
];
