/** The sub-categories of products are those of the categories: sections 2 and 4.3. */

import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  type OperationKey,
  PRODUCT_LOOKUP,
  UPDATE_PRODUCTS,
} from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  collect,
  editRow,
  findingIn,
  fold,
  listNeeds,
  many,
  onlyIf,
  type Reading,
  relationRule,
  rows,
  step,
} from '../../src/rule/index.ts';
import { productEach, sampleProducts } from '../../src/rule/look-ups.ts';
import { upcs } from '../../src/rule/upc-set.ts';
import { categoryKey } from './category-filter-steps.ts';

const SUBJECTS = [ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS] as const;
type Key = 'category' | 'categoryId';

const MAX_PAIRS = 100_000;

/** A category and a sub-category of products, with the number of their rows and the first one. */
interface Pair {
  readonly category: string | undefined;
  readonly subCategory: string;
  readonly index: number;
  rows: number;
}

const textOf = (cell: unknown): string | undefined => (typeof cell === 'string' ? cell : undefined);

/** The different pairs in the rows, without rows of removed products: their sub-category may be no more. */
const pairsBy = (key: Key, removed: readonly string[]) =>
  fold(
    `sub-categories:${key}:${removed}`,
    () => ({ pairs: new Map<string, Pair>(), complete: true }),
    (all, row, index) => {
      const [category, subCategory] = [textOf(row[key]), textOf(row.subCategory)];
      if (subCategory === undefined || removed.includes(textOf(row.changeKind) ?? '')) return;
      const id = JSON.stringify([category, subCategory]);
      const known = all.pairs.get(id);
      if (known) known.rows++;
      else if (all.pairs.size < MAX_PAIRS) all.pairs.set(id, { category, subCategory, index, rows: 1 });
      else all.complete = false;
    },
  );

type PairsReading = Reading<{ pairs: ReturnType<typeof pairsBy> }>;

/** The pairs of a reading, with the values that a look-up has once per response. */
function pairsOf(reading: PairsReading, key: Key): readonly (Pair & { readonly reading: PairsReading })[] {
  const { subCategory = [], [key]: [category] = [] } = reading.observation?.values ?? {};
  const found = [...reading.folds.pairs.pairs.values()];
  const once = found.length > 0 ? [] : subCategory.flatMap((cell) => textOf(cell) ?? []).slice(0, 1);
  const all = [...found, ...once.map((name): Pair => ({ category: undefined, subCategory: name, index: 0, rows: 1 }))];
  return all.map((each) => ({ ...each, category: each.category ?? textOf(category), reading }));
}

/** The sub-categories that allCategories lists: all, and those below each category. */
function listedIn({ folds, observation }: Reading<{ rows: ReturnType<typeof collect> }>, key: Key) {
  const { rows: all } = folds.rows;
  const namesIn = (cells: readonly unknown[]): ReadonlySet<string> =>
    new Set(cells.flat().flatMap((each) => (typeof each === 'string' ? [normaliseName(each)] : [])));
  const byCategory = Map.groupBy(
    all.filter((row) => textOf(row[key]) !== undefined),
    (row) => normaliseName(String(row[key])),
  );
  const below = [...byCategory].map(([name, of]) => [name, namesIn(of.map((row) => row.subCategory))] as const);
  const cells = [...all.map((row) => row.subCategory), ...(observation?.values.subCategory ?? [])];
  return { all: namesIn(cells), below: new Map(below) };
}

/** A delta may show the sub-category that a product had when it changed. */
const basisOf = (subject: OperationKey): 'plausible' | undefined =>
  subject === UPDATE_PRODUCTS ? 'plausible' : undefined;

const isLookUp = (subject: OperationKey): boolean => subject === PRODUCT_LOOKUP;

