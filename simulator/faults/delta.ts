/** Faults of the delta list (sections 4.3 and 8). */
import { type DeltaWeeks, LIMITS } from '../../src/contract/index.ts';
import { add, before, drop, every, last, refusing } from '../deviations/changes.ts';
import { dropLast, filterRows, firstRow, onAnswer, onDelta, onWindow, stating } from '../deviations/places.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import type { ProductRow } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { type Fault, inC } from './fault.ts';

const [ONE, FOUR, THIRTEEN] = LIMITS.deltaWeeks;
const WITH_KINDS = ['reference', 'hypermedia', 'tabular', 'soap'] as const;

/** The rows that the world without faults returns for another window. */
const windowOf = ({ world, query }: Context, weeks: number): Iterable<ProductRow> => {
  const answer = world.answer('updateProducts', { ...query, window: weeks });
  return answer.kind === 'deltas' ? (answer.windows[0]?.rows ?? []) : [];
};

const replaceWindows = (pairs: Partial<Record<DeltaWeeks, DeltaWeeks>>): Hooks =>
  onDelta((rows, context, weeks) => (pairs[weeks] ? windowOf(context, pairs[weeks]) : rows));

/** The date of a change, by the as-of date. */
const changedBefore =
  (days: number) =>
  (_row: ProductRow, { world }: Context) => ({ changedOn: world.clock.asOf() - days });

/** Removes the newest product of the smaller window from the larger one. */
const notNested = (smaller: DeltaWeeks, larger: DeltaWeeks): Hooks =>
  onWindow(larger, (rows, context) => {
    const removed = firstRow(windowOf(context, smaller))?.upc;
    return filterRows(rows, ({ upc }) => upc !== removed);
  });

/** Removes the first product that matches from every window. */
const fromEveryWindow = (matches: (row: ProductRow, asOf: number) => boolean): Hooks =>
  onDelta((rows, context) => {
    const asOf = context.world.clock.asOf();
    const removed = firstRow(windowOf(context, FOUR), (row) => matches(row, asOf))?.upc;
    return filterRows(rows, ({ upc }) => upc !== removed);
  });

/** A product that is not in the bulk list. */
export const unlisted = (world: World, at = 0): ProductRow =>
  world.products.at(world.products.count + at, world.clock.asOf());

/** A removed product that is not in the bulk list, whose UPC ends with another digit than its check digit. */
export function withoutCheckDigit({ world }: Context): ProductRow[] {
  const row = unlisted(world);
  const upc = `${row.upc.slice(0, -1)}${(Number(row.upc.at(-1)) + 1) % 10}`;
  return [{ ...row, upc, changedOn: world.clock.asOf() - 60, changeKind: 'removed' }];
}

/** The products of the bulk list without an event in the 13-week delta. */
export function unchanged({ world }: Context): Iterable<ProductRow> {
  const asOf = world.clock.asOf();
  return filterRows(world.products.rows(asOf), (row) => Math.max(row.changedOn ?? 0, row.firstActiveOn) < asOf - 98);
}

/** Cells of a product without a category. */
export const WITHOUT_CATEGORY = { category: undefined, categoryId: undefined };

/** The last product of a window differs. */
const lastOf = (
  weeks: DeltaWeeks,
  name: string,
  statement: Fault['statement'],
  what: string,
  cells: Parameters<typeof last<ProductRow>>[0],
): Fault =>
  inC(name, statement, {
    says: `The last product of the ${weeks}-week delta ${what}.`,
    hooks: onWindow(weeks, last(cells)),
  });

