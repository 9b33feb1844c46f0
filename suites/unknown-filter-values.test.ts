/** Services that filter lists by names, and what they return for names that no row has. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { judgeTarget } from '../src/api/judge-target.ts';
import { DEFAULT_SAMPLING } from '../src/contract/index.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';

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
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://localhost');
    const isServed = OPERATIONS.some((key) => key.endsWith(pathname));
    const filters = [...searchParams];
    const rows = ROWS.filter((row) => filters.every(([name, value]) => row[name as 'brand'] === value));
    const result = !isServed ? 'refused' : rows.length > 0 ? undefined : unknown[filters[0]?.[0] ?? ''];
    response
      .writeHead(result === 'refused' ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(result === 'refused' ? {} : result === 'all rows' ? ROWS : rows));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const list = 'response: { rows: "$[*]", fields: { category: "@.category", brand: "@.brand" } }';
  const profile = parseProfile(
    `name: t
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
    statuses: { unknown: ${statuses} }`,
    't.yaml',
    {},
  );
  const run = await judgeTarget({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    profile,
    selection: {
      sampling: DEFAULT_SAMPLING,
      safety: 'read',
      rules: [rule],
      operations: OPERATIONS,
    },
  });
  await new Promise((closed) => server.close(closed));
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
