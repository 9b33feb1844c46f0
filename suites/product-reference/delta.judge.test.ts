import { expect, test } from 'vitest';
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { type Row, unreadable } from '../../src/rule/index.ts';
import { day, judgeCases, products, stepsOf } from '../judging.test.support.ts';

const many = products(3000);
const stranger = { upc: '999999999993' };
const unread = { upc: unreadable('1') };
const deltas = (one: readonly Row[], four: readonly Row[], thirteen: readonly Row[]) => ({
  one: { rows: one },
  four: { rows: four },
  thirteen: { rows: thirteen },
});

judgeCases('C.delta-nested', {}, [
  ['both', deltas(products(1), products(1, {}, 2), products(1, {}, 3)), 'fail', { findings: { length: 2 } }],
  ['missing, where rows have no readable UPC', deltas([...many, stranger], [...many, unread], many), 'inconclusive'],
]);

const served = { tested: { body: '{}' }, before: { status: 404 }, after: { status: 404 } };
const left = { kind: 'rowsNotFound', message: 'no rows' } as const;
judgeCases('C.delta-windows-answered', {}, [
  [
    'none',
    { ...served, one: { status: 404 }, four: { status: 400 }, thirteen: { status: null } },
    'inconclusive',
    { because: expect.stringContaining('404') },
  ],
  [
    'one not found, which may be empty',
    { ...served, one: { status: 404, inputs: { window: 1 } }, four: { rows: products(1) }, thirteen: { rows: many } },
    'inconclusive',
    { because: expect.stringContaining('404 for 1 weeks') },
  ],
  [
    'one not found, which is not',
    { ...served, one: { rows: products(1) }, four: { status: 404 }, thirteen: {} },
    'fail',
  ],
  [
    'the list of one left out',
    { ...served, one: {}, four: { rows: products(1) }, thirteen: { problem: left } },
    'fail (profile)',
  ],
  [
    'the list of one left out, which may be empty',
    { ...served, one: { problem: left }, four: { rows: products(1) }, thirteen: {} },
    'inconclusive',
  ],
  ['one page for every path', { tested: {}, before: {}, after: {}, one: {}, four: {}, thirteen: {} }, 'inconclusive'],
]);

judgeCases('C.delta-windows-answered', { profile: { statuses: { unknown: [200] } } }, [
  ['each, by one who tells of errors in a 200', { ...served, one: {}, four: {}, thirteen: {} }, 'pass'],
]);

/** Rows of one delta, dated. */
const dated = (...dates: string[]): Row[] =>
  dates.map((date, at) => ({ upc: String(at + 1).padStart(12, '0'), changedOn: day(date) }));
const SPAN = deltas(dated('2026-01-10', '2026-01-17'), dated('2026-01-17'), dated('2026-01-17'));
judgeCases('C.delta-span', {}, [
  [
    'a day more in one row of thousands',
    { ...SPAN, thirteen: { rows: [...products(3000, { changedOn: day('2026-04-11') }), ...dated('2026-01-02')] } },
    'fail',
  ],
  [
    'no date understood',
    deltas(products(1, { changedOn: unreadable('x') }), [], []),
    'inconclusive',
    { because: expect.stringContaining('row 0') },
  ],
]);

/** Deltas at an as-of, Saturday 2026-04-18; data weeks end on Saturday. */
const AS_OF = '2026-04-18';
const at = (asOf: readonly unknown[], one: readonly Row[], four: readonly Row[] = [], thirteen: readonly Row[] = []) =>
  Object.fromEntries(
    Object.entries({ one, four, thirteen }).map(([name, rows]) => [name, { rows, values: { asOf: asOf as number[] } }]),
  );
const saturday = [day(AS_OF)];
const edges = (first: string, last: string, asOf = saturday) => at(asOf, dated(first, last));
judgeCases('C.delta-window', {}, [
  ['first day excluded: the day after it', edges('2026-04-12', AS_OF), 'pass', { evidence: { rows: 2, distinct: 1 } }],
  ['on both sides', edges('2026-04-11', '2026-04-19'), 'fail', { findings: { length: 2 } }],
  [
    'one date that is none',
    at(saturday, [...dated(AS_OF), { ...stranger, changedOn: unreadable('soon') }]),
    'fail (profile)',
    { findings: [{ row: 1 }] },
  ],
]);
const week = (declared: object) => ({ profile: { dataWeek: { firstDay: null, ...declared } } });

judgeCases('C.delta-window', week({ firstDay: { allProducts: 'excluded', updateProducts: 'included' } }), [
  ['first day included in the delta only', edges('2026-04-11', AS_OF), 'pass'],
]);

