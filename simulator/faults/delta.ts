/** Faults of the delta list (sections 4.3 and 8). */
import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { mapRows } from '../model/iterable.ts';
import type { Day, ModelAnswer, ProductRow } from '../model/types.ts';
import { answerBefore, type Context, onAnswer, onDelta } from './hooks.ts';
import { changeLast, dropLast, filterRows, firstRow, joinRows } from './rows.ts';
import type { Fault, Hooks } from './types.ts';

const [ONE, FOUR, THIRTEEN] = LIMITS.deltaWeeks;

/** The rows that the world without faults returns for another window. */
const windowOf = ({ world, query }: Context, weeks: number): Iterable<ProductRow> => {
  const answer: ModelAnswer = world.answer('updateProducts', { ...query, window: weeks });
  return answer.kind === 'deltas' ? (answer.windows[0]?.rows ?? []) : [];
};

const replaceWindows = (pairs: Partial<Record<DeltaWeeks, DeltaWeeks>>): Hooks =>
  onDelta((rows, weeks, context) => (pairs[weeks] ? windowOf(context, pairs[weeks]) : rows));

/** Changes the last row of one window, unless the window is empty. */
const inLastRow = (weeks: DeltaWeeks, change: (row: ProductRow, asOf: Day) => ProductRow): Hooks =>
  onDelta((rows, each, { world }) =>
    each === weeks ? changeLast(rows, (row) => change(row, world.clock.asOf())) : rows,
  );

/** Removes the newest product of the smaller window from the larger one. */
const notNested = (smaller: DeltaWeeks, larger: DeltaWeeks): Hooks =>
  onDelta((rows, weeks, context) => {
    if (weeks !== larger) return rows;
    const removed = firstRow(windowOf(context, smaller))?.upc;
    return filterRows(rows, (row) => row.upc !== removed);
  });

/** Removes the first product that matches from every window. */
const fromEveryWindow = (matches: (row: ProductRow, asOf: Day) => boolean): Hooks =>
  onDelta((rows, _weeks, context) => {
    const asOf = context.world.clock.asOf();
    const removed = firstRow(windowOf(context, FOUR), (row) => matches(row, asOf))?.upc;
    return filterRows(rows, (row) => row.upc !== removed);
  });

/** A removed product that is not in the bulk list, whose UPC ends with another digit than its check digit. */
export function withoutCheckDigit(world: Context['world']): ProductRow {
  const asOf = world.clock.asOf();
  const row = world.products.at(world.products.count, asOf);
  const digit = (Number(row.upc.at(-1)) + 1) % 10;
  return { ...row, upc: `${row.upc.slice(0, -1)}${digit}`, changedOn: asOf - 60, changeKind: 'removed' };
}

