/** Services that can be filtered by the name and by the id of a category, each alone. */
import { expect, test } from 'vitest';
import { judgeService } from '../judge-in-process.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const PRODUCTS = ['Tea', 'Coffee', 'Milk'].flatMap((name, at) =>
  [0, 1, 2].map((nth) => ({ upc: String(100_000 + 10 * at + nth).padStart(12, '0'), name, code: `c${at}` })),
);

type Product = (typeof PRODUCTS)[number];
/** The products that a filter selects. */
type Select = (name: string | undefined, code: string | undefined, all: readonly Product[]) => readonly Product[];

const correct: Select = (name, code, all) =>
  all.filter((each) => (name === undefined || each.name === name) && (code === undefined || each.code === code));

/** The verdicts of the rules of the filter, and the targets of all requests of the bulk list. */
async function judge(
  select: Select,
  filters = '"Name eq \'{category}\'", "Code eq \'{categoryId}\'"',
  products = PRODUCTS,
) {
  const requests: string[] = [];
  const profile = `name: t
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.rows[*]", fields: { category: "@.name", categoryId: "@.code" } }
  ${BULK}:
    request: { query: { filter: { join: " and ", clauses: [${filters}] } } }
    response:
      rows: "$.rows[*]"
      fields: { upc: "@.upc", category: "@.name", categoryId: "@.code", asOf: { at: $.asOf, as: iso } }`;
  const run = await judgeService(
    profile,
    ({ path, query }) => {
      const answer = (rows: readonly object[]) => [200, { asOf: '2026-11-14', rows }] as const;
      if (path.endsWith('/allCategories'))
        return answer([...new Map(products.map(({ name, code }) => [code, { name, code }])).values()]);
      if (!path.endsWith('/allProducts')) return undefined;
      const filter = query.get('filter') ?? '';
      requests.push(filter);
      const [, name] = /Name eq '(.*?)'/.exec(filter) ?? [];
      const [, code] = /Code eq '(.*?)'/.exec(filter) ?? [];
      return answer(select(name, code, products));
    },
    {
      rules: ['C.filter-sound', 'C.filter-complete', 'C.filter-answered', 'C.filter-stable', 'C.bulk-whole'],
      operations: [BULK],
    },
  );
  const verdictOf = new Map(run.results.map(({ rule, verdict }) => [rule, verdict]));
  const failed = [...verdictOf].filter(([, verdict]) => verdict === 'fail').map(([rule]) => rule);
  return { verdictOf, failed, requests };
}

test('each filter is sent alone, and both together once', async () => {
  const { verdictOf, requests } = await judge(correct);
  expect([...verdictOf.values()]).toEqual(Array(verdictOf.size).fill('pass'));
  expect(verdictOf.size).toBe(5);
  const distinct = [...new Set(requests)].filter((each) => each !== '').sort();
  expect(distinct.filter((each) => each.includes(' and '))).toHaveLength(1);
  expect(distinct.filter((each) => !each.includes(' and '))).toEqual([
    "Code eq 'c0'",
    "Code eq 'c1'",
    "Code eq 'c2'",
    "Name eq 'Coffee'",
    "Name eq 'Milk'",
    "Name eq 'Tea'",
  ]);
});

const withoutLast: Select = (name, code, all) => correct(name, code, all).slice(0, -1);

test.each<[string, string[], Select]>([
  ['ignores the code alone', ['C.filter-sound'], (name, code, all) => correct(name, name ? code : undefined, all)],
  ['ignores the name alone', ['C.filter-sound'], (name, code, all) => correct(code ? name : undefined, code, all)],
  [
    'loses a product by the code alone',
    ['C.filter-complete'],
    (name, code, all) => (code !== undefined && name === undefined ? withoutLast : correct)(name, code, all),
  ],
  [
    'loses a product by the name alone',
    ['C.filter-complete'],
    (name, code, all) => (name !== undefined && code === undefined ? withoutLast : correct)(name, code, all),
  ],
])('a service that %s fails', async (_, rules, select) => {
  expect((await judge(select)).failed).toEqual(expect.arrayContaining(rules));
});

test('categories of one name with different codes are legal', async () => {
  const shared = PRODUCTS.map((each) => (each.name === 'Milk' ? { ...each, name: 'Tea' } : each));
  expect((await judge(correct, undefined, shared)).failed).toEqual([]);
});

test('filters that the profile writes into one clause are sent together only', async () => {
  const { failed, requests } = await judge(correct, "\"Name eq '{category}' and Code eq '{categoryId}'\"");
  expect(failed).toEqual([]);
  expect(requests.filter((each) => each !== '' && !each.includes(' and '))).toEqual([]);
  expect(new Set(requests).size).toBe(4);
});
