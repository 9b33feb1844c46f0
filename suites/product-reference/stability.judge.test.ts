import { expect } from 'vitest';
import { ALL_PRODUCTS, CATEGORY_PERFORMANCE, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases, products } from '../judging.test.support.ts';

const many = products(3000);
const at = (asOf: readonly unknown[], answer: FakeResponse = { rows: many }): FakeResponse => ({
  ...answer,
  values: { asOf: asOf as number[] },
});
const less = { rows: many.slice(1) };
const twice = (first: FakeResponse, second: FakeResponse) => ({ 'bulk first': first, 'bulk second': second });

judgeCases('C.bulk-stable', {}, [
  ['the same', twice(at([100]), at([100])), 'pass', { evidence: { exchanges: 2, distinct: 3000 } }],
  ['in another order', twice(at([100]), at([100], { rows: many.toReversed() })), 'pass'],
  [
    'one of thousands gone',
    twice(at([100]), at([100], less)),
    'fail',
    { findings: [{ actual: expect.stringMatching(/lacks 1 UPCs and adds 0.*000000000001$/) }] },
  ],
  [
    'one of thousands new',
    twice(at([100], less), at([100])),
    'fail',
    { findings: [{ actual: expect.stringMatching(/lacks 0 UPCs and adds 1,/) }] },
  ],
  ['one gone, in the week after', twice(at([100]), at([107], less)), 'inconclusive'],
  ['one gone, without as-of', twice(at([]), at([], less)), 'fail (plausible)'],
  ['one gone, an as-of in one answer', twice(at([100]), at([], less)), 'inconclusive'],
  ['one gone, several as-ofs', twice(at([100, 101]), at([100, 101], less)), 'inconclusive'],
  ['one gone, an as-of said twice', twice(at([100, 100]), at([100], less)), 'fail'],
  ['the same in the week after', twice(at([100]), at([107])), 'pass'],
  ['both empty', twice(at([100], {}), at([100], {})), 'untested'],
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
  [['a clock is no as-of', twice(at([100]), at([100], less)), 'fail (plausible)']],
);
const refreshed = {
  profile: {
    dataWeek: { refreshDate: 'newest' },
    operations: { [ALL_PRODUCTS]: { response: { fields: { asOf: null } } } },
  },
};
const around = (before: number, after: number) => ({
  before: { rows: [{ date: before }] },
  after: { rows: [{ date: after }] },
});
judgeCases('C.bulk-stable', refreshed, [
  [
    'one gone at one refresh date: perhaps of another replica',
    { ...twice({ rows: many }, less), ...around(100, 100) },
    'fail (plausible)',
  ],
  ['one gone while it moved', { ...twice({ rows: many }, less), ...around(100, 107) }, 'inconclusive'],
  ['the same', { ...twice({ rows: many }, { rows: many }), ...around(100, 100) }, 'pass'],
]);

const windows = (asOfDates: readonly number[], ...changes: FakeResponse[]) =>
  Object.fromEntries(
    [1, 4, 13].flatMap((weeks, index) => [
      [`${weeks} weeks first`, at([100])],
      [`${weeks} weeks second`, at([asOfDates[index]], changes[index])],
    ]),
  );
judgeCases('C.delta-stable', {}, [
  ['each the same', windows([100, 100, 100]), 'pass', { evidence: { exchanges: 6, distinct: 9000 } }],
  ['one differs', windows([100, 100, 100], { rows: many }, less), 'fail', { findings: { length: 1 } }],
  ['one differs, its week moved', windows([100, 107, 100], { rows: many }, less), 'inconclusive'],
  ['two differ, the week of one moved', windows([100, 107, 100], less, less), 'fail', { findings: { length: 1 } }],
]);
judgeCases(
  'C.delta-stable',
  { profile: { operations: { [UPDATE_PRODUCTS]: { response: { fields: { asOf: null } } } } } },
  [
    [
      'one differs without as-of',
      { ...windows([100, 100, 100], less), '1 weeks first': { rows: many }, '1 weeks second': less },
      'fail (plausible)',
    ],
  ],
);

const sale = (sales4Weeks: number | null) => ({ category: 'Tea', sales4Weeks });
const sales = (first: readonly object[], second: readonly object[]) => ({
  'rows first': at([100], { rows: first }),
  'rows second': at([100], { rows: second }),
});
judgeCases('D.category-sales-stable', { subject: CATEGORY_PERFORMANCE }, [
  [
    'the same in another order',
    sales([sale(1), sale(2)], [sale(2), sale(1)]),
    'pass',
    { evidence: { exchanges: 2, distinct: 2 } },
  ],
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
