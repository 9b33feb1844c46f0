/** The sub-categories of products are those of the categories: sections 2 and 4.3. */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  type OpeningId,
  type OperationKey,
  operationOf,
  PRODUCT_LOOKUP,
  UPDATE_PRODUCTS,
} from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  anything,
  collect,
  type Declarations,
  decide,
  defineRule,
  editRow,
  type Finding,
  type Fold,
  findingIn,
  inconclusive,
  listNeeds,
  onlyReading,
  type Reading,
  type Row,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { productEach, sampleProducts } from '../../src/rule/look-ups.ts';
import { categoryKey } from '../../src/rule/product-category-steps.ts';
import { upcs } from '../../src/rule/upc-set.ts';

const SUBJECTS = [ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS] as const;
type Subject = (typeof SUBJECTS)[number];

const MAX_PAIRS = 100_000;

/** A category and a sub-category of products, with the number of their rows and the first one. */
interface Pair {
  readonly category: string | undefined;
  readonly subCategory: string;
  readonly index: number;
  rows: number;
}

type Pairs = Fold<{ readonly pairs: readonly Pair[]; readonly complete: boolean }>;

const textOf = (cell: Row['category']): string | undefined => (typeof cell === 'string' ? cell : undefined);

/** The different pairs in the rows, without rows of removed products: their sub-category may be no more. */
const pairsBy = (key: 'category' | 'categoryId', removed: readonly string[]): Pairs => ({
  key: `sub-categories:${key}:${removed}`,
  start() {
    const pairs = new Map<string, Pair>();
    let complete = true;
    return {
      row(row, index) {
        const subCategory = textOf(row.subCategory);
        if (subCategory === undefined || removed.includes(textOf(row.changeKind) ?? '')) return;
        const category = textOf(row[key]);
        const id = JSON.stringify([category, subCategory]);
        const known = pairs.get(id);
        if (known) known.rows++;
        else if (pairs.size < MAX_PAIRS) pairs.set(id, { category, subCategory, index, rows: 1 });
        else complete = false;
      },
      done: () => ({ pairs: [...pairs.values()], complete }),
    };
  },
});

/** The pairs of a reading, with the values that a look-up has once per response. */
function pairsOf({ folds, observation }: Reading<{ pairs: Pairs }>, key: 'category' | 'categoryId'): readonly Pair[] {
  const [once] = (observation?.values.subCategory ?? []).filter((each) => typeof each === 'string');
  const [category] = observation?.values[key] ?? [];
  const found = folds.pairs.pairs.map((each) => ({ ...each, category: each.category ?? textOf(category) }));
  if (once === undefined || found.length > 0) return found;
  return [{ category: textOf(category), subCategory: once, index: 0, rows: 1 }];
}

/** The sub-categories that allCategories lists: all, and those below each category. */
function listedIn(
  list: Reading<{ rows: ReturnType<typeof collect> }>,
  key: 'category' | 'categoryId',
): { readonly all: ReadonlySet<string>; readonly below: ReadonlyMap<string, ReadonlySet<string>> } {
  const below = new Map<string, Set<string>>();
  const texts = (cells: readonly unknown[]) =>
    cells.flat().flatMap((each) => (typeof each === 'string' ? [normaliseName(each)] : []));
  for (const row of list.folds.rows.rows) {
    const category = textOf(row[key]);
    if (category === undefined) continue;
    const known = below.get(normaliseName(category)) ?? new Set();
    for (const each of texts([row.subCategory])) known.add(each);
    below.set(normaliseName(category), known);
  }
  const cells = [
    ...list.folds.rows.rows.map((row) => row.subCategory),
    ...(list.observation?.values.subCategory ?? []),
  ];
  return { all: new Set(texts(cells)), below };
}

/** A delta may show the sub-category that a product had when it changed. */
const basisOf = (subject: OperationKey): 'plausible' | undefined =>
  subject === UPDATE_PRODUCTS ? 'plausible' : undefined;

