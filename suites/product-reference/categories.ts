/** The list of categories, and the names of products that it and other operations list: sections 2, 4.3 and 4.4. */

import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  PERFORMANCE_METADATA,
  PRODUCT_NAMES,
  type ProductName,
} from '../../src/contract/index.ts';
import { chooseSpecialNames, nameFolds, namesIn, normaliseName } from '../../src/rule/choose-names.ts';
import { stateOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  anything,
  type Comparison,
  collect,
  type Declarations,
  editRow,
  fieldDemand,
  findingIn,
  judgeTally,
  onlyIf,
  type Reading,
  type Row,
  relationRule,
  rows,
  sideSteps,
  step,
  tally,
  texts,
  type UpcSet,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';
import { rowCountsRule } from '../../src/rule/lists-rule.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';
import {
  BULK,
  CATEGORIES,
  CATEGORY,
  categoryKey,
  filteredFolds,
  filteredSides,
  filterNeeds,
} from './category-filter-steps.ts';

/** The field that identifies a listed category. */
const listedField = ({ isFilled }: Declarations) =>
  isFilled('allCategories.fields.category') ? 'category' : 'categoryId';

export const categoriesListed = relationRule({
  id: 'C.categories-listed',
  statement: 'C.categories',
  basis: 'stated',
  since: '0.1.0',
  demands: 'allCategories returns the categories of products.',
  how: 'Every row must contain the name or id of the category.',
  subjects: [ALL_CATEGORIES],
  repeat: false,
  sides: {
    list: rows(ALL_CATEGORIES, {
      fields: [CATEGORY],
      alsoMatches: anything,
      folds: (declarations) => ({ names: tally(listedField(declarations)) }),
    }),
  },
  counterexample: ({ list }) => ({ list: editRow(list, { category: null, categoryId: null }) }),
  compare({ list }, context) {
    const field = listedField(context.declarations);
    const nullable = context.declarations.nullable(ALL_CATEGORIES, field);
    return judgeTally(
      list,
      list.folds.names,
      fieldDemand(context, field, 'every category has a name or id', { nullable }),
    );
  },
});

const namesOfCategories = (declarations: Declarations) => ({ names: texts(categoryKey(declarations, ALL_PRODUCTS)) });

export const categoriesKnown = relationRule({
  id: 'C.categories-known',
  statement: 'C.categories',
  basis: 'derived',
  since: '0.1.0',
  demands: 'allCategories lists every category that a product of the bulk list belongs to.',
  how: 'The list of categories must contain the names (or ids) that the rows of the bulk list contain.',
  subjects: [ALL_CATEGORIES],
  sides: {
    list: rows(ALL_CATEGORIES, { fields: [CATEGORY], folds: namesOfCategories }),
    bulk: rows(ALL_PRODUCTS, {
      fields: [CATEGORY],
      folds: namesOfCategories,
      alsoMatches: anything,
      accepts: 'content',
    }),
  },
  counterexample: ({ bulk }) => ({ bulk: editRow(bulk, { category: 'Unlisted', categoryId: 'unlisted' }) }),
  compare({ list, bulk }) {
    const known = new Set([...list.folds.names.counts.keys()].map(normaliseName));
    const used = [...bulk.folds.names.counts];
    if (used.length === 0) return {};
    if (!list.folds.names.complete) return { doubt: 'there are too many categories to compare' };
    if (known.size === 0 && list.observation?.rows !== 0) return { doubt: 'the categories have no value to compare' };
    const findings = used.flatMap(([name, count]) =>
      known.has(normaliseName(name))
        ? []
        : findingIn(
            list,
            'category-not-listed',
            `category “${name}” of ${count} products is in allCategories`,
            `missing from its ${known.size} categories`,
          ),
    );
    return { of: [list, bulk], compared: used.length, findings: findings.slice(0, 5) };
  },
  nothing: 'no product of the bulk list has a category',
});

const items = collect(['category', 'categoryId'], 5000);
const LISTED_CATEGORIES = 3;

/** The input of the filter; a name and an id in one request could contradict each other. */
const filterOf = ({ isFilled }: Declarations) => (isFilled('allProducts.inputs.category') ? 'category' : 'categoryId');

export const unknownCategory = unknownValueRule({
  id: 'C.unknown-category',
  statement: 'C.category-filter',
  demands:
    'The bulk list filtered by a category that allCategories does not list gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'In a filtered list that has rows, the category is replaced by one of the same form that allCategories does not list.',
    'The rule fails if two such categories get rows, an empty list or an error that the profile does not state.',
    'A refusal of the format and an overload prove nothing.',
  ],
  looksLike: [
    'A server that knows categories without products, or old names of them, is legal and looks like this violation; two random names that both get rows tell them apart.',
    'A server that returns an empty list is legal, too; its profile states 200.',
  ],
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  inputs: (_subject, declarations) => [filterOf(declarations)],
  draw: 'unknownNames',
  requests(_subject, declarations) {
    const key = filterOf(declarations);
    return {
      lists: { categories: step({ operation: ALL_CATEGORIES, accepts: 'complete', folds: { items } }) },
      listed: step({
        operation: ALL_PRODUCTS,
        each: {
          from: 'categories',
          fold: 'items',
          as: { [key]: key },
          max: LISTED_CATEGORIES,
          select: (lists) => {
            const rows = lists.flatMap(({ folds }) => (folds.items as { readonly rows: readonly Row[] }).rows);
            return chooseSpecialNames(key)(rows).map((row) => ({ [key]: String(row[key]) }));
          },
          key: 'categories with special names',
        },
        accepts: 'any',
        folds: { items: collect(['category', 'categoryId'], 10) },
      }),
    };
  },
});

