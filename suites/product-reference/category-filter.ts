import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames, normaliseName } from '../../src/rule/choose-names.ts';
import { failOrInconclusive } from '../../src/rule/compare-upcs.ts';
import {
  addRow,
  collect,
  type Declarations,
  defineRule,
  dropRow,
  editRow,
  everyRow,
  evidenceOf,
  type Finding,
  isValue,
  judgeRowFailures,
  onlyReading,
  passed,
  type Reading,
  type Rule,
  respondWith,
  step,
  untested,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { judgeServerErrors } from '../../src/rule/judge-server-errors.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';

export const filterSteps = (declarations: Declarations) => {
  const key = declarations.isFilled('allProducts.inputs.category') ? 'category' : 'categoryId';
  const rowKey = categoryKey(declarations, ALL_PRODUCTS);
  const matching = everyRow(`in-category:${rowKey}`, (row, inputs) => {
    const own = row[rowKey];
    const requested = inputs[rowKey];
    if (!isValue(own) || requested === undefined) return undefined;
    return (
      normaliseName(String(own)) === normaliseName(String(requested)) || {
        kind: 'other-category',
        message: `a product of category ${JSON.stringify(own)} in the list of ${JSON.stringify(requested)}`,
      }
    );
  });
  return {
    categories: step({
      operation: ALL_CATEGORIES,
      accepts: 'complete',
      folds: { rows: collect(['category', 'categoryId'], 5000) },
    }),
    bulk: step({ operation: ALL_PRODUCTS, accepts: 'complete', folds: { upcs, byCategory: upcsBy(rowKey) } }),
    filtered: step({
      operation: ALL_PRODUCTS,
      each: {
        from: 'categories',
        fold: 'rows',
        as: { category: 'category', categoryId: 'categoryId' },
        max: declarations.draw('categoryFilters'),
        of: 'categories',
        choose: chooseSpecialNames(key),
      },
      accepts: 'complete',
      folds: { upcs, matching },
    }),
  };
};

/** The openings of the category filter. */
export const filterNeeds: Rule['needs'] = () => [
  'allProducts.request',
  'allProducts.rows',
  ['allProducts.inputs.category', 'allProducts.inputs.categoryId'],
  'allCategories.request',
  'allCategories.rows',
  ['allCategories.fields.category', 'allCategories.fields.categoryId'],
];

const requestedCategory = (reading: Reading): string =>
  JSON.stringify(reading.inputs.category ?? reading.inputs.categoryId);

export const filterSound = defineRule({
  id: 'C.filter-sound',
  statement: 'C.category-filter',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains only products of that category.',
  how: 'The list is requested for up to 40 categories, those with special characters in their names first; every row must have the requested category.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), ['allProducts.fields.category', 'allProducts.fields.categoryId']],
  probe(_subject, declarations) {
    const { categories, filtered } = filterSteps(declarations);
    return { categories, filtered };
  },
  counterexample: ({ filtered }) => ({ filtered: editRow(filtered, { category: 'Another', categoryId: 'another' }) }),
  judge: (seen) =>
    judgeRowFailures(seen.filtered, (reading) => reading.folds.matching, 'only products of the requested category'),
});

export const filterAnswered = defineRule({
  id: 'C.filter-answered',
  statement: 'C.category-filter',
  basis: 'profile',
  since: '0.1.0',
  demands: 'The bulk list can be filtered by every category that allCategories lists.',
  how: 'The list is requested for up to 40 categories, those with special characters in their names first. The rule fails if one gets 500 or 501 each time while others get 2xx.',
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  repeat: 'inconclusive',
  probe(_subject, declarations) {
    const { categories, filtered } = filterSteps(declarations);
    return { categories, filtered: step({ ...filtered, accepts: 'response' }) };
  },
  counterexample: ({ filtered }) => ({ filtered: [...respondWith(filtered, 500), ...filtered] }),
  judge: (seen) => judgeServerErrors(seen.filtered),
});

export const bulkComplete = defineRule({
  id: 'C.bulk-whole',
  statement: 'C.bulk',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list contains every product of its filtered lists.',
  how: 'The unfiltered list must contain the UPCs of each filtered list; both must be read to their end.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [...filterNeeds(subject), 'allProducts.fields.upc'],
  repeat: 'pass',
  probe: (_subject, declarations) => filterSteps(declarations),
  counterexample: ({ filtered }) => ({ filtered: addRow(filtered, { upc: '999999999993' }) }),
  judge(seen) {
    const bulk = onlyReading(seen.bulk);
    const findings = seen.filtered.flatMap((reading): Finding[] => {
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
    if (findings.length > 0) return failOrInconclusive(findings, [bulk, ...seen.filtered]);
    const rows = seen.filtered.reduce((sum, reading) => sum + reading.folds.upcs.size, 0);
    if (rows === 0) return untested('no filtered list has a row');
    return passed({ ...evidenceOf(seen.filtered), distinct: rows });
  },
});

export const filterComplete = defineRule({
  id: 'C.filter-complete',
  statement: 'C.category-filter',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The bulk list filtered by a category contains every product of that category.',
  how: 'The filtered list must contain the UPCs that the unfiltered list shows with the category.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => [
    ...filterNeeds(subject),
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => filterSteps(declarations),
  counterexample: ({ filtered }) => ({ filtered: dropRow(filtered) }),
  judge(seen, { declarations }) {
    const key = categoryKey(declarations, ALL_PRODUCTS);
    const wanted = new Map(
      [...onlyReading(seen.bulk).folds.byCategory].map(([name, keys]) => [normaliseName(name), keys]),
    );
    let compared = 0;
    const findings = seen.filtered.flatMap((reading): Finding[] => {
      const expected = wanted.get(normaliseName(String(reading.inputs[key] ?? '')));
      if (!expected) return [];
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
    if (findings.length > 0) return failOrInconclusive(findings, seen.filtered);
    if (compared === 0) return untested('the unfiltered list contains no product of the requested categories');
    return passed({ ...evidenceOf(seen.filtered), rows: compared });
  },
});
