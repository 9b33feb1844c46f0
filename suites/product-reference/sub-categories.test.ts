/** Categories whose rows list their sub-categories, and products with a sub-category. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

const CATEGORIES = [
  { name: 'Tea', segments: ['Green', 'Organic'] },
  { name: 'Coffee', segments: ['Ground', 'Organic'] },
  { name: 'Milk', segments: [] },
];

type Product = { readonly name: string; readonly segment?: string };
const PRODUCTS: readonly Product[] = [
  { name: 'Tea', segment: 'Green' },
  { name: 'Tea', segment: 'Organic' },
  { name: 'Coffee', segment: 'GROUND' },
  { name: 'Coffee', segment: 'Organic' },
  { name: 'Milk' },
];

async function judge(products: readonly Product[]) {
  let calls = 0;
  const service: Answer = ({ path }) => {
    if (path.endsWith('/allProducts'))
      return [200, { rows: products.map((each, at) => ({ upc: String(at + 1).padStart(12, '0'), ...each })) }];
    if (!path.endsWith('/allCategories')) return undefined;
    calls++;
    const rows = CATEGORIES.map(({ name, segments }) => ({
      name,
      segments: calls % 2 ? segments : segments.toReversed(),
    }));
    return [200, { rows }];
  };
  const profile = `name: t
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.rows[*]", fields: { category: "@.name", subCategory: "@.segments[*]" } }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: {}
    response: { rows: "$.rows[*]", fields: { upc: "@.upc", category: "@.name", subCategory: "@.segment" } }`;
  const run = await judgeService(profile, service, { rules: ['C.sub-categories-listed', 'C.categories-stable'] });
  return Object.fromEntries(
    run.results
      .filter(({ operation }) => !/updateProducts|\{upc\}/.test(operation))
      .map(({ rule, verdict, findings }) => [rule, findings?.[0] ? `${verdict}: ${findings[0].actual}` : verdict]),
  );
}

test('lists of sub-categories in any order pass, also with a name that two categories share', async () => {
  expect(await judge(PRODUCTS)).toMatchObject({ 'C.sub-categories-listed': 'pass', 'C.categories-stable': 'pass' });
});

test.each<[string, string, Product]>([
  ['that is not listed', 'fail: it is not listed', { name: 'Tea', segment: 'Black' }],
  [
    'that is listed below another category',
    'fail: it is listed below other categories only',
    { name: 'Tea', segment: 'Ground' },
  ],
])('a sub-category of a product %s fails', async (_, verdict, product) => {
  expect(await judge([...PRODUCTS, product])).toMatchObject({ 'C.sub-categories-listed': verdict });
});

test('codes in place of all sub-categories are inconclusive', async () => {
  const coded = PRODUCTS.map((each) => ({ ...each, ...(each.segment && { segment: 'S1' }) }));
  expect(await judge(coded)).toMatchObject({ 'C.sub-categories-listed': 'inconclusive' });
});
