import { expect } from 'vitest';
import { ALL_PRODUCTS, CATEGORY_PERFORMANCE, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
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
  ['the same', calls(at([100]), at([100])), 'pass', { evidence: { exchanges: 2, distinct: 3000 } }],
  ['in another order', calls(at([100]), at([100], { rows: many.toReversed() })), 'pass'],
  [
    'one of thousands is missing',
    calls(at([100]), at([100], less)),
    'fail',
    {
      findings: [{ actual: expect.stringMatching(/lacks 1 UPCs and adds 0.*000000000001 \(bulk: the 2nd of 2 calls/) }],
    },
  ],
  [
    'one of thousands is new',
    calls(at([100], less), at([100])),
    'fail',
    { findings: [{ actual: expect.stringMatching(/lacks 0 UPCs and adds 1,/) }] },
  ],
  [
    'only the second of three lacks one',
    calls(at([100]), at([100], less), at([100])),
    'fail',
    { findings: [{ kind: 'changed-bulk', actual: expect.stringContaining('the 2nd of 3 calls differs') }] },
  ],
  [
    'only the third lacks one, which 0.1.0 did not request',
    calls(at([100]), at([100]), at([100], less)),
    'fail',
    { findings: [{ since: '0.2.0', actual: expect.stringContaining('the 3rd of 3 calls differs') }] },
  ],
  ['one is missing, in the next week', calls(at([100]), at([107], less)), 'inconclusive', {}],
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
  ['one is missing, an as-of in one response', calls(at([100]), at([], less)), 'inconclusive'],
  ['one is missing, several as-ofs', calls(at([100, 101]), at([100, 101], less)), 'inconclusive'],
  ['one is missing, an as-of twice', calls(at([100, 100]), at([100], less)), 'fail'],
  ['the same in the next week', calls(at([100]), at([107])), 'pass'],
  ['all empty', calls(at([100], {}), at([100], {})), 'untested'],
  ['one reading', calls(at([100])), 'untested'],
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
  ['one differs', windows([100, 100, 100], { rows: many }, less), 'fail', { findings: { length: 1 } }],
  ['one differs, its week moved', windows([100, 107, 100], { rows: many }, less), 'inconclusive'],
  ['two differ, the week of one moved', windows([100, 107, 100], less, less), 'fail', { findings: { length: 1 } }],
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
const none = at([]);
const delta = (first: number, length: number) => ({ rows: products(length, {}, first), values: { asOf: [] } });
judgeCases(
  'C.delta-stable',
  { profile: { operations: { [UPDATE_PRODUCTS]: { response: { fields: { asOf: null } } } } } },
  [
    ['one differs without as-of', { '1 weeks 1': none, '1 weeks 2': { ...less, values: {} } }, 'inconclusive'],
    [
      'a window gets the content of another, which a reload may explain',
      { '1 weeks 1': delta(1, 2), '4 weeks 1': delta(1, 5), '1 weeks 2': delta(1, 5), '4 weeks 2': delta(1, 5) },
      'inconclusive',
    ],
  ],
);

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
  ['by a cent', sales([sale(1), sale(2)], [sale(1), sale(2.01)]), 'fail'],
  [
    'a row more',
    sales([sale(1)], [sale(1), sale(2)]),
    'fail',
    { findings: [{ actual: expect.stringMatching(/^1 rows, then 2; e\.g\. no row, then \{.*2/) }] },
  ],
  [
    'a row less',
    sales([sale(1), sale(2)], [sale(1)]),
    'fail',
    { findings: [{ actual: expect.stringMatching(/^2 rows, then 1; e\.g\. \{.*, then no row/) }] },
  ],
  ['rows without sales', sales([sale(null)], [sale(null)]), 'untested'],
  ['both empty', sales([], []), 'untested'],
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
  [
    'only the rows of one category with other sales, without as-of',
    { 'rows 1': soldIn('Tea', 'Rum', 'Oil'), 'rows 2': { rows: [{ category: 'Tea', sales4Weeks: 9 }] } },
    'inconclusive',
  ],
]);
