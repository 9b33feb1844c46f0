/** Oddities of reloads: lists and look-ups that are a data week ahead of or behind each other (section 8). */
import { refreshedAfter } from '../faults/catalogue.ts';
import { answerBefore, type Context, isFiltered, onAnswer } from '../faults/hooks.ts';
import { filterRows } from '../faults/rows.ts';
import { withProductCounts } from '../model/product-counts.ts';
import type { Day } from '../model/types.ts';
import { always, ONE_AFTER_ANOTHER } from './hooks.ts';
import type { Oddity } from './types.ts';

const isDelisted = (upc: string): boolean => Number(upc) % 11 === 8;

/** The activity date of a product at an as-of date. */
const activeOn = (upc: string, asOf: Day, { world }: Context): Day => world.products.byUpc(upc, asOf)?.activeOn ?? asOf;

export const RELOAD_ODDITIES: readonly Oddity[] = [
  {
    name: 'refresh-date-of-the-reload',
    legalBasis: 'windows',
    groups: ['B', 'C'],
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    says: 'The refresh date is the Tuesday of the reload, three days after the last day of the data week.',
    start: always(refreshedAfter(3)),
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: { reloadDay: 3 } } },
  },
  {
    name: 'refresh-date-in-utc',
    legalBasis: 'windows',
    groups: ['B'],
    dialects: ['reference'],
    says: 'The refresh date is the end of the data week as a time in UTC, which is the next day.',
    start: always(refreshedAfter(1)),
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } },
    weakestOutcome: 'partial',
  },
  {
    name: 'sales-dated-by-the-first-day',
    legalBasis: 'windows',
    groups: ['D'],
    says: 'The as-of date of sales is the first day of the data week, that of the other lists its last day, and one reload changes all.',
    start: always(onAnswer('performance', (answer) => ({ ...answer, asOf: answer.asOf - 6 }))),
  },
  {
    name: 'look-up-a-reload-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The look-up is reloaded a day after the delta, so it shows the dates of a week ago.',
    profile: ONE_AFTER_ANOTHER,
    start: always(onAnswer('product', (_answer, context) => answerBefore(1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'look-up-a-reload-ahead',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The look-up is reloaded a day before the delta, so it shows the changes of the next week.',
    profile: ONE_AFTER_ANOTHER,
    start: always(onAnswer('product', (_answer, context) => answerBefore(-1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'products-delisted-since-the-delta',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The bulk list and the look-up are a reload ahead of the delta and no longer contain some of its products.',
    profile: ONE_AFTER_ANOTHER,
    start: always({
      answer(answer, context) {
        if (answer.kind === 'deltas') return answerBefore(1, context);
        if (answer.kind === 'products')
          return { ...answer, rows: filterRows(answer.rows, ({ upc }) => !isDelisted(upc)) };
        if (answer.kind === 'categories') {
          const { world } = context;
          const listed = () => filterRows(world.products.rows(world.clock.asOf()), ({ upc }) => !isDelisted(upc));
          return { ...answer, categories: withProductCounts(answer.categories, listed) };
        }
        return answer.kind === 'product' && isDelisted(answer.product.upc)
          ? { kind: 'unknown', input: 'upc', value: answer.product.upc }
          : answer;
      },
    }),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'delta-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The delta is reloaded a day after the bulk list, so its as-of date and its windows are a week older.',
    profile: ONE_AFTER_ANOTHER,
    start: always(onAnswer('deltas', (_answer, context) => answerBefore(1, context))),
  },
  {
    name: 'filtered-lists-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'Filtered bulk lists come from a cache, so their as-of date and the dates of their products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    start: always(
      onAnswer('products', (answer, context) => (isFiltered(context.query) ? answerBefore(1, context) : answer)),
    ),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'whole-list-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The unfiltered bulk list is a file of the last week, so its as-of date and the dates of its products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    start: always(
      onAnswer('products', (answer, context) => (isFiltered(context.query) ? answer : answerBefore(1, context))),
    ),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'bulk-a-week-behind',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The bulk list is reloaded a day after the delta, so its as-of date and the dates of its products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    start: always(onAnswer('products', (_answer, context) => answerBefore(1, context))),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'products-returned-since-the-delta',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The delta is a week older than the bulk list and lacks products that were not active then and are listed again now.',
    profile: ONE_AFTER_ANOTHER,
    start: always(
      onAnswer('deltas', (answer, context) => {
        const before = answerBefore(1, context);
        return before.kind === 'deltas'
          ? {
              ...before,
              windows: before.windows.map(({ weeks, rows }) => ({
                weeks,
                rows: filterRows(rows, ({ upc }) => activeOn(upc, answer.asOf, context) <= before.asOf),
              })),
            }
          : before;
      }),
    ),
    weakestOutcome: 'undetermined',
  },
];
