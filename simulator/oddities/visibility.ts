/** Oddities of the products that a list, a look-up or a client can see (sections 4.3, 5 and 8). */
import { combineHooks } from '../behaviors/combine-hooks.ts';
import { asUnknownProduct, before } from '../deviations/changes.ts';
import { changeProductLists, filterRows, onAnswer } from '../deviations/places.ts';
import { jsonResponse, replacingReply } from '../deviations/replies.ts';
import type { Context, Hooks } from '../deviations/types.ts';
import { withProductCounts } from '../model/product-counts.ts';
import type { ModelAnswer, ProductRow } from '../model/types.ts';
import type { World } from '../model/world.ts';
import { type Oddity, ONE_AFTER_ANOTHER, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

type IsVisible = (row: ProductRow, context: Context) => boolean;
type Place = 'list' | 'delta' | 'lookUp';

const PLACES: { readonly [K in ModelAnswer['kind']]?: Place } = {
  products: 'list',
  categories: 'list',
  deltas: 'delta',
  product: 'lookUp',
};

/** Hides products in some places; a look-up responds as for an unknown product. */
export const hiding = (isVisible: IsVisible, places: readonly Place[] = ['list', 'delta', 'lookUp']): Hooks => ({
  answer(answer, context): ModelAnswer {
    const place = PLACES[answer.kind];
    if (place === undefined || !places.includes(place)) return answer;
    const { world } = context;
    const visible = (rows: Iterable<ProductRow>) => filterRows(rows, (row) => isVisible(row, context));
    if (answer.kind === 'product') return isVisible(answer.product, context) ? answer : asUnknownProduct(answer);
    return answer.kind === 'categories'
      ? {
          ...answer,
          categories: withProductCounts(answer.categories, () => visible(world.products.rows(world.clock.asOf()))),
        }
      : changeProductLists(answer, visible);
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
const delistingEvery = (nth: number) => (): Hooks => {
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
  undeterminedOddity('products-delisted-and-returned', 'reload', 'CD', {
    says: 'The data is reloaded at every 70th request; some products leave the lists and the look-up and return a week later.',
    hooks: delistingEvery(70),
  }),
  undeterminedOddity('list-changes-between-its-pages', 'reload', 'CD', {
    says: 'The data is reloaded at every 6th request, and some products are listed in every second week only.',
    hooks: delistingEvery(6),
  }),
  oddity('look-up-knows-more-than-the-list', 'relations', 'C', {
    says: 'The bulk list and the deltas lack products that the look-up knows.',
    hooks: hiding((row) => !isSeldom(row), ['list', 'delta']),
  }),
  oddity('delta-knows-more-than-the-list', 'relations', 'C', {
    says: 'The bulk list lacks products that the deltas contain and the look-up knows.',
    hooks: hiding((row) => !isSeldom(row), ['list']),
    profile: { delta: { withinBulk: null } },
  }),
  // The products that a check draws from a delta may all be outside the scope.
  partialOddity('delta-of-a-wider-scope', 'relations', 'C', {
    says: 'The credentials cover some categories of the bulk list and of the look-up, but the deltas of all categories.',
    hooks: hiding(isInScope, ['list', 'lookUp']),
    profile: { delta: { withinBulk: null, inLookUp: null } },
  }),
  oddity('delta-of-a-narrower-scope', 'relations', 'C', {
    says: 'The credentials cover all categories of the bulk list and of the look-up, but the deltas of some only.',
    hooks: hiding(isInScope, ['delta']),
    // Legal only without the statement that dates decide what a delta lists.
    profile: { delta: { dates: null, newBy: null } },
  }),
  undeterminedOddity('look-up-learns-new-products-later', 'reload', 'C', {
    says: 'The look-up is reloaded a day after the lists, so it shows the week before and does not know the products that became active since.',
    profile: ONE_AFTER_ANOTHER,
    hooks: onAnswer('product', (answer, context) => {
      const { upc, firstActiveOn } = answer.product;
      return firstActiveOn > answer.asOf - 7 && !EXAMPLES.includes(upc)
        ? asUnknownProduct(answer)
        : before(1)(answer, context);
    }),
  }),
  partialOddity('scope-of-some-products', 'unknown', 'C', {
    says: 'The credentials cover some categories: other products are in no list, and unknown to the look-up.',
    hooks: hiding(isInScope),
  }),
  undeterminedOddity('scope-of-listed-products', 'unknown', 'C', {
    says: 'The credentials cover some categories: other products are in no list, and their look-up is answered 403.',
    hooks: () =>
      combineHooks([
        replacingReply(
          () => jsonResponse(403, { title: 'forbidden', status: 403 }),
          (answer) => answer.kind === 'product' && !isInScope(answer.product),
        ),
        hiding(isInScope),
      ]),
  }),
];
