/** Lists of one data week contain the same when they are requested again: sections 4.3 and 8. */

import type { OperationKey } from '../../src/contract/index.ts';
import { ALL_CATEGORIES, ALL_PRODUCTS, LIMITS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames } from '../../src/rule/choose-names.ts';
import {
  cellsOf,
  comparedRows,
  countContent,
  differentProducts,
  valuesOfProducts,
} from '../../src/rule/compare-rows.ts';
import {
  anything,
  collect,
  type Declarations,
  dropRow,
  editAll,
  editRow,
  type FoldMap,
  findingIn,
  isValue,
  listNeeds,
  type Reading,
  type Row,
  type Step,
  sampleRows,
  step,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { FURTHER_SUBJECTS, rowsBy, stableDrawRule, stableRule } from '../../src/rule/stable-rule.ts';
import { CATEGORY, categoryKey, filterNeeds } from './category-filter-steps.ts';

/** The requests of the bulk list, or of the delta of each window. */
const listsOf = <F extends FoldMap>(operation: OperationKey, folds: F): Readonly<Record<string, Step<F>>> =>
  operation === ALL_PRODUCTS
    ? { bulk: step({ operation, accepts: 'complete', folds }) }
    : Object.fromEntries(
        LIMITS.deltaWeeks.map((weeks) => [
          `${weeks} weeks`,
          step({ operation, inputs: { window: { value: weeks } }, accepts: 'complete', folds }),
        ]),
      );

const products = { upcs };
type Products = Reading<typeof products>;

/** Describes the UPCs that only one of two readings contains; undefined if both contain the same. */
function compareProducts(first: Products, second: Products): string | undefined {
  const [removed, added] = [
    first.folds.upcs.missingFrom(second.folds.upcs),
    second.folds.upcs.missingFrom(first.folds.upcs),
  ];
  if (removed.count + added.count === 0) return undefined;
  return `the second reading lacks ${removed.count} UPCs and adds ${added.count}, e.g. ${[...removed.first, ...added.first].slice(0, 5).join(', ')}`;
}

/** The fewest names among which one is a part: of two, the other may have left the list. */
const MIN_CATEGORIES = 3;

type Categorised = Reading<typeof products & { readonly byCategory: ReturnType<typeof upcsBy> }>;

/** The category whose products are exactly those of a reading, among several of another reading. */
function filteredCategory(whole: Categorised, part: Categorised): string | undefined {
  const { upcs: own } = part.folds;
  if (own.size === 0 || own.size === whole.folds.upcs.size) return undefined;
  if (whole.folds.byCategory.size < MIN_CATEGORIES) return undefined;
  const found = [...whole.folds.byCategory].find(
    ([, listed]) => listed.size === own.size && listed.missingFrom(own).count === 0,
  );
  return found && `the products of category ${JSON.stringify(found[0])}`;
}

export const bulkStable = stableRule({
  id: 'C.bulk-stable',
  statement: 'C.bulk',
  since: '0.1.0',
  demands: 'The bulk list of one data week contains the same products when it is requested again.',
  subjects: [ALL_PRODUCTS],
  needs: (subject) => listNeeds(subject, 'upc'),
  lists: (subject, declarations) =>
    listsOf(subject, { ...products, byCategory: upcsBy(categoryKey(declarations, ALL_PRODUCTS)) }),
  compare: compareProducts,
  filteredPart: filteredCategory,
  size: ({ folds }) => folds.upcs.size,
});

export const deltaStable = stableRule({
  id: 'C.delta-stable',
  statement: 'C.delta-weekly',
  since: '0.1.0',
  demands: 'The deltas of one data week contain the same products when they are requested again.',
  subjects: [UPDATE_PRODUCTS],
  needs: (subject) => listNeeds(subject, 'upc'),
  lists: (subject) => listsOf(subject, products),
  compare: compareProducts,
  size: ({ folds }) => folds.upcs.size,
});

/** The values of a product in a list. A service may update the dates of a product every day. */
const values = { values: valuesOfProducts(['category', 'categoryId', 'subCategory', 'characteristics']) };

/** Equal requests of lists, whose products have the same values each time. */
const valuesRule = (texts: Pick<Parameters<typeof stableRule>[0], 'id' | 'statement' | 'demands' | 'subjects'>) =>
  stableRule<typeof values>({
    ...texts,
    needs: (subject) => listNeeds(subject, 'upc', CATEGORY),
    lists: (subject) => listsOf(subject, values),
    compare({ folds: first }, { folds: second }) {
      const different = differentProducts(first.values, second.values);
      const count = `${different.length} ${different.length > 1 ? 'products' : 'product'}`;
      return different.length === 0
        ? undefined
        : `the second reading has other values for ${count}, e.g. ${different.slice(0, 5).join(', ')}`;
    },
    size: ({ folds }) => folds.values.size,
    isOpaque: true,
    expected: 'the same categories and characteristics of each product in every reading',
    counterexample: (seen, second) => ({
      [second]: editRow(seen[second], { category: 'Another', categoryId: 'another', characteristics: ['another'] }),
    }),
  });

export const bulkValuesStable = valuesRule({
  id: 'C.bulk-values-stable',
  statement: 'C.bulk',
  demands: 'The products of the bulk list of one data week have the same values when it is requested again.',
  subjects: [ALL_PRODUCTS],
});

export const deltaValuesStable = valuesRule({
  id: 'C.delta-values-stable',
  statement: 'C.delta-weekly',
  demands: 'The products of the deltas of one data week have the same values when they are requested again.',
  subjects: [UPDATE_PRODUCTS],
});

export const categoriesStable = stableRule({
  id: 'C.categories-stable',
  statement: 'C.categories',
  demands: 'allCategories lists the same categories when it is requested again.',
  subjects: [ALL_CATEGORIES],
  needs: () => listNeeds(ALL_CATEGORIES, CATEGORY),
  ...rowsBy(ALL_CATEGORIES, 'categories', ['category', 'categoryId', 'subCategory']),
});

export const lookUpStable = stableDrawRule({
  id: 'C.lookup-stable',
  statement: 'C.lookup',
  demands: 'The look-up of a product returns the same characteristics of that product each time.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [...listNeeds(ALL_PRODUCTS, 'upc'), ...listNeeds(PRODUCT_LOOKUP, 'characteristics')],
  draw: 'repeatedLookUps',
  of: 'products',
  source: (_subject, { draw, seed }) => ({
    step: step({
      operation: ALL_PRODUCTS,
      alsoMatches: anything,
      accepts: 'content',
      // With another seed, other products than those that other rules look up.
      folds: { fresh: sampleRows(['upc'], { max: draw('repeatedLookUps') + FURTHER_SUBJECTS, seed: seed + 1 }) },
    }),
    fold: 'fresh',
    as: { upc: 'upc' },
  }),
  request: () =>
    step({
      operation: PRODUCT_LOOKUP,
      accepts: 'response',
      folds: comparedRows(['upc', 'characteristics', 'category', 'categoryId']),
    }),
  isOpaque: true,
  isRarelyReloaded: true,
  defect: (readings) => editAll(readings.slice(0, 1), { characteristics: ['another'] }).concat(readings.slice(1)),
  isFound: (reading) => cellsOf(reading, 'characteristics').some((cell) => Array.isArray(cell) && cell.length > 0),
  check(reading) {
    const requested = String(reading.inputs.upc);
    const other = cellsOf(reading, 'upc').find((upc) => typeof upc === 'string' && upc !== requested);
    return other === undefined
      ? undefined
      : findingIn(reading, 'other-product', `the characteristics of ${requested}`, `the product ${other}`);
  },
});

/** The filters, one after the other: where the profile has both, every second category is requested by its id alone. */
function chooseFilters(rows: readonly Row[], declarations: Declarations): readonly Row[] {
  const [filter = 'category', other] = (['category', 'categoryId'] as const).filter((each) =>
    declarations.isFilled(`allProducts.inputs.${each}`),
  );
  const chosen = chooseSpecialNames(filter)(rows);
  if (other === undefined) return chosen;
  return chosen.map((row, at) => {
    const alone = at % 2 === 0 ? filter : other;
    return isValue(row[alone]) && declarations.canFilterAlone(ALL_PRODUCTS, alone) ? { [alone]: row[alone] } : row;
  });
}

export const filterStable = stableDrawRule({
  id: 'C.filter-stable',
  statement: 'C.category-filter',
  demands: 'The bulk list filtered by a category contains the same products each time.',
  subjects: [ALL_PRODUCTS],
  needs: filterNeeds,
  draw: 'repeatedFilters',
  sharesFirst: true,
  of: 'categories',
  source: (_subject, declarations) => ({
    step: step({
      operation: ALL_CATEGORIES,
      accepts: 'complete',
      folds: { rows: collect(['category', 'categoryId'], 5000) },
    }),
    fold: 'rows',
    as: { category: 'category', categoryId: 'categoryId' },
    choose: (rows) => chooseFilters(rows, declarations),
  }),
  request: () =>
    step({ operation: ALL_PRODUCTS, accepts: 'response', folds: comparedRows(['upc', 'category', 'categoryId']) }),
  defect: dropRow,
  isFound: (reading) => countContent(reading) > 0,
});