export const DELTA_FAULTS = [
  inC('delta-window-ignored', 'C.delta-windows', {
    says: 'Every delta window returns the 13-week delta.',
    hooks: replaceWindows({ 1: 13, 4: 13 }),
  }),
  inC('delta-window-always-one-week', 'C.delta-windows', {
    says: 'The 4-week and 13-week deltas contain only the last week.',
    strict: true,
    hooks: replaceWindows({ 4: 1, 13: 1 }),
  }),
  inC('delta-windows-swapped', 'C.delta-windows', {
    says: 'The 1-week and 4-week deltas are swapped.',
    hooks: replaceWindows({ 1: 4, 4: 1 }),
  }),
  inC('delta-1-not-in-4', 'C.delta-windows', {
    says: 'One product of the 1-week delta is not in the 4-week delta.',
    hooks: notNested(ONE, FOUR),
  }),
  inC('delta-4-not-in-13', 'C.delta-windows', {
    says: 'One product of the 4-week delta is not in the 13-week delta.',
    hooks: notNested(FOUR, THIRTEEN),
  }),
  lastOf(4, 'delta-row-a-day-early', 'C.delta-windows', 'changed on the day before its window', changedBefore(28)),
  inC('delta-with-the-day-before-its-weeks', 'C.delta-windows', {
    says: 'The 4-week delta contains the day exactly four weeks before the as-of date, which the profile includes in the bulk list only.',
    hooks: onWindow(FOUR, last(changedBefore(7 * FOUR))),
    profile: { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } },
  }),
  lastOf(1, 'delta-row-a-day-late', 'C.delta-windows', 'changed on the day after the as-of', changedBefore(-1)),
  lastOf(13, 'delta-row-years-old', 'C.delta-windows', 'changed two years ago', changedBefore(2 * 364)),
  inC('delta-13-refused', 'C.delta-windows', {
    says: 'The 13-week delta is refused.',
    hooks: onAnswer('deltas', (answer, { query }) =>
      query.window === THIRTEEN
        ? refusing('the windows are 1 and 4 weeks', 'window')()
        : {
            ...answer,
            windows: answer.windows.map((each) => (each.weeks === THIRTEEN ? { ...each, rows: [] } : each)),
          },
    ),
  }),
  inC('delta-misses-a-change', 'C.delta', {
    says: 'The 1-week delta lacks a product whose change in the larger windows is within that week.',
    hooks: onWindow(ONE, dropLast),
  }),
  inC('delta-misses-middle-week', 'C.delta', {
    says: 'The 4-week delta lacks the changes that the 13-week delta dates in the middle of those 4 weeks.',
    hooks: onWindow(
      FOUR,
      drop(({ changedOn: day = 0 }, { world }) => Math.abs(day - (world.clock.asOf() - 10)) <= 3),
    ),
  }),
  inC('delta-misses-the-newest', 'C.delta', {
    says: 'The 1-week delta lacks the changes of its newest day, which the larger windows contain.',
    hooks: onWindow(ONE, (rows) => {
      const newest = Math.max(...[...rows].map(({ changedOn: day = 0 }) => day));
      return filterRows(rows, ({ changedOn: day = 0 }) => day < newest);
    }),
  }),
  inC('delta-week-empty', 'C.delta', {
    says: 'The 1-week delta is empty, although rows of the larger windows have changes within that week.',
    hooks: onWindow(ONE, () => []),
  }),
  inC('delta-misses-a-listed-change', 'C.delta', {
    says: 'One product is in no delta window, although the bulk list states a change of it within the last four weeks.',
    hooks: fromEveryWindow((row) => row.firstActiveOn !== row.changedOn),
  }),
  inC('delta-misses-a-first-activity', 'C.delta', {
    says: 'One product is in no delta window, although it became active within the last four weeks.',
    hooks: fromEveryWindow((row, asOf) => row.firstActiveOn > asOf - 7 * FOUR),
  }),
  inC('delta-lists-an-unchanged-product', 'C.delta', {
    says: 'The 13-week delta contains a product whose last change, in the bulk list, is on the day before that window.',
    hooks: onWindow(
      THIRTEEN,
      add(({ world }) => {
        const day = world.clock.asOf() - 7 * THIRTEEN;
        const row = firstRow(world.products.rows(world.clock.asOf()), (each) => each.changedOn === day);
        return row ? [{ ...row, changedOn: day + 1 }] : [];
      }),
    ),
  }),
  inC('delta-row-of-another-category', 'C.product-category', {
    says: 'The last row of the 13-week delta shows another category than the bulk list.',
    hooks: onWindow(
      THIRTEEN,
      last(({ categoryId }) =>
        categoryId === 'cat-01'
          ? { category: 'Coffee', categoryId: 'cat-02' }
          : { category: 'Tea', categoryId: 'cat-01' },
      ),
    ),
  }),
  inC('delta-kind-unknown', 'C.delta', {
    says: 'The last row of the 1-week delta shows a kind of change that the profile does not name.',
    hooks: onWindow(ONE, last({ changeKind: 'moved' })),
  }),
  inC('delta-kind-missing-in-one-row', 'operation.served', {
    says: 'The last row of the 13-week delta lacks its kind of change, which the profile marks required.',
    profile: stating(['updateProducts'], {
      response: { fields: { changeKind: { at: '@.changeKind', required: true } } },
    }),
    dialects: ['reference'],
    hooks: onWindow(THIRTEEN, last({ changeKind: undefined })),
  }),
  inC('delta-old-product-called-new', 'C.delta', {
    says: 'The 13-week delta calls one product new that was first active years ago.',
    hooks: onWindow(THIRTEEN, (rows, context) => {
      const old = firstRow(rows, ({ changeKind }) => changeKind === 'changed')?.upc;
      return every<ProductRow>(({ upc }) => upc === old && { changeKind: 'new' })(rows, context);
    }),
  }),
  inC('delta-all-products-called-new', 'C.delta', {
    says: 'Every row of a delta calls its product new.',
    hooks: onDelta(every({ changeKind: 'new' })),
  }),
  inC('delta-new-product-called-changed', 'C.delta', {
    says: 'The 4-week delta calls the products changed that were first active in the last four weeks.',
    hooks: onWindow(FOUR, every({ changeKind: 'changed' })),
  }),
  inC('delta-changed-product-not-listed', 'C.delta', {
    says: 'The 13-week delta contains one changed product that is not in the bulk list, although the profile says that the delta lies within it.',
    hooks: onWindow(
      THIRTEEN,
      add(({ world }) => [{ ...unlisted(world), changedOn: world.clock.asOf() - 60, changeKind: 'changed' }]),
    ),
  }),
  inC('delta-removed-product-still-listed', 'C.delta', {
    says: 'The 13-week delta shows one product as removed that is in the bulk list, although the profile says that the list lacks these.',
    dialects: WITH_KINDS,
    hooks: onWindow(
      THIRTEEN,
      add((context) => {
        const old = firstRow(unchanged(context));
        return old ? [{ ...old, changedOn: context.world.clock.asOf() - 60, changeKind: 'removed' }] : [];
      }),
    ),
  }),
  inC('delta-upc-with-another-check-digit', 'C.upc-12', {
    says: 'The 13-week delta shows a removed product whose UPC ends with another digit than its check digit, although the profile promises these.',
    dialects: WITH_KINDS,
    hooks: onWindow(THIRTEEN, add(withoutCheckDigit)),
  }),
  inC('delta-13-is-4', 'C.delta-windows', {
    says: 'The 13-week delta contains only the changes of the last 4 weeks.',
    strict: true,
    hooks: replaceWindows({ 13: 4 }),
  }),
  lastOf(13, 'delta-change-undated', 'C.delta-windows', 'has no date of change; all other products have one', {
    changedOn: undefined,
  }),
  lastOf(13, 'delta-product-without-category', 'C.product-category', 'has no category', WITHOUT_CATEGORY),
  lastOf(13, 'delta-upc-11-digits', 'C.upc-12', 'has a UPC of 11 digits', ({ upc }) => ({ upc: upc.slice(0, 11) })),
  inC('delta-of-four-weeks-with-old-values', 'C.lookup', {
    says: 'The characteristics in the 4-week delta are old ones; the other windows show those of the look-up, as the profile promises.',
    dialects: ['reference'],
    hooks: onWindow(
      FOUR,
      every(({ characteristics = [] }) => ({
        characteristics: characteristics.map((each) => ({ ...each, value: `${each.value} (old)` })),
      })),
    ),
  }),
  inC('delta-product-not-listed', 'C.delta', {
    says: 'Every delta window contains a changed product that is not in the bulk list.',
    strict: true,
    hooks: onDelta(add(({ world }) => [{ ...unlisted(world), changedOn: world.clock.asOf() }])),
  }),
  inC('delta-stale', 'C.delta-weekly', {
    says: 'The delta misses five weekly reloads: its as-of date and its changes are five weeks behind the bulk list.',
    strict: true,
    hooks: onAnswer('deltas', before(5)),
  }),
  inC('delta-behind-the-refresh-date', 'C.delta-weekly', {
    says: 'The delta and the bulk list are five reloads behind the refresh date that the service shows.',
    strict: true,
    hooks: {
      answer: (answer, context) =>
        answer.kind === 'deltas' || answer.kind === 'products' ? before(5)(answer, context) : answer,
    },
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } },
  }),
];
