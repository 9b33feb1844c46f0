/** The requests of the bulk list filtered by a category: section 4.3. */
import { ALL_CATEGORIES, ALL_PRODUCTS, type OperationKey, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { chooseSpecialNames, normaliseName } from '../../src/rule/choose-names.ts';

import { DATE_HEADER } from '../../src/rule/data-weeks.ts';
import {
  asUpc,
  collect,
  type Declarations,
  type Each,
  everyRow,
  type FoldMap,
  isOk,
  isValue,
  listNeeds,
  many,
  type Need,
  onlyIf,
  type Reading,
  type Row,
  rows,
  type Side,
  type Step,
  step,
  type UpcSet,
  upcs,
  upcsBy,
} from '../../src/rule/index.ts';
import { LISTED_CHANGES } from '../../src/rule/look-ups.ts';

/** The delta of 4 weeks, where the bulk list states no as-of date. */
export const RECENT = onlyIf(
  ({ selector, binds }) => {
    const asOf = selector(ALL_PRODUCTS, 'asOf');
    const isDated = asOf !== undefined && !DATE_HEADER.test(asOf);
    return !isDated && binds(UPDATE_PRODUCTS, ...LISTED_CHANGES);
  },
  rows(UPDATE_PRODUCTS, { weeks: 4, folds: { upcs }, accepts: 'any', optional: true }),
);

/**
 * Whether the other lists may be a reload older: most products that they lack are new or changed in the delta. A delta that
 * was not read explains nothing.
 * @param lists lists of products, and those that should contain them
 */
export function mayBeOlder(
  lists: readonly { readonly listed: UpcSet; readonly other: UpcSet }[],
  recent: Reading<{ upcs: typeof upcs }> | undefined,
): boolean {
  const missing = lists.flatMap(({ listed, other }) => [...listed.numbers].map(asUpc).filter((upc) => !other.has(upc)));
  const isRecent = (upc: string) => recent !== undefined && isOk(recent) && recent.folds.upcs.has(upc);
  return missing.length > 0 && missing.filter(isRecent).length * 2 >= missing.length;
}

export const MAY_BE_OLDER =
  'the lists state no as-of date, and one of them may be a reload older: most products that it lacks are in the 4-week delta';

type CategoryInput = 'category' | 'categoryId';

/** The name and the id of a category: inputs, and fields. */
export const CATEGORY = ['category', 'categoryId'] as const satisfies readonly CategoryInput[];

/** The field that identifies a category: its name where the profile reads it in both operations, otherwise its id. */
export const categoryKey = ({ binds }: Declarations, operation: OperationKey): CategoryInput =>
  binds(operation, 'fields.category') && binds(ALL_CATEGORIES, 'fields.category') ? 'category' : 'categoryId';

/** The other input for a category. */
const otherInput = (input: CategoryInput): CategoryInput => (input === 'category' ? 'categoryId' : 'category');

const hasFilter = (declarations: Declarations, input: CategoryInput): boolean =>
  declarations.isFilled(`allProducts.inputs.${input}`);

/** The values of a field in the rows of categories that have other values of the other field, normalised. */
export function ambiguousValues(of: readonly Row[], field: CategoryInput): ReadonlySet<string> {
  const others = new Map<string, Set<string>>();
  for (const row of of) {
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
  (of) => {
    const ambiguous = input === rowKey ? new Set() : ambiguousValues(of, input);
    return chooseSpecialNames(input)(of.filter((row) => !ambiguous.has(normaliseName(String(row[input])))));
  };

/** The UPCs of a filtered list, and whether its rows have the requested category. */
export const filteredFolds = (declarations: Declarations) => {
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
  return { upcs, matching };
};

/** The inputs that are sent alone: the name and the id, where both are filters. */
const inputsAlone = (declarations: Declarations): readonly CategoryInput[] =>
  CATEGORY.every((input) => hasFilter(declarations, input))
    ? CATEGORY.filter(
        (input) =>
          declarations.isFilled(`allCategories.fields.${input}`) && declarations.canFilterAlone(ALL_PRODUCTS, input),
      )
    : [];

/** The list of drawn categories, with one of the inputs alone, or with all that the profile has. */
function filteredBy<F extends FoldMap>(
  alone: CategoryInput | undefined,
  folds: (declarations: Declarations) => F,
  accepts: Step['accepts'],
): Side<F, readonly Reading<F>[]> {
  return {
    needs: () => [...listNeeds(ALL_PRODUCTS), CATEGORY.map((input) => `allProducts.inputs.${input}` as const)],
    step(_subject, declarations) {
      const alones = inputsAlone(declarations);
      if (alone && !alones.includes(alone)) return undefined;
      const input = alone ?? (hasFilter(declarations, 'category') ? 'category' : 'categoryId');
      const draw = declarations.draw('categoryFilters');
      const most = alone || alones.length === 0 ? draw : 1;
      return step({
        operation: ALL_PRODUCTS,
        each: {
          from: 'categories',
          fold: 'rows',
          as: { category: 'category', categoryId: 'categoryId' },
          max: alone === alones[1] && alone ? Math.ceil(most / 2) : most,
          of: 'categories',
          choose: chooseUnambiguous(input, categoryKey(declarations, ALL_PRODUCTS)),
        },
        accepts,
        folds: folds(declarations),
        ...(alone && { variant: { without: [otherInput(alone)] }, optional: true }),
      });
    },
    read: (readings) => readings,
  };
}

export const CATEGORIES = many(rows(ALL_CATEGORIES, { fields: [CATEGORY], folds: { rows: collect(CATEGORY, 5000) } }));

/** The lists that are filtered by the `CATEGORIES`, which are a side named `categories`. */
export const filteredSides = <F extends FoldMap>(
  folds: (declarations: Declarations) => F,
  accepts: Step['accepts'] = 'complete',
) => ({
  filtered: filteredBy(undefined, folds, accepts),
  byName: filteredBy('category', folds, accepts),
  byId: filteredBy('categoryId', folds, accepts),
});

/** The unfiltered list, with the products of each category. */
export const BULK = rows(ALL_PRODUCTS, {
  fields: ['upc'],
  folds: { upcs, category: upcsBy('category'), categoryId: upcsBy('categoryId') },
});

/** The readings of all filtered lists. */
export const filteredLists = <R extends Reading>(
  sides: Readonly<Record<'filtered' | 'byName' | 'byId', readonly R[]>>,
): readonly R[] => [...sides.filtered, ...sides.byName, ...sides.byId];

/** The filters that a request contains. */
export const filtersOf = ({ inputs, notSent }: Reading, declarations: Declarations): readonly CategoryInput[] =>
  CATEGORY.filter(
    (input) => inputs[input] !== undefined && hasFilter(declarations, input) && !notSent?.includes(input),
  );

/** Version 0.1.0 does not send requests with one of two filters. */
export const sinceOf = ({ notSent }: Reading): { readonly since?: '0.2.0' } => (notSent ? { since: '0.2.0' } : {});

/** The openings of the category filter. */
export const filterNeeds = (): Need[] => [
  ...listNeeds(ALL_PRODUCTS),
  CATEGORY.map((input) => `allProducts.inputs.${input}` as const),
  ...listNeeds(ALL_CATEGORIES, CATEGORY),
];

export const requestedCategory = ({ inputs, notSent }: Reading): string => {
  const input = CATEGORY.find((each) => inputs[each] !== undefined && !notSent?.includes(each)) ?? 'category';
  const text = JSON.stringify(inputs[input]);
  return notSent ? `${input} ${text}, the only filter` : text;
};

export const ALONE =
  'Where the profile has both a filter by name and one by id, each is sent alone, and both together for one category.';
