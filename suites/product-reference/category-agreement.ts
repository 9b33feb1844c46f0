/** A product has the same category in the look-up, in the delta and in the bulk list: sections 2 and 4.3. */
import { ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { stateOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Comparison,
  collect,
  type Declarations,
  editRow,
  findingIn,
  notApplicable,
  type Reading,
  type Row,
  relationRule,
  rows,
  type UpcSet,
  upcs,
  upcsBy,
  upcsWithout,
} from '../../src/rule/index.ts';
import { lookUpsOf, rowsOf, sampleProducts } from '../../src/rule/look-ups.ts';
import { CATEGORY } from './category-filter-steps.ts';

const ANOTHER = { category: 'Another', categoryId: 'another' };

/** Categories are compared by name where the profile reads names in both responses, otherwise by id. */
const categoryField = ({ isFilled }: Declarations, other: 'products' | 'updateProducts'): 'category' | 'categoryId' =>
  isFilled(`${other}.fields.category`) && isFilled('allProducts.fields.category') ? 'category' : 'categoryId';

/** The category that all rows of a product agree on; undefined if they show none or several. */
function categoryOf(of: readonly Row[], field: 'category' | 'categoryId'): string | undefined {
  const names = of.flatMap((row) => (typeof row[field] === 'string' ? [row[field]] : []));
  return new Set(names.map(normaliseName)).size === 1 ? names.at(-1) : undefined;
}

/** Compares the category of a product with those that the bulk list shows: it may have several rows there. */
function compareCategory(
  upc: string,
  own: string | undefined,
  byCategory: ReadonlyMap<string, UpcSet>,
  reading: Reading,
): Comparison {
  const listed = [...byCategory].filter(([, set]) => set.has(upc)).map(([category]) => category);
  if (own === undefined || listed.length === 0) return {};
  if (listed.some((category) => normaliseName(category) === normaliseName(own))) return { compared: 1 };
  const names = listed.map((category) => JSON.stringify(category)).join(' or ');
  const expected = `product ${upc} belongs to ${names}, as in the bulk list`;
  return { compared: 1, findings: [findingIn(reading, 'other-category', expected, JSON.stringify(own))] };
}

export const categoryAgrees = relationRule({
  id: 'C.category-agrees',
  statement: 'C.product-category',
  basis: 'derived',
  since: '0.1.0',
  demands: 'A product has the same category in the look-up and in the bulk list.',
  how: [
    'UPCs spread over the bulk list are looked up.',
    'The category of each must be one that the list shows with the UPC, compared by name or by id.',
  ],
  subjects: [PRODUCT_LOOKUP],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', CATEGORY],
      accepts: 'content',
      folds: (declarations) => ({
        some: sampleProducts(declarations, 'lookUps'),
        upcs,
        byCategory: upcsBy(categoryField(declarations, 'products')),
        // A row without a readable category may be the one of the look-up.
        withoutCategory: upcsWithout(categoryField(declarations, 'products')),
      }),
    }),
    products: lookUpsOf('bulk', 'lookUps', {
      fields: [CATEGORY],
      accepts: 'content',
      folds: { product: collect(CATEGORY, 100) },
    }),
  },
  counterexample: ({ products }) => ({ products: editRow(products, ANOTHER) }),
  compare: ({ bulk: { folds }, products }, { declarations }) => [
    { of: products },
    ...products.map((reading) => {
      const upc = String(reading.inputs.upc);
      const own = categoryOf(rowsOf(reading), categoryField(declarations, 'products'));
      return folds.withoutCategory.has(upc) ? {} : compareCategory(upc, own, folds.byCategory, reading);
    }),
  ],
  counted: 'rows',
  nothing: 'no product has a category in both responses',
});

/** Whether both lists have the field of categories; otherwise one has names and the other ids. */
const isInBoth = (declarations: Declarations): boolean =>
  (['updateProducts', 'allProducts'] as const).every((name) =>
    declarations.isFilled(`${name}.fields.${categoryField(declarations, 'updateProducts')}`),
  );

/** The basis if the profile states that the delta shows the latest category. */
const statedBasis = (declarations: Declarations): 'profile' | undefined =>
  declarations.delta.latestValues.includes(categoryField(declarations, 'updateProducts')) ? 'profile' : undefined;

export const deltaCategory = relationRule({
  id: 'C.delta-category-agrees',
  statement: 'C.product-category',
  basis: 'plausible',
  demands: 'A product has the same category in the delta and in the bulk list.',
  how: [
    'Each product of the 13-week delta that the bulk list contains, and whose rows agree on one category, must have a category that the bulk list shows.',
    'It gates if the profile states that the delta shows the latest category (`delta.latestValues`), and both lists state the same as-of date.',
  ],
  looksLike: [
    'A server whose delta shows the category that a product had when it changed, which is legal; `delta.latestValues` tells it apart.',
    'A bulk list that is a reload ahead of the delta is legal, too; the as-of dates tell it apart.',
  ],
  declaredBasis: statedBasis,
  subjects: [UPDATE_PRODUCTS],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', CATEGORY],
      accepts: 'content',
      folds: (declarations) => ({ byCategory: upcsBy(categoryField(declarations, 'updateProducts')) }),
    }),
    thirteen: rows(UPDATE_PRODUCTS, {
      weeks: 13,
      fields: ['upc', CATEGORY],
      accepts: 'content',
      folds: (declarations) => ({
        rows: collect(['upc', categoryField(declarations, 'updateProducts')], 500_000),
      }),
    }),
  },
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, ANOTHER) }),
  compare({ bulk, thirteen }, { declarations }) {
    if (!isInBoth(declarations)) return [];
    const field = categoryField(declarations, 'updateProducts');
    const isOfOneWeek = stateOneAsOf(declarations, thirteen, bulk);
    const ofProducts = Map.groupBy(
      thirteen.folds.rows.rows.filter(({ upc }) => typeof upc === 'string'),
      ({ upc }) => String(upc),
    );
    const compared = [...ofProducts].map(([upc, own]): Comparison => {
      const found = compareCategory(upc, categoryOf(own, field), bulk.folds.byCategory, thirteen);
      const [finding] = found.findings ?? [];
      if (!finding || isOfOneWeek) return { ...found, basis: statedBasis(declarations) };
      const because = `${finding.expected}, but ${finding.actual} in the delta; the two lists do not state the same as-of date`;
      return { doubt: because };
    });
    return [{ of: [bulk, thirteen] }, ...compared];
  },
  nothing: (_, { declarations }) =>
    isInBoth(declarations)
      ? 'no product has a category in the delta and in the bulk list'
      : notApplicable('the profile reads the name of the category in one list and its id in the other'),
});
