/** The filter of the bulk list by category: section 4.3. */

import { ALL_PRODUCTS, type Field } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { statedAsOf, stateOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  addRow,
  type Declarations,
  dropRow,
  each,
  editRow,
  findingIn,
  judgeRowFailures,
  notApplicable,
  relationRule,
  respondWith,
  rows,
  type UpcSet,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import { listedValues } from '../../src/rule/product-values.ts';
import {
  ALONE,
  ambiguousValues,
  BULK,
  CATEGORIES,
  CATEGORY,
  categoryKey,
  filteredFolds,
  filteredLists,
  filteredSides,
  filtersOf,
  MAY_BE_OLDER,
  mayBeOlder,
  RECENT,
  requestedCategory,
  sinceOf,
} from './category-filter-steps.ts';

const WITHOUT_AS_OF =
  'If the lists state no as-of date and most products that one of them lacks are in the 4-week delta, it may be a reload older: the check is then inconclusive.';
const SINCE_ALONE = { since: '0.2.0' } as const;
const CATEGORY_FIELDS = CATEGORY.map((field) => `allProducts.fields.${field}` as const);
const REQUESTED = 'The list is requested for up to 40 categories, those with special characters in their names first';

export const filterSound = relationRule({
  id: 'C.filter-sound',
  statement: 'C.category-filter',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains only products of that category.',
  how: [`${REQUESTED}; every row must have the requested category.`, ALONE],
  subjects: [ALL_PRODUCTS],
  repeat: false,
  promises: [CATEGORY_FIELDS],
  sides: { categories: CATEGORIES, ...filteredSides(filteredFolds) },
  counterexample: ({ filtered }) => ({ filtered: editRow(filtered, { category: 'Another', categoryId: 'another' }) }),
  compare: (sides) =>
    judgeRowFailures(
      filteredLists(sides),
      ({ folds }) => folds.matching,
      'only products of the requested category',
      sinceOf,
    ),
});

export const filterAnswered = relationRule({
  id: 'C.filter-answered',
  statement: 'C.category-filter',
  since: '0.1.0',
  demands: 'The bulk list can be filtered by every category that allCategories lists.',
  how: [`${REQUESTED}.`, 'The rule fails if one gets 500 or 501 each time while others get 2xx.', ALONE],
  subjects: [ALL_PRODUCTS],
  repeat: 'inconclusive',
  sides: { categories: CATEGORIES, ...filteredSides(filteredFolds, 'response') },
  counterexample: ({ filtered = [] }) => ({ filtered: [...respondWith(filtered, 500), ...filtered] }),
  compare({ filtered, byName, byId }) {
    const judged = judgeServerErrors([...filtered, ...byName, ...byId]);
    if (judged.verdict !== 'fail') return judged;
    const alone = new Set([...byName, ...byId].map(({ exchange }) => exchange));
    const findings = judged.findings.map((each) => ({ ...each, ...(alone.has(each.exchange ?? '') && SINCE_ALONE) }));
    return { ...judged, findings };
  },
});

type Sides = Parameters<Parameters<typeof relationRule<typeof COMPARED>>[0]['compare']>[0];
const COMPARED = { categories: CATEGORIES, bulk: BULK, ...filteredSides(filteredFolds), recent: RECENT };

/** The filtered lists with the products that the unfiltered list shows with their category. */
function expectedLists(sides: Sides, declarations: Declarations) {
  const normalised = (byValue: ReadonlyMap<string, UpcSet>) =>
    new Map([...byValue].map(([value, products]) => [normaliseName(value), products]));
  const { category, categoryId } = sides.bulk.folds;
  const wanted = { category: normalised(category), categoryId: normalised(categoryId) };
  const ofCategories = sides.categories.flatMap(({ folds }) => folds.rows.rows);
  return filteredLists(sides).flatMap((reading) => {
    const [filter, ...others] = filtersOf(reading, declarations);
    const isExact = filter !== undefined && others.length === 0 && wanted[filter].size > 0;
    const key = isExact ? filter : categoryKey(declarations, ALL_PRODUCTS);
    const value = normaliseName(String(reading.inputs[key] ?? ''));
    const expected = wanted[key].get(value);
    return !expected || (!isExact && ambiguousValues(ofCategories, key).has(value)) ? [] : [{ reading, expected }];
  });
}

/** Why a missing product proves nothing: the filtered lists or the unfiltered one may be a reload older than the others. */
const areOfTwoWeeks = (sides: Sides, declarations: Declarations) => (actual: string) => {
  const bulk = sides.bulk.folds.upcs;
  const expected = expectedLists(sides, declarations);
  const pairs = [
    expected.map(({ reading, expected: listed }) => ({ listed, other: reading.folds.upcs })),
    filteredLists(sides).map(({ folds }) => ({ listed: folds.upcs, other: bulk })),
  ];
  return pairs.some((lists) => mayBeOlder(lists, sides.recent)) ? `${actual}; ${MAY_BE_OLDER}` : undefined;
};

export const bulkComplete = relationRule({
  id: 'C.bulk-whole',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list contains every product of its filtered lists.',
  how: [
    'The unfiltered list must contain the UPCs of each filtered list; both must be read to their end.',
    ALONE,
    WITHOUT_AS_OF,
  ],
  subjects: [ALL_PRODUCTS],
  sides: COMPARED,
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, { upc: '999999999993' }) }),
  compare(sides, { declarations }) {
    const lists = filteredLists(sides);
    const readable = [sides.bulk, ...lists];
    return lists.map((at) =>
      each(at).isIn(sides.bulk, {
        at,
        of: [at],
        kind: 'missing-upcs',
        expected: `every UPC in the list of ${requestedCategory(at)} is in the unfiltered list`,
        doubt: areOfTwoWeeks(sides, declarations),
        readable,
        ...sinceOf(at),
      }),
    );
  },
  nothing: 'no filtered list has a row',
});

