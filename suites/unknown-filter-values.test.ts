/** Services that filter lists by names, and what they return for names that no row has. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from './judge-in-process.test.support.ts';

const ALL_CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const ALL_PRODUCTS = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const BRAND_PERFORMANCE = 'GET /RetailMeasurement/v1/BrandPerformance';
const OPERATIONS = [ALL_CATEGORIES, ALL_PRODUCTS, BRAND_PERFORMANCE] as const;

const ROWS = [
  { category: 'Tea', brand: 'Sun' },
  { category: 'Coffee', brand: 'Moon' },
];
/** What a filter gets whose value is in no row. */
type Unknown = 'refused' | 'empty' | 'all rows';

async function judge(rule: string, unknown: { readonly [filter: string]: Unknown }, statuses = '[404]') {
  const list = 'response: { rows: "$[*]", fields: { category: "@.category", brand: "@.brand" } }';
  const profile = `name: t
operations:
  ${ALL_CATEGORIES}:
    request: {}
    response: { rows: "$[*]", fields: { category: "@.category" } }
  ${ALL_PRODUCTS}:
    request: { query: { category: "{category}" } }
    response: { rows: "$[*]", fields: { category: "@.category" } }
    statuses: { unknown: ${statuses} }
  ${BRAND_PERFORMANCE}:
    request: { query: { category: "{category}", brand: "{brand}" } }
    ${list}
    statuses: { unknown: ${statuses} }`;
  const service: Answer = ({ key, query }) => {
    const filters = [...query];
    const rows = ROWS.filter((row) => filters.every(([name, value]) => row[name as 'brand'] === value));
    const result = rows.length > 0 ? undefined : unknown[filters[0]?.[0] ?? ''];
    if (!OPERATIONS.some((each) => each === key) || result === 'refused') return undefined;
    return [200, result === 'all rows' ? ROWS : rows];
  };
  const run = await judgeService(profile, service, { rules: [rule], operations: OPERATIONS });
  const [judged] = run.results.filter(({ verdict }) => verdict !== 'not-applicable');
  return {
    verdict: judged?.verdict,
    kinds: judged?.findings.map(({ fingerprint }) => fingerprint?.split('/').at(-1)) ?? [],
  };
}

test.each([
  ['refused', 'pass', []],
  ['empty', 'fail', ['unknown-category-empty', 'unknown-category-empty']],
  ['all rows', 'fail', ['unknown-category-known', 'unknown-category-known']],
] as const)('the bulk list of an unknown category: %s', async (category, verdict, kinds) => {
  expect(await judge('C.unknown-category', { category })).toEqual({ verdict, kinds });
});

test('an empty bulk list of an unknown category where the profile states 200', async () => {
  expect(await judge('C.unknown-category', { category: 'empty' }, '[200]')).toEqual({ verdict: 'pass', kinds: [] });
});

test.each([
  ['refused', 'refused', 'pass', []],
  ['refused', 'all rows', 'fail', ['unknown-brand-known', 'unknown-brand-known']],
  ['refused', 'empty', 'pass', []],
  ['empty', 'empty', 'fail', [...Array(2).fill('unknown-brand-empty'), ...Array(2).fill('unknown-category-empty')]],
] as const)('the performance of an unknown category: %s, brand: %s', async (category, brand, verdict, kinds) => {
  const judged = await judge('D.unknown-name', { category, brand });
  expect({ ...judged, kinds: judged.kinds.toSorted() }).toEqual({ verdict, kinds });
});