const isFilled = (declarations: Declarations, subject: Subject, key: 'category' | 'categoryId'): boolean =>
  declarations.isFilled(`${operationOf(subject).name}.fields.${key}` as OpeningId) &&
  declarations.isFilled(`allCategories.fields.${key}`);

export const subCategoriesListed = defineRule<Steps>({
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
  needs: (subject) => [
    ...listNeeds(subject, 'subCategory'),
    ...(subject === PRODUCT_LOOKUP ? listNeeds(ALL_PRODUCTS, 'upc') : []),
    ...listNeeds(ALL_CATEGORIES, 'subCategory'),
  ],
  repeat: 'pass',
  probe(subject, declarations) {
    const removed = declarations.delta.kinds?.removed ?? [];
    const folds = { pairs: pairsBy(categoryKey(declarations, subject as Subject), removed) };
    const products: Step =
      subject === PRODUCT_LOOKUP
        ? step({ operation: subject, each: productEach(declarations, 'bulk', 'lookUps'), accepts: 'content', folds })
        : step({
            ...(subject === UPDATE_PRODUCTS
              ? { operation: subject, inputs: { window: { value: 13 } } }
              : { operation: ALL_PRODUCTS, alsoMatches: anything }),
            accepts: 'content',
            folds,
          });
    return {
      list: step({
        operation: ALL_CATEGORIES,
        accepts: 'complete',
        folds: { rows: collect(['category', 'categoryId', 'subCategory'], 50_000) },
      }),
      ...(subject === PRODUCT_LOOKUP && {
        bulk: step({
          operation: ALL_PRODUCTS,
          accepts: 'content',
          folds: { some: sampleProducts(declarations, 'lookUps'), upcs },
        }),
      }),
      products,
    };
  },
  counterexample: ({ products }) => ({
    products: editRow(products, { subCategory: 'Unlisted' }, ({ subCategory }) => typeof subCategory === 'string'),
  }),
  judge(seen, { subject, declarations }) {
    const key = categoryKey(declarations, subject as Subject);
    const list = onlyReading((seen.list ?? []) as readonly Reading<{ rows: ReturnType<typeof collect> }>[]);
    const products = (seen.products ?? []) as readonly Reading<{ pairs: Pairs }>[];
    const listed = listedIn(list, key);
    if (!list.folds.rows.complete || products.some(({ folds }) => !folds.pairs.complete))
      return inconclusive('there are too many sub-categories to compare');
    const all = products.flatMap((reading) => pairsOf(reading, key).map((pair) => ({ ...pair, reading })));
    if (all.length === 0) return untested('no product has a sub-category');
    if (!all.some(({ subCategory }) => listed.all.has(normaliseName(subCategory))))
      return inconclusive(
        `allCategories lists no sub-category of any product: products may write them in another way, e.g. ${JSON.stringify(all[0]?.subCategory)}`,
      );
    const hasKeys = isFilled(declarations, subject as Subject, key);
    const findings = all.flatMap(({ category, subCategory, index: row, rows, reading }): Finding[] => {
      const name = normaliseName(subCategory);
      const ofCategory = category === undefined || !hasKeys ? undefined : listed.below.get(normaliseName(category));
      const isListed = listed.all.has(name);
      // Sub-categories that are listed separately have no category.
      if (isListed && (!ofCategory || ofCategory.size === 0 || ofCategory.has(name))) return [];
      const below = ofCategory ? ` below category ${JSON.stringify(category)}` : '';
      const expected = `sub-category ${JSON.stringify(subCategory)} of ${rows} rows in allCategories${below}`;
      return isListed
        ? [
            findingIn(
              reading,
              'sub-category-of-another-category',
              expected,
              'it is listed below other categories only',
              { row },
            ),
          ]
        : [findingIn(reading, 'sub-category-not-listed', expected, 'it is not listed', { row })];
    });
    return decide(
      { of: [list, ...products], compared: all.length, findings: findings.slice(0, 5), basis: basisOf(subject) },
      { nothing: 'no product has a sub-category' },
    );
  },
});