judgeCases('C.delta-window', week({ changedOn: 'weekStarting', firstDay: 'included' }), [
  ['a week that ended before it', edges('2026-04-04', AS_OF), 'fail'],
]);
judgeCases('C.delta-window', week({ changedOn: 'weekStarting' }), [
  ['a week of the reload that follows', edges('2026-04-05', '2026-04-24'), 'pass'],
]);
const unmarked = {
  operations: {
    [ALL_PRODUCTS]: { response: { fields: { asOf: null } } },
    [UPDATE_PRODUCTS]: { response: { fields: { asOf: null } } },
  },
};
const items = (...rows: Row[]) => ({ ...deltas(dated('2026-04-12'), [], []), refresh: { rows } });
judgeCases(
  'C.delta-window',
  { profile: { ...unmarked, dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } } },
  [
    ['of which a newer one', items({ date: day('2026-04-25') }, { date: day(AS_OF) }), 'fail'],
    ['none', items({ id: 'x' }, { date: null }), 'inconclusive', { because: expect.stringContaining('RefreshDates') }],
  ],
);
judgeCases(
  'C.delta-window',
  { profile: { ...unmarked, dataWeek: { refreshDate: { id: 'sales' }, refreshDateIs: 'lastDay' } } },
  [['named twice', items({ id: 'sales', date: day(AS_OF) }, { id: 'sales', date: day('2026-04-25') }), 'inconclusive']],
);

const inner = dated('2026-04-12', '2026-04-14', '2026-04-18');
const without = inner.filter((_, index) => index !== 1);
judgeCases('C.delta-complete', {}, [
  ['every change is in the smaller one', deltas(inner, inner, inner), 'pass', { evidence: { exchanges: 3, rows: 6 } }],
  ['what carries no date', deltas(inner, [...inner, stranger], inner), 'pass'],
  ['what carries no UPC', deltas(inner, [...inner, { changedOn: day('2026-04-14') }], inner), 'pass'],
  ['missing, where rows have no readable UPC', deltas([...without, unread], inner, inner), 'inconclusive'],
]);

const late = [...dated('2026-04-12'), { upc: stranger.upc, changedOn: day('2026-04-13') }];
judgeCases('C.delta-complete', {}, [
  ['an empty week before an as-of within which the larger one dates a change', at(saturday, [], late), 'fail'],
  ['no change within the week, but on its first day', at(saturday, [], dated('2026-04-12')), 'untested'],
  [
    'two data weeks',
    { ...at(saturday, [], late), one: { rows: inner, values: { asOf: [day('2026-04-11')] } } },
    'untested',
  ],
]);
judgeCases('C.delta-complete', week({ firstDay: 'included' }), [
  [
    'a change on the first day, which the profile includes',
    at(saturday, [], dated('2026-04-11')),
    'fail',
    { findings: [{ kind: 'missing-in-1-weeks', since: '0.2.0' }] },
  ],
]);
judgeCases('C.delta-complete', week({ changedOn: 'weekEnding', firstDay: 'excluded' }), [
  ['the week before', at(saturday, [], dated('2026-04-11')), 'untested'],
]);

judgeCases('C.delta-windows-differ', {}, [
  ['few alike in two windows', deltas(products(1), products(19), products(19)), 'pass'],
  [
    'many alike in the larger two',
    deltas(products(1), products(20), products(20)),
    'fail',
    { findings: [{ expected: 'more changes in 13 weeks than in 4', actual: '20 in both' }] },
  ],
  ['many alike in the smaller two', deltas(products(20), products(20), products(21)), 'fail'],
]);

const asOfDates = (bulk: readonly unknown[], delta: readonly unknown[]) => ({
  bulk: { values: { asOf: bulk as number[] } },
  delta: { values: { asOf: delta as number[] } },
});
judgeCases('C.delta-fresh', {}, [
  ['a data week behind', asOfDates([107], [100]), 'pass'],
  ['a day more behind', asOfDates([108], [100]), 'fail'],
  ['none in the delta', asOfDates([100], [null]), 'untested'],
]);

judgeCases('C.delta-window', { profile: { dataWeek: null } }, [
  [
    'no data week declared',
    at(saturday, dated(AS_OF)),
    'untested',
    { because: expect.stringContaining('no data week') },
  ],
]);

test('a refresh date is read only if the responses contain no as-of date', async () => {
  const refreshDate = { dataWeek: { refreshDate: 'newest', refreshDateIs: 'lastDay' } };
  const names = async (profile: object) => Object.keys(await stepsOf('C.delta-window', { profile: { ...profile } }));
  expect(await names({})).not.toContain('refresh');
  expect(await names(refreshDate)).not.toContain('refresh');
  expect(await names(unmarked)).not.toContain('refresh');
  expect(await names({ ...unmarked, ...refreshDate })).toContain('refresh');
});

test.each([ALL_PRODUCTS, UPDATE_PRODUCTS])(
  'as-ofs are compared only where both lists hold one: not %s',
  async (operation) => {
    const profile = { operations: { [operation]: { response: { fields: { asOf: null } } } } };
    expect(await stepsOf('C.delta-fresh', { profile })).toEqual({});
  },
);
