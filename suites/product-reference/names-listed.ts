/** The names of products are among those that other operations list, where the profile promises it: sections 4.3 and 4.4. */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  openingById,
  PERFORMANCE_METADATA,
  PRODUCT_NAMES,
  type ProductName,
} from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import {
  anything,
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  onlyReading,
  passed,
  type Reading,
  type Steps,
  step,
  texts,
  untested,
} from '../../src/rule/index.ts';

const nameFolds = Object.fromEntries(PRODUCT_NAMES.map((each) => [each, texts(each)]));

type NamesReading = Reading<typeof nameFolds>;

/** The operation that lists the names: allCategories, if the profile reads sub-categories there, or else Metadata. */
const listOf = (name: ProductName, declarations: Declarations) =>
  name === 'subCategory' && declarations.selector(ALL_CATEGORIES, name) !== undefined
    ? ALL_CATEGORIES
    : PERFORMANCE_METADATA;

const stepName = (operation: typeof ALL_CATEGORIES | typeof PERFORMANCE_METADATA): string =>
  operation === ALL_CATEGORIES ? 'categories' : 'metadata';

/** The names that a list contains, in rows or read once. */
function namesIn({ observation, folds }: NamesReading, name: ProductName): Set<string> {
  const once = (observation?.values[name] ?? []).filter((value): value is string => typeof value === 'string');
  return new Set([...(folds[name]?.counts.keys() ?? []), ...once].map(normaliseName));
}

export const namesListed = defineRule<Steps>({
  id: 'C.names-listed',
  statement: 'C.bulk',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'Each sub-category, manufacturer and brand of a product is one that allCategories or Metadata lists: the profile promises it (products.listed).',
  how: 'The names of all rows of the bulk list are compared with those of allCategories (sub-categories, if the profile reads them there) and BrandPerformance/Metadata. A name that is not listed is a failure if both responses state the same as-of date; otherwise it is inconclusive, as it is if no name is listed.',
  looksLike:
    'A service whose metadata is loaded after its products is legal and does not list a new brand yet; the as-of dates tell it apart. A service whose metadata lists the names with sales only does not promise this.',
  subjects: [ALL_PRODUCTS],
  needs: () => [
    'productNames',
    'allProducts.request',
    'allProducts.rows',
    PRODUCT_NAMES.map((each) => openingById(`allProducts.fields.${each}`).id),
  ],
  repeat: 'pass',
  probe(_subject, declarations): Steps {
    const lists = new Set(declarations.listedNames.map((each) => listOf(each, declarations)));
    return {
      bulk: step({ operation: ALL_PRODUCTS, alsoMatches: anything, accepts: 'content', folds: nameFolds }),
      ...Object.fromEntries(
        [...lists].map((operation) => [
          stepName(operation),
          step({ operation, accepts: 'complete', folds: nameFolds }),
        ]),
      ),
    };
  },
  counterexample: ({ bulk }) => ({
    bulk: editRow(bulk, Object.fromEntries(PRODUCT_NAMES.map((each) => [each, 'No such name']))),
  }),
  judge(seen, { declarations }) {
    const bulk = onlyReading(seen.bulk ?? []) as NamesReading;
    const asOf = statedAsOf(bulk, declarations);
    const findings: Finding[] = [];
    let doubt: string | undefined;
    let compared = 0;
    for (const name of declarations.listedNames) {
      const operation = listOf(name, declarations);
      const list = onlyReading(seen[stepName(operation)] ?? []) as NamesReading;
      const known = namesIn(list, name);
      const used = [...(bulk.folds[name]?.counts ?? [])];
      if (used.length > 0 && known.size === 0) doubt ??= `${operation} contains no ${name} where the profile reads it`;
      if (known.size === 0) continue;
      compared += used.length;
      const unlisted = used.filter(([each]) => !known.has(normaliseName(each)));
      const [first] = unlisted;
      if (!first) continue;
      const actual = `${JSON.stringify(first[0])} of ${first[1]} products is missing among its ${known.size} names`;
      if (unlisted.length === used.length)
        doubt ??= `${actual} of ${operation}, as is each other ${name}: the two may write it in another form`;
      else if (asOf === undefined || statedAsOf(list, declarations) !== asOf)
        doubt ??= `${actual} of ${operation}, but the two do not state one as-of date`;
      else
        findings.push({
          kind: `${name}-not-listed`,
          expected: `each ${name} of a product is listed by ${operation}, as the profile promises in products.listed`,
          actual,
          exchange: bulk.exchange,
        });
    }
    if (findings.length > 0) return failed(findings);
    if (doubt !== undefined) return inconclusive(doubt);
    return compared === 0
      ? untested('no product of the bulk list has such a name')
      : passed({ ...evidenceOf(Object.values(seen).flat()), distinct: compared });
  },
});
