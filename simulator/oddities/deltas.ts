/** Oddities of deltas: which products they contain, their kinds of change and their dates (sections 4.3 and 8). */
import { LIMITS } from '../../src/contract/index.ts';
import { withoutCheckDigit } from '../faults/delta.ts';
import { onAnswer, onBulk, onDelta } from '../faults/hooks.ts';
import { filterRows, joinRows } from '../faults/rows.ts';
import { iterable, mapRows } from '../model/iterable.ts';
import type { Day, ProductRow } from '../model/types.ts';
import { always, onProductRows } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

/** The dialects whose deltas show kinds of change. */
const WITH_KINDS = ['reference', 'hypermedia', 'tabular', 'soap'] as const;

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

/** No product has an event after a day: neither a date nor a row of a delta. */
const withoutChangesAfter = (lastDay: (asOf: Day) => Day): OddityHooks => {
  const isEarlier = ({ changedOn = 0 }: ProductRow, asOf: Day) => changedOn <= lastDay(asOf);
  const dates = onProductRows((row, asOf) => {
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

export const DELTA_ODDITIES: readonly Oddity[] = [
  {
    name: 'delta-of-further-windows',
    legalBasis: 'extras',
    groups: ['C'],
    says: 'The delta of 2 or 3 weeks succeeds, too: it is that of 4 weeks; the profile states nothing about other windows.',
    dialects: ['reference'],
    profile: { operations: { 'GET /PLATFORMAPI/prodRef/v1/updateProducts': { statuses: null } } },
    start: always({
      query: (query) => (query.window === 2 || query.window === 3 ? { ...query, window: 4 } : query),
    }),
  },
  {
    name: 'delta-week-empty',
    legalBasis: 'emptiness',
    groups: ['C'],
    says: 'No product changed in the last week.',
    start: always(withoutChangesAfter((asOf) => asOf - 7)),
  },
  {
    name: 'bulk-list-with-the-day-52-weeks-before',
    legalBasis: 'windows',
    groups: ['C'],
    says: 'The bulk list contains a product that was last active exactly 52 weeks before the as-of date, although no delta contains the day exactly its weeks before.',
    start: always(
      onAnswer('products', (answer, { world: { products } }) => {
        const { upc } = products.at(products.count - 1, answer.asOf);
        const activeOn = answer.asOf - 7 * LIMITS.historyWeeks;
        return { ...answer, rows: mapRows(answer.rows, (row) => (row.upc === upc ? { ...row, activeOn } : row)) };
      }),
    ),
    profile: { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } },
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
    profile: { delta: { removedUnlisted: null } },
  },
  {
    name: 'delta-new-after-a-gap',
    legalBasis: 'relations',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'Deltas call every fifth product new because it returned after a gap; the profile does not say by which date.',
    start: always(
      onDelta((rows) => mapRows(rows, (row) => (Number(row.upc) % 5 === 0 ? { ...row, changeKind: 'new' } : row))),
    ),
    profile: { delta: { newBy: null } },
  },
  {
    name: 'delta-new-and-changed',
    legalBasis: 'relations',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'A product that is new in a window and changed since has a row for each.',
    start: always(
      onDelta((rows) =>
        iterable(function* () {
          for (const row of rows) {
            yield row;
            if (row.changeKind === 'new') yield { ...row, changeKind: 'changed' };
          }
        }),
      ),
    ),
  },
  {
    name: 'delta-of-removed-products-still-listed',
    legalBasis: 'relations',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'Deltas show products as removed that the bulk list still contains, with dates before the window.',
    start: always(
      onDelta((rows, _weeks, { world }) => {
        const asOf = world.clock.asOf();
        const isOld = ({ changedOn = 0, firstActiveOn }: ProductRow) => Math.max(changedOn, firstActiveOn) < asOf - 98;
        const old = [...world.products.rows(asOf)].filter(isOld).slice(0, 5);
        return joinRows(
          rows,
          old.map((row) => ({ ...row, changedOn: asOf - 1, changeKind: 'removed' })),
        );
      }),
    ),
    profile: { delta: { removedUnlisted: null } },
  },
  {
    name: 'delta-of-products-with-own-numbers',
    legalBasis: 'rows',
    groups: ['C'],
    dialects: WITH_KINDS,
    says: 'A removed product has a number of the service in place of a UPC with a check digit.',
    start: always(
      onDelta((rows, weeks, { world }) => (weeks === 13 ? joinRows(rows, [withoutCheckDigit(world)]) : rows)),
    ),
    profile: { upc: { checkDigit: null } },
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
      onProductRows((row, asOf) => ({
        ...row,
        firstActiveOn: asOf - 7 * Math.floor((asOf - row.firstActiveOn) / 7),
        ...(row.changedOn !== undefined && { changedOn: asOf - 7 * Math.floor((asOf - row.changedOn) / 7) }),
      })),
    ),
    profile: { dataWeek: { changedOn: 'weekEnding', firstActiveOn: 'weekEnding' } },
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
];