export const subCategoriesListed = relationRule({
  id: 'C.sub-categories-listed',
  statement: 'C.categories',
  basis: 'derived',
  demands: 'allCategories lists the sub-category of every product, below the category of the product.',
  how: [
    'The sub-category of each row (of look-ups of products spread over the bulk list, of the 13-week delta without removed products) must be one that allCategories lists and, where the rows of both name the category, one of this category.',
    'Names are compared in any case and spacing.',
    'Of a delta it is advisory.',
    'If allCategories lists no sub-category of any product, it is inconclusive.',
  ],
  looksLike: [
    'A service that writes sub-categories of products as codes is legal, and so are products without a sub-category, sub-categories of one name in several categories, and lists of two data weeks.',
    'A table of codes (`code`) tells the first one apart, the as-of dates the last ones.',
  ],
  declaredBasis: (_declarations, subject) => basisOf(subject),
  subjects: SUBJECTS,
  sides: {
    list: rows(ALL_CATEGORIES, {
      fields: ['subCategory'],
      folds: { rows: collect(['category', 'categoryId', 'subCategory'], 50_000) },
    }),
    bulk: {
      ...onlyIf(
        (_declarations, subject) => isLookUp(subject),
        rows(ALL_PRODUCTS, {
          accepts: 'content',
          folds: (declarations) => ({ some: sampleProducts(declarations, 'lookUps'), upcs }),
        }),
      ),
      needs: (subject) => (isLookUp(subject) ? listNeeds(ALL_PRODUCTS, 'upc') : []),
    },
    products: many({
      needs: (subject) => listNeeds(subject, 'subCategory'),
      step: (subject, declarations) =>
        step({
          operation: subject,
          accepts: 'content',
          ...(subject === ALL_PRODUCTS && { alsoMatches: anything }),
          ...(subject === UPDATE_PRODUCTS && { inputs: { window: { value: 13 } } }),
          ...(isLookUp(subject) && { each: productEach(declarations, 'bulk', 'lookUps') }),
          folds: { pairs: pairsBy(categoryKey(declarations, subject), declarations.delta.kinds?.removed ?? []) },
        }),
      read: (readings) => readings,
    }),
  },
  counterexample: ({ products }) => ({
    products: editRow(products, { subCategory: 'Unlisted' }, ({ subCategory }) => typeof subCategory === 'string'),
  }),
  compare({ list, products }, { subject, declarations }) {
    const key = categoryKey(declarations, subject);
    if (!list.folds.rows.complete || products.some(({ folds }) => !folds.pairs.complete))
      return { doubt: 'there are too many sub-categories to compare' };
    const all = products.flatMap((reading) => pairsOf(reading, key));
    const listed = listedIn(list, key);
    if (all.length > 0 && !all.some(({ subCategory }) => listed.all.has(normaliseName(subCategory))))
      return {
        doubt: `allCategories lists no sub-category of any product: products may write them in another way, e.g. ${JSON.stringify(all[0]?.subCategory)}`,
      };
    const hasKeys = declarations.binds(subject, `fields.${key}`) && declarations.binds(ALL_CATEGORIES, `fields.${key}`);
    const findings = all.flatMap(({ category, subCategory, index: row, rows: count, reading }) => {
      const name = normaliseName(subCategory);
      const ofCategory = category === undefined || !hasKeys ? undefined : listed.below.get(normaliseName(category));
      const isListed = listed.all.has(name);
      // Sub-categories that are listed separately have no category.
      if (isListed && (!ofCategory || ofCategory.size === 0 || ofCategory.has(name))) return [];
      const below = ofCategory ? ` below category ${JSON.stringify(category)}` : '';
      const expected = `sub-category ${JSON.stringify(subCategory)} of ${count} rows in allCategories${below}`;
      const kind = isListed ? 'sub-category-of-another-category' : 'sub-category-not-listed';
      const actual = isListed ? 'it is listed below other categories only' : 'it is not listed';
      return [findingIn(reading, kind, expected, actual, { row })];
    });
    const basis = basisOf(subject);
    return { of: [list, ...products], compared: all.length, findings: findings.slice(0, 5), basis };
  },
  nothing: 'no product has a sub-category',
});
