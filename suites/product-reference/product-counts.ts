/** The counts of products in the rows of categories: section 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { type Declarations, type Reading, sideSteps, texts, type UpcSet, upcs, upcsBy } from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';
import { rowCountsRule } from '../../src/rule/lists-rule.ts';
import { BULK, CATEGORIES, categoryKey, filteredFolds, filteredSides, filterNeeds } from './category-filter-steps.ts';

interface Folds {
  readonly upcs: UpcSet;
  readonly byCategory: ReadonlyMap<string, UpcSet>;
  readonly names: { readonly counts: ReadonlyMap<string, number>; readonly complete: boolean };
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? normaliseName(String(value)) : undefined;

/** The number of rows of a filtered list, and of different products. */
function ofFiltered({ observation, folds }: Reading): readonly number[] {
  const { upcs: keys } = folds as unknown as Folds;
  const rows = observation?.rows ?? 0;
  return keys.unread === 0 ? [...new Set([rows, keys.size])] : [rows];
}

/** The numbers of rows and products of each category in the whole list; undefined if some rows show no category. */
function byCategoryIn({ observation, folds }: Reading): ReadonlyMap<string, readonly number[]> | undefined {
  const { byCategory, names, upcs: keys } = folds as unknown as Folds;
  const rows = [...names.counts.values()].reduce((sum, each) => sum + each, 0);
  if (!names.complete || keys.unread > 0 || rows !== observation?.rows) return undefined;
  const spellings = Map.groupBy(names.counts, ([name]) => normaliseName(name));
  return new Map(
    [...spellings].map(([name, each]) => {
      const products = each.reduce((sum, [spelling]) => sum + (byCategory.get(spelling)?.size ?? 0), 0);
      return [name, [...new Set([each.reduce((sum, [, count]) => sum + count, 0), products])]];
    }),
  );
}

/** The names that a list gives to several categories, with different ids. */
function namesOfSeveral({ observation }: Reading): ReadonlySet<string> {
  const rows = (observation?.pageMetadata ?? []).flatMap(({ rowCounts = [] }) => rowCounts.map(({ names }) => names));
  const ids = Map.groupBy(rows, ({ category }) => nameOf(category) ?? '');
  return new Set(
    [...ids]
      .filter(([, same]) => new Set(same.map(({ categoryId }) => nameOf(categoryId))).size > 1)
      .map(([name]) => name),
  );
}

const FILTERED = { categories: CATEGORIES, bulk: BULK, ...filteredSides(filteredFolds) };

const hasFilters = (declarations: Declarations): boolean =>
  filterNeeds().every((need) => [need].flat().some(declarations.isFilled));

export const productCounts = rowCountsRule({
  id: 'C.products-counted',
  statement: 'C.categories',
  of: 'counts of categories',
  subjects: [ALL_CATEGORIES],
  demands: 'The count in a row of a category is the number of products that allProducts lists in this category.',
  how: [
    'Each count of `response.counts` with the operation allProducts is compared with the list filtered by the category, and with the rows of the whole list that name it, each read to its end; one of them must have as many rows, or as many different products.',
    'A difference fails only if both responses contain the same as-of date; a count that is right in another response to the same request is inconclusive.',
    'What is no number, such as "100+", is not judged.',
  ],
  looksLike: [
    'A server whose counts include products that allProducts does not list, such as delisted ones or those of other rights, is legal; its profile does not list that count.',
    'A server that is reloaded between two lists is legal, too; the as-of dates of both tell them apart.',
    'Several counts that equal the greatest one stated may be limited to it, and are inconclusive.',
  ],
  requests: (subject, _counted, declarations) => ({
    ...listRequests(subject, declarations),
    ...(hasFilters(declarations) && sideSteps(FILTERED, subject, declarations)),
  }),
  folds(declarations) {
    const key = categoryKey(declarations, ALL_PRODUCTS);
    return { upcs, byCategory: upcsBy(key), names: texts(key) };
  },
  index(counted, _subject, declarations) {
    const key = categoryKey(declarations, ALL_PRODUCTS);
    const isFiltered = ({ inputs }: Reading) => inputs.category !== undefined || inputs.categoryId !== undefined;
    const { filtered = [], whole = [] } = Object.groupBy(counted, (each) => (isFiltered(each) ? 'filtered' : 'whole'));
    const ofWhole = whole.flatMap((reading) => {
      const numbers = byCategoryIn(reading);
      return numbers ? [{ reading, numbers }] : [];
    });
    const keyOf = (category: unknown, categoryId: unknown) => JSON.stringify([nameOf(category), nameOf(categoryId)]);
    const ofFilters = Map.groupBy(filtered, ({ inputs }) => keyOf(inputs.category, inputs.categoryId));
    const ambiguousIn = new WeakMap<Reading, ReadonlySet<string>>();
    return (list, { category, categoryId }) => {
      const ambiguous = ambiguousIn.get(list) ?? namesOfSeveral(list);
      ambiguousIn.set(list, ambiguous);
      const isAmbiguous = ambiguous.has(nameOf(category) ?? '');
      const own = key === 'categoryId' ? nameOf(categoryId) : isAmbiguous ? undefined : nameOf(category);
      const filters = new Set(
        [[category, categoryId], ...(isAmbiguous ? [] : [[category]]), [undefined, categoryId]].map(([x, y]) =>
          keyOf(x, y),
        ),
      );
      return [
        ...[...filters]
          .flatMap((each) => ofFilters.get(each) ?? [])
          .map((reading) => ({ reading, numbers: ofFiltered(reading) })),
        ...ofWhole.flatMap(({ reading, numbers }) =>
          own === undefined ? [] : [{ reading, numbers: numbers.get(own) ?? [0] }],
        ),
      ];
    };
  },
});
