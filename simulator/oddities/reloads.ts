/** Oddities of reloads: lists, look-ups, replicas and caches that are a data week ahead of or behind each other (section 8; RFC 9111). */
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { before, countingRequests, when } from '../deviations/changes.ts';
import { changeProductLists, filterRows, isFiltered, onAnswer } from '../deviations/places.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { refreshedAfter } from '../faults/catalogue.ts';
import { mix } from '../model/random.ts';
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

/** Reloads the data at some requests. */
const reloadAt = (isReloaded: (nth: number) => boolean) =>
  countingRequests((next) => ({
    before(_request, world) {
      if (isReloaded(next())) world.clock.advanceWeeks(1);
      return undefined;
    },
  }));

/** Some requests are answered by a replica that is a week behind. */
const replicaBehind = (isBehind: (nth: number) => boolean) =>
  countingRequests((next) => {
    let wasBehind = false;
    return {
      before(_request, world) {
        if (wasBehind) world.clock.advanceWeeks(1);
        wasBehind = isBehind(next());
        if (wasBehind) world.clock.advanceWeeks(-1);
        return undefined;
      },
    };
  });

const SEED = 13;

/** The weekly reload happens once. */
const reloadOnce = (name: string, request: number): Oddity =>
  undeterminedOddity(`reload-${name}`, 'reload', 'CD', {
    says: `The weekly reload happens at the ${request}th request.`,
    hooks: reloadAt((nth) => nth === request),
  });
const replicas = (name: string, what: string, isBehind: (nth: number) => boolean): Oddity =>
  undeterminedOddity(`replicas-${name}`, 'reload', 'CD', { says: `${what}.`, hooks: replicaBehind(isBehind) });

export const TIME_ODDITIES: readonly Oddity[] = [
  undeterminedOddity('reload-between-two-pages', 'reload', 'CD', {
    says: 'The weekly reload happens once, between the first two pages of a list.',
    hooks() {
      let isReloaded = false;
      return {
        query(query, { world }) {
          if (!isReloaded && (query.offset ?? 0) > 0) {
            isReloaded = true;
            world.clock.advanceWeeks(1);
          }
          return query;
        },
      };
    },
    dialects: ['hypermedia', 'soap', 'xml'],
  }),
  reloadOnce('early', 30),
  reloadOnce('amid', 120),
  reloadOnce('late', 220),
  undeterminedOddity('reload-again-and-again', 'reload', 'CD', {
    says: 'The data is reloaded at every 45th request.',
    hooks: reloadAt((nth) => nth % 45 === 0),
  }),
  replicas('a-week-apart', 'Two replicas alternate, and one of them is a week behind', (nth) => nth % 2 === 1),
  replicas(
    'now-and-then-behind',
    'A replica that is a week behind answers one request in seven',
    (nth) => nth % 7 === 0,
  ),
  replicas(
    'at-random',
    'Two replicas respond at random, and one of them is a week behind',
    (nth) => mix(SEED, nth, 0) % 2 === 0,
  ),
];

/** Responds from a copy of the week before where `isStale`. */
const withCopies = (isStale: (context: Context) => boolean): Hooks => ({
  answer(answer, context) {
    const isData = context.operation.group === 'C' || context.operation.group === 'D';
    return isData && isStale(context) ? before(1)(answer, context) : answer;
  },
});

/** Whether it is the first of several equal requests. */
const firstRequests = (): ((context: Context) => boolean) => {
  const known = new Set<string>();
  return ({ operation, query }) => {
    const count = known.size;
    return known.add(JSON.stringify([operation.name, query])).size > count;
  };
};

/** The coding by which a cache stores its copies: the best one that the client accepts. */
const storedCoding = ({ codings }: Context): string =>
  ['br', 'gzip', 'deflate'].find((each) => codings.includes(each)) ?? 'identity';

export const CACHE_ODDITIES: readonly Oddity[] = [
  undeterminedOddity('cache-renewed-after-its-first-response', 'reload', 'CD', {
    says: 'The first response to a request is a copy of the week before, and the later ones are new (stale-while-revalidate).',
    hooks: () => withCopies(firstRequests()),
  }),
  undeterminedOddity('caches-of-two-nodes', 'reload', 'CD', {
    says: 'Each fifth request goes to a second node; the first response of a node to a request is a copy of the week before.',
    hooks() {
      let count = 0;
      const [one, other] = [firstRequests(), firstRequests()];
      return withCopies((context) => (++count % 5 === 0 ? other : one)(context));
    },
  }),
  undeterminedOddity('cache-of-one-coding-lags', 'reload', 'CD', {
    says: 'A cache stores one copy per content coding (Vary: Accept-Encoding), and its gzip copies are a week old.',
    hooks: withCopies((context) => storedCoding(context) === 'gzip'),
  }),
  undeterminedOddity('cache-of-look-ups-only', 'reload', 'C', {
    says: 'Look-ups are served from a cache, in which every third product is a week old.',
    profile: ONE_AFTER_ANOTHER,
    hooks: withCopies(({ query: { upc } }) => upc !== undefined && Number(upc) % 3 === 1),
  }),
];
