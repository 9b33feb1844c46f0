/** The requests of the bulk list filtered by a category: section 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames, normaliseName } from '../../src/rule/choose-names.ts';
import {
  collect,
  type Declarations,
  type Each,
  everyRow,
  type FoldMap,
  isValue,
  type Judgement,
  type Reading,
  type Row,
  type Rule,
  step,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';

type CategoryInput = 'category' | 'categoryId';

const CATEGORY_INPUTS: readonly CategoryInput[] = ['category', 'categoryId'];

/** The other input for a category. */
const otherInput = (input: CategoryInput): CategoryInput => (input === 'category' ? 'categoryId' : 'category');

const hasFilter = (declarations: Declarations, input: CategoryInput): boolean =>
  declarations.isFilled(`allProducts.inputs.${input}`);

/** The values of a field in the rows of categories that have other values of the other field, normalised. */
export function ambiguousValues(rows: readonly Row[], field: CategoryInput): ReadonlySet<string> {
  const others = new Map<string, Set<string>>();
  for (const row of rows) {
    const [value, other] = [row[field], row[otherInput(field)]];
    if (!isValue(value) || !isValue(other)) continue;
    const key = normaliseName(String(value));
    others.set(key, (others.get(key) ?? new Set()).add(normaliseName(String(other))));
  }
  return new Set([...others].flatMap(([value, { size }]) => (size > 1 ? [value] : [])));
}

/** Requests by one of the two inputs alone are judged by the other one if only that is in the rows of products. */
const chooseUnambiguous =
  (input: CategoryInput, rowKey: CategoryInput): NonNullable<Each['choose']> =>
  (rows) => {
    const ambiguous = input === rowKey ? new Set() : ambiguousValues(rows, input);
    return chooseSpecialNames(input)(rows.filter((row) => !ambiguous.has(normaliseName(String(row[input])))));
  };

/** The steps of lists that are filtered by a category; the name and the id are sent alone where both are filters. */
export const filterSteps = (declarations: Declarations) => {
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
  const filteredBy = (input: CategoryInput, max: number) =>
    step({
      operation: ALL_PRODUCTS,
      each: {
        from: 'categories',
        fold: 'rows',
        as: { category: 'category', categoryId: 'categoryId' },
        max,
        of: 'categories',
        choose: chooseUnambiguous(input, rowKey),
      },
      accepts: 'complete',
      folds: { upcs, matching },
    });
  const alone = CATEGORY_INPUTS.every((input) => hasFilter(declarations, input))
    ? CATEGORY_INPUTS.filter(
        (input) =>
          declarations.isFilled(`allCategories.fields.${input}`) && declarations.canFilterAlone(ALL_PRODUCTS, input),
      )
    : [];
  const max = declarations.draw('categoryFilters');
  const filteredAlone = (input: CategoryInput) =>
    alone.includes(input)
      ? step({
          ...filteredBy(input, input === alone[0] ? max : Math.ceil(max / 2)),
          variant: { without: [otherInput(input)] },
          optional: true,
        })
      : undefined;
  const [byName, byId] = CATEGORY_INPUTS.map(filteredAlone);
  return {
    categories: step({
      operation: ALL_CATEGORIES,
      accepts: 'complete',
      folds: { rows: collect(['category', 'categoryId'], 5000) },
    }),
    bulk: step({
      operation: ALL_PRODUCTS,
      accepts: 'complete',
      folds: { upcs, category: upcsBy('category'), categoryId: upcsBy('categoryId') },
    }),
    filtered: filteredBy(hasFilter(declarations, 'category') ? 'category' : 'categoryId', alone.length > 0 ? 1 : max),
    ...(byName && { byName }),
    ...(byId && { byId }),
  };
};

export type FilterSteps = ReturnType<typeof filterSteps>;

/** The readings of all filtered lists. */
export const filteredLists = <R extends Reading>({
  filtered,
  byName = [],
  byId = [],
}: {
  readonly filtered: readonly R[];
  readonly byName?: readonly R[];
  readonly byId?: readonly R[];
}): readonly R[] => [...filtered, ...byName, ...byId];

/** The steps of filtered lists with other folds. */
export const withFolds = <F extends FoldMap>({ filtered, byName, byId }: FilterSteps, folds: F) => ({
  filtered: step({ ...filtered, folds }),
  ...(byName && { byName: step({ ...byName, folds }) }),
  ...(byId && { byId: step({ ...byId, folds }) }),
});

/** The filters that a request contains. */
export const filtersOf = ({ inputs, notSent }: Reading, declarations: Declarations): readonly CategoryInput[] =>
  CATEGORY_INPUTS.filter(
    (input) => inputs[input] !== undefined && hasFilter(declarations, input) && !notSent?.includes(input),
  );

/** Marks the findings about requests with one of two filters, which version 0.1.0 does not send. */
export function withSince(judgement: Judgement, readings: readonly Reading[]): Judgement {
  if (judgement.verdict !== 'fail') return judgement;
  const later = new Set(readings.flatMap(({ exchange, notSent }) => (notSent ? [exchange] : [])));
  const findings = judgement.findings.map((each) =>
    later.has(each.exchange ?? '') ? ({ ...each, since: '0.2.0' } as const) : each,
  );
  return { ...judgement, findings };
}

/** The openings of the category filter. */
export const filterNeeds: Rule['needs'] = () => [
  'allProducts.request',
  'allProducts.rows',
  ['allProducts.inputs.category', 'allProducts.inputs.categoryId'],
  'allCategories.request',
  'allCategories.rows',
  ['allCategories.fields.category', 'allCategories.fields.categoryId'],
];

export const requestedCategory = ({ inputs, notSent }: Reading): string => {
  const input = CATEGORY_INPUTS.find((each) => inputs[each] !== undefined && !notSent?.includes(each)) ?? 'category';
  const text = JSON.stringify(inputs[input]);
  return notSent ? `${input} ${text}, the only filter` : text;
};

export const ALONE =
  'Where the profile has both a filter by name and one by id, each is sent alone, and both together for one category.';
