/** The filter of the bulk list by category: section 4.3. */
import { ALL_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { failOrInconclusive } from '../../src/rule/compare-upcs.ts';
import {
  addRow,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  evidenceOf,
  type Finding,
  inconclusive,
  judgeRowFailures,
  onlyReading,
  passed,
  respondWith,
  type Seen,
  step,
  type UpcSet,
  untested,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';
import {
  ALONE,
  ambiguousValues,
  type FilterSteps,
  filteredLists,
  filterNeeds,
  filterSteps,
  filtersOf,
  requestedCategory,
  withSince,
} from './category-filter-steps.ts';
import { MAY_BE_OLDER, mayBeOlder, reloadSteps } from './lists-of-two-weeks.ts';

const WITHOUT_AS_OF =
  'If the lists state no as-of date and most products that one of them lacks are in the 4-week delta, it may be a reload older: the check is then inconclusive.';

type ComparedSteps = FilterSteps & ReturnType<typeof reloadSteps>;

export const filterSound = defineRule({
  id: 'C.filter-sound',
  statement: 'C.category-filter',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains only products of that category.',
  how: `The list is requested for up to 40 categories, those with special characters in their names first; every row must have the requested category. ${ALONE}`,
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), ['allProducts.fields.category', 'allProducts.fields.categoryId']],
  probe(_subject, declarations) {
    const { bulk: _, ...steps } = filterSteps(declarations);
    return steps;
  },
  counterexample: ({ filtered }) => ({ filtered: editRow(filtered, { category: 'Another', categoryId: 'another' }) }),
  judge(seen) {
    const lists = filteredLists(seen);
    const expected = 'only products of the requested category';
    return withSince(
      judgeRowFailures(lists, (reading) => reading.folds.matching, expected),
      lists,
    );
  },
});

export const filterAnswered = defineRule({
  id: 'C.filter-answered',
  statement: 'C.category-filter',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The bulk list can be filtered by every category that allCategories lists.',
  how: `The list is requested for up to 40 categories, those with special characters in their names first. The rule fails if one gets 500 or 501 each time while others get 2xx. ${ALONE}`,
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  repeat: 'inconclusive',
  probe(_subject, declarations) {
    const { categories, filtered, byName, byId } = filterSteps(declarations);
    const anyStatus = { accepts: 'response' } as const;
    return {
      categories,
      filtered: step({ ...filtered, ...anyStatus }),
      ...(byName && { byName: step({ ...byName, ...anyStatus }) }),
      ...(byId && { byId: step({ ...byId, ...anyStatus }) }),
    };
  },
  counterexample: ({ filtered }) => ({ filtered: [...respondWith(filtered, 500), ...filtered] }),
  judge: (seen) => withSince(judgeServerErrors(filteredLists(seen)), filteredLists(seen)),
});

/** The products of each category in the bulk list, by its normalised name and id. */
function productsByCategory({ folds }: Seen<FilterSteps>['bulk'][number]) {
  const normalised = (byValue: ReadonlyMap<string, UpcSet>) =>
    new Map([...byValue].map(([value, products]) => [normaliseName(value), products]));
  return { category: normalised(folds.category), categoryId: normalised(folds.categoryId) };
}

/** The filtered lists with the products that the unfiltered list shows with their category. */
function expectedLists(seen: Seen<FilterSteps>, declarations: Declarations) {
  const wanted = productsByCategory(onlyReading(seen.bulk));
  const rows = seen.categories.flatMap(({ folds }) => folds.rows.rows);
  const ambiguous = {
    category: ambiguousValues(rows, 'category'),
    categoryId: ambiguousValues(rows, 'categoryId'),
  };
  return filteredLists(seen).flatMap((reading) => {
    const [filter, ...others] = filtersOf(reading, declarations);
    const isExact = filter !== undefined && others.length === 0 && wanted[filter].size > 0;
    const key = isExact ? filter : categoryKey(declarations, ALL_PRODUCTS);
    const value = normaliseName(String(reading.inputs[key] ?? ''));
    const expected = wanted[key].get(value);
    return !expected || (!isExact && ambiguous[key].has(value)) ? [] : [{ reading, expected }];
  });
}

/** Whether the filtered lists or the unfiltered one may be a reload older than the others. */
const areOfTwoWeeks = (seen: Seen<ComparedSteps>, declarations: Declarations): boolean =>
  mayBeOlder(
    expectedLists(seen, declarations).map(({ reading, expected }) => ({ listed: expected, other: reading.folds.upcs })),
    seen.recent,
  ) ||
  mayBeOlder(
    filteredLists(seen).map(({ folds }) => ({ listed: folds.upcs, other: onlyReading(seen.bulk).folds.upcs })),
    seen.recent,
  );

export const bulkComplete = defineRule({
  id: 'C.bulk-whole',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list contains every product of its filtered lists.',
  how: `The unfiltered list must contain the UPCs of each filtered list; both must be read to their end. ${ALONE} ${WITHOUT_AS_OF}`,
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declarations) => ({ ...filterSteps(declarations), ...reloadSteps(declarations) }),
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, { upc: '999999999993' }) }),
  judge(seen, { declarations }) {
    const bulk = onlyReading(seen.bulk);
    const lists = filteredLists(seen);
    const findings = lists.flatMap((reading): Finding[] => {
      const missing = reading.folds.upcs.missingFrom(bulk.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          kind: 'missing-upcs',
          expected: `every UPC in the list of ${requestedCategory(reading)} is in the unfiltered list`,
          actual: `${missing.count} UPCs are missing, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0)
      return areOfTwoWeeks(seen, declarations)
        ? inconclusive(`${findings[0]?.actual}; ${MAY_BE_OLDER}`)
        : withSince(failOrInconclusive(findings, [bulk, ...lists]), lists);
    const rows = lists.reduce((sum, reading) => sum + reading.folds.upcs.size, 0);
    if (rows === 0) return untested('no filtered list has a row');
    return passed({ ...evidenceOf(lists), distinct: rows });
  },
});

export const filterComplete = defineRule({
  id: 'C.filter-complete',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains every product of that category.',
  how: `The filtered list must contain the UPCs that the unfiltered list shows with the category. ${ALONE} Categories of one name and different ids are compared by what was requested. ${WITHOUT_AS_OF}`,
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [
    ...filterNeeds(subject),
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => ({ ...filterSteps(declarations), ...reloadSteps(declarations) }),
  counterexample: ({ filtered }) => ({ filtered: dropRow(filtered) }),
  judge(seen, { declarations }) {
    const lists = filteredLists(seen);
    let compared = 0;
    const findings = expectedLists(seen, declarations).flatMap(({ reading, expected }): Finding[] => {
      compared += expected.size;
      const missing = expected.missingFrom(reading.folds.upcs);
      if (missing.count === 0) return [];
      return [
        {
          kind: 'missing-upcs',
          expected: `all ${expected.size} products of ${requestedCategory(reading)}`,
          actual: `${missing.count} of them are missing, e.g. ${missing.first.join(', ')}`,
          exchange: reading.exchange,
        },
      ];
    });
    if (findings.length > 0)
      return areOfTwoWeeks(seen, declarations)
        ? inconclusive(`${findings[0]?.actual}; ${MAY_BE_OLDER}`)
        : withSince(failOrInconclusive(findings, lists), lists);
    if (compared === 0) return untested('the unfiltered list contains no product of the requested categories');
    return passed({ ...evidenceOf(lists), rows: compared });
  },
});
