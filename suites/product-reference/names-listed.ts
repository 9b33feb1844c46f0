/** The names of products that allCategories and Metadata list: sections 4.3 and 4.4. */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  PERFORMANCE_METADATA,
  PRODUCT_NAMES,
  type ProductName,
} from '../../src/contract/index.ts';
import { nameFolds, namesIn, normaliseName } from '../../src/rule/choose-names.ts';
import { stateOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  anything,
  type Comparison,
  type Declarations,
  editRow,
  findingIn,
  onlyIf,
  relationRule,
  rows,
} from '../../src/rule/index.ts';

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