export const filterComplete = relationRule({
  id: 'C.filter-complete',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains every product of that category.',
  how: [
    'The filtered list must contain the UPCs that the unfiltered list shows with the category.',
    ALONE,
    'Categories of one name and different ids are compared by what was requested.',
    WITHOUT_AS_OF,
  ],
  subjects: [ALL_PRODUCTS],
  promises: [CATEGORY_FIELDS],
  sides: COMPARED,
  counterexample: ({ filtered }) => ({ filtered: dropRow(filtered) }),
  compare(sides, { declarations }) {
    const of = filteredLists(sides);
    return expectedLists(sides, declarations).map(({ reading: at, expected }) =>
      each(expected).isIn(at, {
        at,
        of,
        kind: 'missing-upcs',
        expected: `all ${expected.size} products of ${requestedCategory(at)}`,
        actual: (count, examples) => `${count} of them are missing, e.g. ${examples}`,
        doubt: areOfTwoWeeks(sides, declarations),
        readable: of,
        ...sinceOf(at),
      }),
    );
  },
  counted: 'rows',
  nothing: 'the unfiltered list contains no product of the requested categories',
});

export const filterOnce = relationRule({
  id: 'C.filter-once',
  statement: 'C.category-filter',
  basis: 'derived',
  demands: 'The bulk list filtered by a category contains each product once.',
  how: [
    'The list is requested for up to 40 categories.',
    'A UPC that occurs twice in a filtered list and once in the unfiltered one is a duplicate.',
    'Lists are not judged where the profile reads a grain; a list whose pages contain several as-of dates is inconclusive.',
    'So is a list without an as-of date where the unfiltered list contains other products twice.',
  ],
  looksLike: [
    'A service that lists a product once for each of several rows of it, such as markets or sizes, is legal; the unfiltered list then contains it as often.',
    'A service that is reloaded between two pages is legal, too; the as-of dates of the pages, and a second reading, tell it apart.',
  ],
  subjects: [ALL_PRODUCTS],
  sides: { categories: CATEGORIES, bulk: BULK, ...filteredSides(filteredFolds) },
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, {}) }),
  compare({ bulk, ...sides }, { declarations }) {
    if (declarations.hasGrain(ALL_PRODUCTS)) return [];
    const inBulk = new Set(bulk.folds.upcs.duplicates);
    return filteredLists(sides).map((list) => {
      const comparison = { of: [list], compared: list.folds.upcs.size };
      const duplicates = list.folds.upcs.duplicates.filter((upc) => bulk.folds.upcs.has(upc) && !inBulk.has(upc));
      if (duplicates.length === 0) return comparison;
      const actual = `${duplicates.length} UPCs occur more than once, e.g. ${duplicates.slice(0, 3).join(', ')}`;
      // Where a product may have several rows, the number of its rows may change with a reload.
      const isOfOneWeek =
        new Set(list.observation?.values.asOf).size < 2 &&
        (inBulk.size === 0 || stateOneAsOf(declarations, bulk, list));
      if (!isOfOneWeek) return { doubt: `${actual}, but as-of dates do not show that the lists are of one data week` };
      const expected = `each product once in the list of ${requestedCategory(list)}, as in the unfiltered list`;
      return { ...comparison, findings: [findingIn(list, 'repeated', expected, actual)] };
    });
  },
  nothing: (_, { declarations }) =>
    declarations.hasGrain(ALL_PRODUCTS)
      ? notApplicable('rows of products have a grain of their own')
      : 'no filtered list has a row',
});

