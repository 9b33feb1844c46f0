/** Oddities of reloads: lists and look-ups that are a data week ahead of or behind each other (section 8). */
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { before, when } from '../deviations/changes.ts';
import { changeProductLists, isFiltered, onAnswer } from '../deviations/places.ts';
import { filterRows } from '../deviations/rows.ts';
import type { Context } from '../deviations/types.ts';
import { refreshedAfter } from '../faults/catalogue.ts';
import type { Day } from '../model/types.ts';
import { type Oddity, ONE_AFTER_ANOTHER, oddity, partialOddity, undeterminedOddity } from './oddity.ts';
import { hiding } from './visibility.ts';

const isDelisted = (upc: string): boolean => Number(upc) % 11 === 8;

/** The activity date of a product at an as-of date. */
const activeOn = (upc: string, asOf: Day, { world }: Context): Day => world.products.byUpc(upc, asOf)?.activeOn ?? asOf;

export const RELOAD_ODDITIES: readonly Oddity[] = [
  oddity('refresh-date-of-the-reload', 'windows', 'BC', {
    says: 'The refresh date is the Tuesday of the reload, three days after the last day of the data week.',
    dialects: ['reference', 'hypermedia', 'tabular', 'xml'],
    hooks: refreshedAfter(3),
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: { reloadDay: 3 } } },
  }),
  partialOddity('refresh-date-in-utc', 'windows', 'B', {
    says: 'The refresh date is the end of the data week as a time in UTC, which is the next day.',
    dialects: ['reference'],
    hooks: refreshedAfter(1),
    profile: { dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } },
  }),
  oddity('sales-dated-by-the-first-day', 'windows', 'D', {
    says: 'The as-of date of sales is the first day of the data week, that of the other lists its last day, and one reload changes all.',
    hooks: onAnswer('performance', (answer) => ({ ...answer, asOf: answer.asOf - 6 })),
  }),
  undeterminedOddity('look-up-a-reload-behind', 'reload', 'C', {
    says: 'The look-up is reloaded a day after the delta, so it shows the dates of a week ago.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('product', before(1)),
  }),
  undeterminedOddity('look-up-a-reload-ahead', 'reload', 'C', {
    says: 'The look-up is reloaded a day before the delta, so it shows the changes of the next week.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('product', before(-1)),
  }),
  undeterminedOddity('products-delisted-since-the-delta', 'reload', 'C', {
    says: 'The bulk list and the look-up are a reload ahead of the delta and no longer contain some of its products.',
    profile: ONE_AFTER_ANOTHER,
    hooks: combineHooks([onAnswer('deltas', before(1)), hiding(({ upc }) => !isDelisted(upc), ['list', 'lookUp'])]),
  }),
  oddity('delta-a-week-behind', 'reload', 'C', {
    says: 'The delta is reloaded a day after the bulk list, so its as-of date and its windows are a week older.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('deltas', before(1)),
  }),
  undeterminedOddity('filtered-lists-a-week-behind', 'reload', 'C', {
    says: 'Filtered bulk lists come from a cache, so their as-of date and the dates of their products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('products', when(isFiltered, before(1))),
  }),
  undeterminedOddity('whole-list-a-week-behind', 'reload', 'C', {
    says: 'The unfiltered bulk list is a file of the last week, so its as-of date and the dates of its products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer(
      'products',
      when((context) => !isFiltered(context), before(1)),
    ),
  }),
  undeterminedOddity('bulk-a-week-behind', 'reload', 'C', {
    says: 'The bulk list is reloaded a day after the delta, so its as-of date and the dates of its products are a week older.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('products', before(1)),
  }),
  undeterminedOddity('products-returned-since-the-delta', 'relations', 'C', {
    says: 'The delta is a week older than the bulk list and lacks products that were not active then and are listed again now.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('deltas', (answer, context) => {
      const earlier = before(1)(answer, context);
      return changeProductLists(earlier, (rows) =>
        filterRows(rows, ({ upc }) => activeOn(upc, answer.asOf, context) <= answer.asOf - 7),
      );
    }),
  }),
];
