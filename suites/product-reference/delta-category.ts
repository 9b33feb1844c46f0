/** A product has the same category in the delta and in the bulk list: section 2. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { deltaNeeds, deltaStep } from '../../src/rule/delta-steps.ts';
import {
  collect,
  type Declarations,
  defineRule,
  editRow,
  evidenceOf,
  failed,
  inconclusive,
  notApplicable,
  onlyReading,
  passed,
  type Row,
  step,
  untested,
  upcsBy,
} from '../../src/rule/index.ts';

const LISTS = ['updateProducts', 'allProducts'] as const;
const MAX_COMPARED_ROWS = 500_000;

/** Categories are compared by name where the profile reads names in both lists, otherwise by id. */
const categoryField = (declarations: Declarations): 'category' | 'categoryId' =>
  LISTS.every((name) => declarations.isFilled(`${name}.fields.category`)) ? 'category' : 'categoryId';

/** The basis if the profile states that the delta shows the latest category. */
const statedBasis = (declarations: Declarations): 'profile' | undefined =>
  declarations.delta.latestValues.includes(categoryField(declarations)) ? 'profile' : undefined;

/** The category of each product that all of its rows agree on. */
function categoryByUpc(rows: readonly Row[], field: 'category' | 'categoryId'): ReadonlyMap<string, string> {
  const groups = Map.groupBy(
    rows.filter((row) => typeof row.upc === 'string' && typeof row[field] === 'string'),
    (row) => row.upc as string,
  );
  return new Map(
    [...groups].flatMap(([upc, own]) => {
      const names = new Map(own.map((row) => [normaliseName(row[field] as string), row[field] as string]));
      const [name] = names.values();
      return name !== undefined && names.size === 1 ? [[upc, name] as const] : [];
    }),
  );
}

export const deltaCategory = defineRule({
  id: 'C.delta-category-agrees',
  statement: 'C.product-category',
  basis: 'plausible',
  since: '0.2.0',
  demands: 'A product has the same category in the delta and in the bulk list.',
  how: 'Each product of the 13-week delta that the bulk list contains, and whose rows agree on one category, must have a category that the bulk list shows. It gates if the profile states that the delta shows the latest category (`delta.latestValues`), and both lists state the same as-of date.',
  looksLike:
    'A server whose delta shows the category that a product had when it changed, which is legal; `delta.latestValues` tells it apart. A bulk list that is a reload ahead of the delta is legal, too; the as-of dates tell it apart.',
  declaredBasis: statedBasis,
  subjects: [UPDATE_PRODUCTS],
  needs: () => [
    ...deltaNeeds,
    'updateProducts.fields.upc',
    ['updateProducts.fields.category', 'updateProducts.fields.categoryId'],
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    ['allProducts.fields.category', 'allProducts.fields.categoryId'],
  ],
  repeat: 'pass',
  probe: (_subject, declarations) => ({
    bulk: step({
      operation: ALL_PRODUCTS,
      accepts: 'content',
      folds: { byCategory: upcsBy(categoryField(declarations)) },
    }),
    thirteen: step({
      ...deltaStep(13),
      accepts: 'content',
      folds: { rows: collect(['upc', categoryField(declarations)], MAX_COMPARED_ROWS) },
    }),
  }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { category: 'Another', categoryId: 'another' }) }),
  judge(seen, { declarations }) {
    const field = categoryField(declarations);
    if (!LISTS.every((name) => declarations.isFilled(`${name}.fields.${field}`)))
      return notApplicable('the profile reads the name of the category in one list and its id in the other');
    const [bulk, delta] = [onlyReading(seen.bulk), onlyReading(seen.thirteen)];
    const byCategory = [...bulk.folds.byCategory];
    let compared = 0;
    const findings = [...categoryByUpc(delta.folds.rows.rows, field)].flatMap(([upc, name]) => {
      const listed = byCategory.filter(([, set]) => set.has(upc)).map(([category]) => category);
      if (listed.length === 0) return [];
      compared++;
      if (listed.some((each) => normaliseName(each) === normaliseName(name))) return [];
      return [
        {
          kind: 'other-category',
          expected: `product ${upc} belongs to ${listed.map((each) => JSON.stringify(each)).join(' or ')}, as in the bulk list`,
          actual: JSON.stringify(name),
          exchange: delta.exchange,
        },
      ];
    });
    if (compared === 0) return untested('no product has a category in the delta and in the bulk list');
    if (findings.length === 0) return passed({ ...evidenceOf([bulk, delta]), distinct: compared });
    const asOf = statedAsOf(delta, declarations);
    if (asOf !== undefined && statedAsOf(bulk, declarations) === asOf)
      return failed(findings, statedBasis(declarations));
    return inconclusive(
      `${findings[0]?.expected}, but ${findings[0]?.actual} in the delta; the two lists do not state the same as-of date`,
    );
  },
});