const PRODUCT_FOLDS = nameFolds(PRODUCT_NAMES);

/** The operation that lists the names: allCategories, if the profile reads sub-categories there, or else Metadata. */
const listOf = (name: ProductName, declarations: Declarations) =>
  name === 'subCategory' && declarations.selector(ALL_CATEGORIES, name) !== undefined
    ? ALL_CATEGORIES
    : PERFORMANCE_METADATA;

/** A list that some of the promised names are compared with. */
const listing = (operation: ReturnType<typeof listOf>) =>
  onlyIf(
    (declarations) => declarations.listedNames.some((each) => listOf(each, declarations) === operation),
    rows(operation, { folds: PRODUCT_FOLDS }),
  );

export const namesListed = relationRule({
  id: 'C.names-listed',
  statement: 'C.bulk',
  demands:
    'Each sub-category, manufacturer and brand of a product is one that allCategories or Metadata lists: the profile promises it (products.listed).',
  how: [
    'The names of all rows of the bulk list are compared with those of allCategories (sub-categories, if the profile reads them there) and BrandPerformance/Metadata.',
    'A name that is not listed is a failure if both responses state the same as-of date; otherwise it is inconclusive, as it is if no name is listed.',
  ],
  looksLike: [
    'A service whose metadata is loaded after its products is legal and does not list a new brand yet; the as-of dates tell it apart.',
    'A service whose metadata lists the names with sales only does not promise this.',
  ],
  subjects: [ALL_PRODUCTS],
  promises: ['productNames'],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: [PRODUCT_NAMES],
      alsoMatches: anything,
      accepts: 'content',
      folds: PRODUCT_FOLDS,
    }),
    categories: listing(ALL_CATEGORIES),
    metadata: listing(PERFORMANCE_METADATA),
  },
  counterexample: ({ bulk }) => ({
    bulk: editRow(bulk, Object.fromEntries(PRODUCT_NAMES.map((each) => [each, 'No such name']))),
  }),
  compare({ bulk, categories, metadata }, { declarations }) {
    const compared = declarations.listedNames.map((name): Comparison => {
      const operation = listOf(name, declarations);
      const list = operation === ALL_CATEGORIES ? categories : metadata;
      const known = list ? namesIn(list, name) : new Set();
      const used = [...bulk.folds[name].counts];
      if (known.size === 0)
        return used.length > 0 ? { doubt: `${operation} contains no ${name} where the profile reads it` } : {};
      const unlisted = used.filter(([each]) => !known.has(normaliseName(each)));
      const [first] = unlisted;
      if (!first || !list) return { compared: used.length };
      const actual = `${JSON.stringify(first[0])} of ${first[1]} products is missing among its ${known.size} names`;
      if (unlisted.length === used.length)
        return { doubt: `${actual} of ${operation}, as is each other ${name}: the two may write it in another form` };
      if (!stateOneAsOf(declarations, bulk, list))
        return { doubt: `${actual} of ${operation}, but the two do not state one as-of date` };
      const expected = `each ${name} of a product is listed by ${operation}, as the profile promises in products.listed`;
      return { findings: [findingIn(bulk, `${name}-not-listed`, expected, actual)] };
    });
    return [{ of: [bulk, ...[categories ?? []].flat(), ...[metadata ?? []].flat()] }, ...compared];
  },
  nothing: 'no product of the bulk list has such a name',
});

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