/** Values of a product that do not depend on the filter. */
const VALUES = ['activeOn', 'changedOn', 'firstActiveOn', 'characteristics'] as const satisfies Field[];
const valuesIn = (declarations: Declarations): Field[] =>
  VALUES.filter((field) => declarations.selector(ALL_PRODUCTS, field) !== undefined);
const valueFolds = (declarations: Declarations) => ({ values: listedValues(valuesIn(declarations)) });

export const filterAgrees = relationRule({
  id: 'C.filter-agrees',
  statement: 'C.category-filter',
  basis: 'derived',
  demands: 'A product has the same dates and characteristics in the filtered and in the unfiltered bulk list.',
  how: [
    'The list is requested for up to 40 categories.',
    'Each date and the characteristics of a row, as the profile reads them, must be those of a row of the same UPC in the unfiltered list.',
    'Lists that state another as-of date, and products with a date of change or of first activity from the as-of date on, are not compared, and a value that one of them lacks is not; a difference without as-of dates is inconclusive.',
  ],
  looksLike: [
    'A service whose filtered lists come from a cache of the week before is legal, and so is one whose filtered rows have fewer members.',
    'The as-of dates tell the first one apart, and missing values are not compared.',
  ],
  subjects: [ALL_PRODUCTS],
  sides: {
    categories: CATEGORIES,
    bulk: rows(ALL_PRODUCTS, { fields: ['upc'], folds: valueFolds }),
    ...filteredSides(valueFolds),
  },
  counterexample: ({ filtered }, { declarations }) => ({
    filtered: editRow(filtered, Object.fromEntries(valuesIn(declarations).map((field) => [field, -1]))),
  }),
  compare({ bulk, ...sides }, { declarations }) {
    const asOf = statedAsOf(bulk, declarations);
    return filteredLists(sides).map((list) => {
      const own = statedAsOf(list, declarations);
      const isDated = asOf !== undefined && own !== undefined;
      if (valuesIn(declarations).length === 0 || (isDated && own !== asOf)) return {};
      const differences = list.folds.values.differencesFrom(bulk.folds.values, asOf);
      if (differences.length > 0 && !isDated)
        return {
          doubt: 'a filtered list shows other values than the unfiltered one, and one of both states no as-of date',
        };
      const findings = differences.map(({ upc, field, row }) =>
        findingIn(
          list,
          `other-${field}`,
          `the ${field} of ${upc} that the unfiltered list shows`,
          `row ${row} of the list of ${requestedCategory(list)} shows another one`,
          { row },
        ),
      );
      return { of: [list], compared: list.folds.values.rows, findings };
    });
  },
  counted: 'rows',
  nothing: (_, { declarations }) =>
    valuesIn(declarations).length === 0
      ? notApplicable('the profile reads no date and no characteristics in the bulk list')
      : 'no filtered list of the data week of the unfiltered one has a row',
});
