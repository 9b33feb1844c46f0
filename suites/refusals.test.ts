/** A service that reports errors in the body of a 200, judged with and without the key that says so. */
import { expect, test } from 'vitest';
import { judgeService } from './judge-in-process.test.support.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const PROFILE = {
  name: 'refuses in 200',
  implements: ['C'],
  examples: { upc: ['012345678905'] },
  operations: {
    [`GET ${C}/allProducts`]: {
      request: { query: { page: '{page}' } },
      response: {
        rows: '$.items[*]',
        fields: { upc: { at: '@.upc', required: true } },
        paging: { style: 'page', first: 1 },
      },
    },
    [`GET ${C}/products/{upc}`]: { request: {}, response: { rows: '$.item', fields: { characteristics: '@.facts' } } },
  },
};
const REFUSAL = [
  { at: '$.code', is: 'E404', like: 404 },
  { at: '$.code', is: 'E401', like: 401 },
  { at: '$.status', is: 'ERROR' },
];
const refuse = (code: string) => ({ status: 'ERROR', code, items: [{ upc: 'none' }] });

const judge = (answer: (path: string, page: string) => object, rules: string[], profile: object) =>
  judgeService(
    JSON.stringify({ ...PROFILE, ...profile }),
    ({ path, query }) => [200, answer(path, query.get('page') ?? '1')],
    { rules },
  );
const UPCS = ['012345678905', '042100000177'];
const product = { status: 'OK', item: { facts: [{ colour: 'red' }] } };
const list = (page: string) => (page === '1' ? { status: 'OK', items: UPCS.map((upc) => ({ upc })) } : refuse('E404'));

test('rows of a refused page are no rows of the list', async () => {
  const answer = (path: string, page: string) => (path.endsWith('allProducts') ? list(page) : refuse('E404'));
  const rules = ['C.upc-12-digits'];
  const withKey = await judge(answer, rules, { refusal: REFUSAL });
  expect(withKey.results.map(({ verdict, evidence }) => [verdict, evidence.rows])).toContainEqual(['pass', 2]);
  const without = await judge(answer, rules, {});
  expect(without.results.map(({ verdict }) => verdict)).toContain('fail');
});

test('a documented path that is refused like paths that cannot exist is not served', async () => {
  const answer = (path: string, page: string) => (path.endsWith('allProducts') ? list(page) : refuse('E404'));
  const { results } = await judge(answer, ['every.served'], { refusal: REFUSAL });
  const verdictOf = (name: string) => results.find(({ operation }) => operation.includes(name))?.verdict;
  expect(verdictOf('allProducts')).toBe('pass');
  expect(verdictOf('products/{upc}')).toBe('fail');
  expect(verdictOf('updateProducts')).toBe('untested');
});

test('a refusal of the credentials is no violation', async () => {
  const { outcome, results } = await judge(() => refuse('E401'), ['C.lookup-example', 'every.served'], {
    refusal: REFUSAL,
  });
  expect(outcome).toBe('undetermined');
  expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

test.each([
  ['E404', { unknown: [404] }, 'pass'],
  ['E404', { unknown: [200] }, 'pass'],
  ['E404', { unknown: [410] }, 'fail'],
  ['OTHER', { unknown: [404] }, 'inconclusive'],
  ['OTHER', { unknown: [200] }, 'pass'],
])('%s for an unknown UPC, where the profile states %j: %s', async (code, statuses, verdict) => {
  const answer = (path: string, page: string) => {
    if (path.endsWith('allProducts')) return list(page);
    return UPCS.some((upc) => path.endsWith(`/products/${upc}`)) ? product : refuse(code);
  };
  const { results } = await judge(answer, ['C.unknown-status'], { refusal: REFUSAL, statuses });
  expect(results.map((each) => each.verdict)).toEqual([verdict]);
});
