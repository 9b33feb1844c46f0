import { expect } from 'vitest';
import { ALL_PRODUCTS, CATEGORY_PERFORMANCE } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases, products } from '../judging.test.support.ts';

const many = products(3000);
const at = (asOf: readonly unknown[], answer: FakeResponse = { rows: many }): FakeResponse => ({
  ...answer,
  values: { asOf: asOf as number[] },
});
const less = { rows: many.slice(1) };
const calls = (...responses: FakeResponse[]) =>
  Object.fromEntries(responses.map((response, index) => [`bulk ${index + 1}`, response]));

judgeCases('C.bulk-stable', {}, [
  [
    'one of thousands is missing',
    calls(at([100]), at([100], less)),
    'fail',
    {
      findings: [{ actual: expect.stringMatching(/lacks 1 UPCs and adds 0.*000000000001 \(bulk: the 2nd of 2 calls/) }],
    },
  ],
  [
    'only the third lacks one, which 0.1.0 did not request',
    calls(at([100]), at([100]), at([100], less)),
    'fail',
    { findings: [{ since: '0.2.0', actual: expect.stringContaining('the 3rd of 3 calls differs') }] },
  ],
  [
    'two replicas in turn, a week apart',
    calls(at([100]), at([93], less), at([100])),
    'inconclusive',
    { because: expect.stringMatching(/the 2nd of 3 calls differs.*; the data week or its as-of date changed/) },
  ],
  [
    'one is missing, without as-of',
    calls(at([]), at([], less)),
    'inconclusive',
    { since: '0.2.0', because: expect.stringMatching(/lacks 1 UPCs.*no as-of date/) },
  ],
  ['one is missing, an as-of twice', calls(at([100, 100]), at([100], less)), 'fail'],
  ['all empty', calls(at([100], {}), at([100], {})), 'untested'],
]);
judgeCases(
  'C.bulk-stable',
  {
    profile: {
      operations: {
        [ALL_PRODUCTS]: { response: { fields: { asOf: { at: '$response.header.Date', as: 'httpDate' } } } },
      },
    },
  },
  [['a clock is no as-of', calls(at([100]), at([100], less)), 'inconclusive']],
);

const windows = (asOfDates: readonly number[], ...changes: FakeResponse[]) =>
  Object.fromEntries(
    [1, 4, 13].flatMap((weeks, index) => [
      [`${weeks} weeks 1`, at([100])],
      [`${weeks} weeks 2`, at([asOfDates[index]], changes[index])],
    ]),
  );
judgeCases('C.delta-stable', {}, [
  ['each the same', windows([100, 100, 100]), 'pass', { evidence: { exchanges: 6, distinct: 9000 } }],
]);
const inCategories = (...names: string[]) => ({
  rows: names.flatMap((category, at) => products(2, { category }, 1 + 10 * at)),
});
judgeCases('C.bulk-stable', {}, [
  [
    'only the products of one of three categories, without as-of',
    calls(at([], inCategories('Tea', 'Rum', 'Oil')), at([], inCategories('Tea'))),
    'fail',
    { findings: [{ kind: 'filtered-without-a-filter', exchange: '#bulk 2-0', since: '0.2.0' }] },
  ],
  [
    'only some products of one category, without as-of',
    calls(at([], inCategories('Tea', 'Rum', 'Oil')), at([], { rows: products(1, { category: 'Tea' }) })),
    'inconclusive',
  ],
  [
    'only the products of one of two categories, without as-of',
    calls(at([], inCategories('Tea', 'Rum')), at([], inCategories('Tea'))),
    'inconclusive',
  ],
]);

const sale = (sales4Weeks: number | null) => ({ category: 'Tea', sales4Weeks });
const sales = (first: readonly object[], second: readonly object[]) => ({
  'rows 1': at([100], { rows: first }),
  'rows 2': at([100], { rows: second }),
});
judgeCases('D.category-sales-stable', { subject: CATEGORY_PERFORMANCE }, [
  [
    'the same in another order',
    sales([sale(1), sale(2)], [sale(2), sale(1)]),
    'pass',
    { evidence: { exchanges: 2, distinct: 2 } },
  ],
  ['in the last digits of a sum', sales([sale(0.3)], [sale(0.1 + 0.2)]), 'pass'],
  [
    'a row more',
    sales([sale(1)], [sale(1), sale(2)]),
    'fail',
    { findings: [{ actual: expect.stringMatching(/^1 rows, then 2; e\.g\. no row, then \{.*2/) }] },
  ],
]);
const soldIn = (...names: string[]) => ({ rows: names.map((category, at) => ({ category, sales4Weeks: at })) });
judgeCases('D.category-sales-stable', { subject: CATEGORY_PERFORMANCE }, [
  [
    'only the rows of one of three categories, without as-of',
    { 'rows 1': soldIn('Tea', 'Rum', 'Oil'), 'rows 2': soldIn('Tea') },
    'fail',
    {
      findings: [
        { kind: 'filtered-without-a-filter', expected: 'the whole list, not only the rows of category "Tea"' },
      ],
    },
  ],
]);
