/** Oddities of the products that a list, a look-up or a client can see (sections 4.3, 5 and 8). */
import { answerBefore } from '../faults/hooks.ts';
import { filterRows } from '../faults/rows.ts';
import type { FaultContext } from '../faults/types.ts';
import { withProductCounts } from '../model/product-counts.ts';
import type { ModelAnswer, ProductRow } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { always, jsonResponse, ONE_AFTER_ANOTHER } from './hooks.ts';
import type { Oddity, OddityHooks } from './types.ts';

type IsVisible = (row: ProductRow, context: FaultContext) => boolean;
type Place = 'list' | 'delta' | 'lookUp';

const EVERYWHERE: readonly Place[] = ['list', 'delta', 'lookUp'];

/** Hides products in some places; a look-up responds as for an unknown product. */
const hiding = (isVisible: IsVisible, places: readonly Place[] = EVERYWHERE): OddityHooks => ({
  answer(answer, context): ModelAnswer {
    const matches = (row: ProductRow) => isVisible(row, context);
    if (answer.kind === 'products' && places.includes('list'))
      return { ...answer, rows: filterRows(answer.rows, matches) };
    if (answer.kind === 'categories' && places.includes('list')) {
      const { world } = context;
      const visible = () => filterRows(world.products.rows(world.clock.asOf()), matches);
      return { ...answer, categories: withProductCounts(answer.categories, visible) };
    }
    if (answer.kind === 'deltas' && places.includes('delta'))
      return {
        ...answer,
        windows: answer.windows.map(({ weeks, rows }) => ({ weeks, rows: filterRows(rows, matches) })),
      };
    return answer.kind === 'product' && places.includes('lookUp') && !matches(answer.product)
      ? { kind: 'unknown', input: 'upc', value: answer.product.upc }
      : answer;
  },
});

/** The products that the bundled profiles name. */
const EXAMPLES: readonly string[] = ['042100000177', '660133988943', '278167977712'];

const isOneIn =
  (count: number, rest: number) =>
  ({ upc }: ProductRow): boolean =>
    Number(upc) % count === rest;

const isSeldom = isOneIn(11, 8);
/** The examples of the bundled profiles are in scope. */
const isInScope = ({ upc, category = '' }: ProductRow): boolean => EXAMPLES.includes(upc) || category.length % 2 === 1;

const weekOf = ({ clock }: World): number => Math.floor(clock.asOf() / 7);

/** Reloads the data at every n-th request. Some products leave everything with one reload and return with the next. */
const delistingEvery = (nth: number) => (): OddityHooks => {
  let count = 0;
  let first: number | undefined;
  return {
    before(_request, world) {
      first ??= weekOf(world);
      if (++count % nth === 0) world.clock.advanceWeeks(1);
      return undefined;
    },
    ...hiding((row, { world }) => !isSeldom(row) || (weekOf(world) - (first ?? 0)) % 2 === 0),
  };
};

export const VISIBILITY_ODDITIES: readonly Oddity[] = [
  {
    name: 'products-delisted-and-returned',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The data is reloaded at every 70th request; some products leave the lists and the look-up and return a week later.',
    start: delistingEvery(70),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'list-changes-between-its-pages',
    legalBasis: 'reload',
    groups: ['C', 'D'],
    says: 'The data is reloaded at every 6th request, and some products are listed in every second week only.',
    start: delistingEvery(6),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'look-up-knows-more-than-the-list',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The bulk list and the deltas lack products that the look-up knows.',
    start: always(hiding((row) => !isSeldom(row), ['list', 'delta'])),
  },
  {
    name: 'delta-knows-more-than-the-list',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The bulk list lacks products that the deltas contain and the look-up knows.',
    start: always(hiding((row) => !isSeldom(row), ['list'])),
    profile: { delta: { withinBulk: null } },
  },
  {
    name: 'delta-of-a-wider-scope',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The credentials cover some categories of the bulk list and of the look-up, but the deltas of all categories.',
    start: always(hiding(isInScope, ['list', 'lookUp'])),
    profile: { delta: { withinBulk: null, inLookUp: null } },
    // The products that a check draws from a delta may all be outside the scope.
    weakestOutcome: 'partial',
  },
  {
    name: 'delta-of-a-narrower-scope',
    legalBasis: 'relations',
    groups: ['C'],
    says: 'The credentials cover all categories of the bulk list and of the look-up, but the deltas of some only.',
    start: always(hiding(isInScope, ['delta'])),
    // Legal only without the statement that dates decide what a delta lists.
    profile: { delta: { dates: null, newBy: null } },
  },
  {
    name: 'look-up-learns-new-products-later',
    legalBasis: 'reload',
    groups: ['C'],
    says: 'The look-up is reloaded a day after the lists, so it shows the week before and does not know the products that became active since.',
    profile: ONE_AFTER_ANOTHER,
    start: always({
      answer(answer, context) {
        if (answer.kind !== 'product') return answer;
        const { upc, firstActiveOn } = answer.product;
        return firstActiveOn > answer.asOf - 7 && !EXAMPLES.includes(upc)
          ? { kind: 'unknown', input: 'upc', value: upc }
          : answerBefore(1, context);
      },
    }),
    weakestOutcome: 'undetermined',
  },
  {
    name: 'scope-of-some-products',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'The credentials cover some categories: other products are in no list, and unknown to the look-up.',
    start: always(hiding(isInScope)),
    weakestOutcome: 'partial',
  },
  {
    name: 'scope-of-listed-products',
    legalBasis: 'unknown',
    groups: ['C'],
    says: 'The credentials cover some categories: other products are in no list, and their look-up is answered 403.',
    start() {
      let isForbidden = false;
      const { answer: hide } = hiding(isInScope);
      return {
        answer(answer, context) {
          const shown = hide?.(answer, context) ?? answer;
          isForbidden = answer.kind === 'product' && shown.kind === 'unknown';
          return shown;
        },
        finish(reply) {
          const forbidden = isForbidden;
          isForbidden = false;
          return forbidden ? jsonResponse(403, { title: 'forbidden', status: 403 }) : reply;
        },
      };
    },
    weakestOutcome: 'undetermined',
  },
];