export const DELTA_FAULTS = [
  {
    name: 'delta-window-ignored',
    statement: 'C.delta-windows',
    says: 'Every delta window returns the 13-week delta.',
    hooks: replaceWindows({ [ONE]: THIRTEEN, [FOUR]: THIRTEEN }),
  },
  {
    name: 'delta-window-always-one-week',
    statement: 'C.delta-windows',
    says: 'The 4-week and 13-week deltas contain only the last week.',
    strict: true,
    hooks: replaceWindows({ [FOUR]: ONE, [THIRTEEN]: ONE }),
  },
  {
    name: 'delta-windows-swapped',
    statement: 'C.delta-windows',
    says: 'The 1-week and 4-week deltas are swapped.',
    hooks: replaceWindows({ [ONE]: FOUR, [FOUR]: ONE }),
  },
  {
    name: 'delta-1-not-in-4',
    statement: 'C.delta-windows',
    says: 'One product of the 1-week delta is not in the 4-week delta.',
    hooks: notNested(ONE, FOUR),
  },
  {
    name: 'delta-4-not-in-13',
    statement: 'C.delta-windows',
    says: 'One product of the 4-week delta is not in the 13-week delta.',
    hooks: notNested(FOUR, THIRTEEN),
  },
  {
    name: 'delta-row-a-day-early',
    statement: 'C.delta-windows',
    says: 'The last product of the 4-week delta changed on the day before its window.',
    hooks: inLastRow(FOUR, (row, asOf) => ({ ...row, changedOn: asOf - 7 * FOUR })),
  },
  {
    name: 'delta-with-the-day-before-its-weeks',
    statement: 'C.delta-windows',
    says: 'The 4-week delta contains the day exactly four weeks before the as-of date, which the profile includes in the bulk list only.',
    hooks: inLastRow(FOUR, (row, asOf) => ({ ...row, changedOn: asOf - 7 * FOUR })),
    profile: { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } },
  },
  {
    name: 'delta-row-a-day-late',
    statement: 'C.delta-windows',
    says: 'The last product of the 1-week delta changed on the day after the as-of.',
    hooks: inLastRow(ONE, (row, asOf) => ({ ...row, changedOn: asOf + 1 })),
  },
  {
    name: 'delta-row-years-old',
    statement: 'C.delta-windows',
    says: 'The last product of the 13-week delta changed two years ago.',
    hooks: inLastRow(THIRTEEN, (row, asOf) => ({ ...row, changedOn: asOf - 2 * 364 })),
  },
  {
    name: 'delta-13-refused',
    statement: 'C.delta-windows',
    says: 'The 13-week delta is refused.',
    hooks: onAnswer('deltas', (answer, { query }) =>
      query.window === THIRTEEN
        ? { kind: 'rejected', reason: 'malformed', input: 'window', detail: 'the windows are 1 and 4 weeks' }
        : {
            ...answer,
            windows: answer.windows.map((each) => (each.weeks === THIRTEEN ? { ...each, rows: [] } : each)),
          },
    ),
  },
  {
    name: 'delta-misses-a-change',
    statement: 'C.delta',
    says: 'The 1-week delta lacks a product whose change in the larger windows is within that week.',
    hooks: onDelta((rows, weeks) => (weeks === ONE ? dropLast(rows) : rows)),
  },
  {
    name: 'delta-misses-middle-week',
    statement: 'C.delta',
    says: 'The 4-week delta lacks the changes that the 13-week delta dates in the middle of those 4 weeks.',
    hooks: onDelta((rows, weeks, { world }) => {
      const middle = world.clock.asOf() - 10;
      return weeks === FOUR
        ? filterRows(rows, ({ changedOn = 0 }) => changedOn < middle - 3 || changedOn > middle + 3)
        : rows;
    }),
  },
  {
    name: 'delta-misses-the-newest',
    statement: 'C.delta',
    says: 'The 1-week delta lacks the changes of its newest day, which the larger windows contain.',
    hooks: onDelta((rows, weeks) => {
      const newest = Math.max(...[...rows].map(({ changedOn = 0 }) => changedOn));
      return weeks === ONE ? filterRows(rows, ({ changedOn = 0 }) => changedOn < newest) : rows;
    }),
  },
  {
    name: 'delta-week-empty',
    statement: 'C.delta',
    says: 'The 1-week delta is empty, although rows of the larger windows have changes within that week.',
    hooks: onDelta((rows, weeks) => (weeks === ONE ? [] : rows)),
  },
  {
    name: 'delta-misses-a-listed-change',
    statement: 'C.delta',
    says: 'One product is in no delta window, although the bulk list states a change of it within the last four weeks.',
    hooks: fromEveryWindow((row) => row.firstActiveOn !== row.changedOn),
  },
  {
    name: 'delta-misses-a-first-activity',
    statement: 'C.delta',
    says: 'One product is in no delta window, although it became active within the last four weeks.',
    hooks: fromEveryWindow((row, asOf) => row.firstActiveOn > asOf - 7 * FOUR),
  },
  {
    name: 'delta-lists-an-unchanged-product',
    statement: 'C.delta',
    says: 'The 13-week delta contains a product whose last change, in the bulk list, is on the day before that window.',
    hooks: onDelta((rows, weeks, { world }) => {
      if (weeks !== THIRTEEN) return rows;
      const asOf = world.clock.asOf();
      const unchanged = firstRow(world.products.rows(asOf), (row) => row.changedOn === asOf - 7 * THIRTEEN);
      return unchanged ? joinRows(rows, [{ ...unchanged, changedOn: asOf - 7 * THIRTEEN + 1 }]) : rows;
    }),
  },
  {
    name: 'delta-row-of-another-category',
    statement: 'C.product-category',
    says: 'The last row of the 13-week delta shows another category than the bulk list.',
    hooks: inLastRow(THIRTEEN, (row) => {
      const [category, categoryId] = row.categoryId === 'cat-01' ? ['Coffee', 'cat-02'] : ['Tea', 'cat-01'];
      return { ...row, category, categoryId };
    }),
  },
  {
    name: 'delta-kind-unknown',
    statement: 'C.delta',
    says: 'The last row of the 1-week delta shows a kind of change that the profile does not name.',
    hooks: inLastRow(ONE, (row) => ({ ...row, changeKind: 'moved' })),
  },
  {
    name: 'delta-kind-missing-in-one-row',
    statement: 'operation.served',
    group: 'C',
    says: 'The last row of the 13-week delta lacks its kind of change, which the profile marks required.',
    profile: {
      operations: {
        [UPDATE_PRODUCTS]: { response: { fields: { changeKind: { at: '@.changeKind', required: true } } } },
      },
    },
    dialects: ['reference'],
    hooks: inLastRow(THIRTEEN, ({ changeKind: _, ...row }) => row),
  },
  {
    name: 'delta-old-product-called-new',
    statement: 'C.delta',
    says: 'The 13-week delta calls one product new that was first active years ago.',
    hooks: onDelta((rows, weeks) => {
      const old = weeks === THIRTEEN ? firstRow(rows, ({ changeKind }) => changeKind === 'changed')?.upc : undefined;
      return mapRows(rows, (row) => (row.upc === old ? { ...row, changeKind: 'new' } : row));
    }),
  },
  {
    name: 'delta-all-products-called-new',
    statement: 'C.delta',
    says: 'Every row of a delta calls its product new.',
    hooks: onDelta((rows) => mapRows(rows, (row) => ({ ...row, changeKind: 'new' }))),
  },
  {
    name: 'delta-new-product-called-changed',
    statement: 'C.delta',
    says: 'The 4-week delta calls the products changed that were first active in the last four weeks.',
    hooks: onDelta((rows, weeks) =>
      weeks === FOUR ? mapRows(rows, (row) => ({ ...row, changeKind: 'changed' })) : rows,
    ),
  },
  {
    name: 'delta-changed-product-not-listed',
    statement: 'C.delta',
    says: 'The 13-week delta contains one changed product that is not in the bulk list, although the profile says that the delta lies within it.',
    hooks: onDelta((rows, weeks, { world }) => {
      const asOf = world.clock.asOf();
      const unlisted = {
        ...world.products.at(world.products.count, asOf),
        changedOn: asOf - 60,
        changeKind: 'changed',
      };
      return weeks === THIRTEEN ? joinRows(rows, [unlisted]) : rows;
    }),
  },
  {
    name: 'delta-removed-product-still-listed',
    statement: 'C.delta',
    says: 'The 13-week delta shows one product as removed that is in the bulk list, although the profile says that the list lacks these.',
    dialects: ['reference', 'hypermedia', 'tabular', 'soap'],
    hooks: onDelta((rows, weeks, { world }) => {
      const asOf = world.clock.asOf();
      const isOld = ({ changedOn = 0, firstActiveOn }: ProductRow) => Math.max(changedOn, firstActiveOn) < asOf - 98;
      const old = firstRow(world.products.rows(asOf), isOld);
      return weeks === THIRTEEN && old
        ? joinRows(rows, [{ ...old, changedOn: asOf - 60, changeKind: 'removed' }])
        : rows;
    }),
  },
  {
    name: 'delta-upc-with-another-check-digit',
    statement: 'C.upc-12',
    says: 'The 13-week delta shows a removed product whose UPC ends with another digit than its check digit, although the profile promises these.',
    dialects: ['reference', 'hypermedia', 'tabular', 'soap'],
    hooks: onDelta((rows, weeks, { world }) =>
      weeks === THIRTEEN ? joinRows(rows, [withoutCheckDigit(world)]) : rows,
    ),
  },
  {
    name: 'delta-13-is-4',
    statement: 'C.delta-windows',
    says: 'The 13-week delta contains only the changes of the last 4 weeks.',
    strict: true,
    hooks: replaceWindows({ [THIRTEEN]: FOUR }),
  },
  {
    name: 'delta-change-undated',
    statement: 'C.delta-windows',
    says: 'The last product of the 13-week delta has no date of change; all other products have one.',
    hooks: inLastRow(THIRTEEN, ({ changedOn: _, ...row }) => row),
  },
  {
    name: 'delta-product-without-category',
    statement: 'C.product-category',
    says: 'The last product of the 13-week delta has no category.',
    hooks: inLastRow(THIRTEEN, ({ category: _, categoryId: __, ...row }) => row),
  },
  {
    name: 'delta-upc-11-digits',
    statement: 'C.upc-12',
    says: 'The last product of the 13-week delta has a UPC of 11 digits.',
    hooks: inLastRow(THIRTEEN, (row) => ({ ...row, upc: row.upc.slice(0, 11) })),
  },
  {
    name: 'delta-of-four-weeks-with-old-values',
    statement: 'C.lookup',
    says: 'The characteristics in the 4-week delta are old ones; the other windows show those of the look-up, as the profile promises.',
    dialects: ['reference'],
    hooks: onDelta((rows, weeks) =>
      weeks === FOUR
        ? mapRows(rows, ({ characteristics = [], ...row }) => ({
            ...row,
            characteristics: characteristics.map((each) => ({ ...each, value: `${each.value} (old)` })),
          }))
        : rows,
    ),
  },
  {
    name: 'delta-product-not-listed',
    statement: 'C.delta',
    says: 'Every delta window contains a changed product that is not in the bulk list.',
    strict: true,
    hooks: onAnswer('deltas', (answer, { world }) => {
      const unlisted = { ...world.products.at(world.products.count, answer.asOf), changedOn: answer.asOf };
      return { ...answer, windows: answer.windows.map((each) => ({ ...each, rows: joinRows(each.rows, [unlisted]) })) };
    }),
  },
  {
    name: 'delta-stale',
    statement: 'C.delta-weekly',
    says: 'The delta misses five weekly reloads: its as-of date and its changes are five weeks behind the bulk list.',
    strict: true,
    hooks: onAnswer('deltas', (_answer, context) => answerBefore(5, context)),
  },
  {
    name: 'delta-behind-the-refresh-date',
    statement: 'C.delta-weekly',
    says: 'The delta and the bulk list are five reloads behind the refresh date that the service shows.',
    strict: true,
    hooks: {
      answer: (answer, context) =>
        answer.kind === 'deltas' || answer.kind === 'products' ? answerBefore(5, context) : answer,
    },
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } },
  },
] as const satisfies readonly Fault[];
