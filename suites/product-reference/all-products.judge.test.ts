import { expect } from 'vitest';
import { ALL_CATEGORIES, ALL_PRODUCTS, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { unreadable } from '../../src/rule/index.ts';
import { day, judgeCases, products } from '../judging.test.support.ts';

const many = products(3000, { category: 'Tea' });
const stranger = { upc: '999999999993' };
const unread = { upc: unreadable('1') };
const fields = (operation: string, patch: object) => ({ operations: { [operation]: { response: { fields: patch } } } });
const requests = (operation: string, query: object) => ({ operations: { [operation]: { request: { query } } } });

judgeCases('C.categories-listed', { profile: fields(ALL_CATEGORIES, { category: null }) }, [
  ['by id alone', { list: { rows: [{ categoryId: '1' }] } }, 'pass'],
  ['without id', { list: { rows: [{ categoryId: '1' }, { category: 'Tea' }] } }, 'fail'],
]);
judgeCases(
  'C.categories-listed',
  { profile: fields(ALL_CATEGORIES, { category: { nullable: true, required: null } }) },
  [['a nullable name', { list: { rows: [{ category: 'Tea' }, { category: null }] } }, 'pass']],
);

judgeCases('C.categories-known', {}, [
  ['in another case', { list: { rows: [{ category: 'TEA' }] }, bulk: { rows: many } }, 'pass'],
  ['no category is listed at all', { list: {}, bulk: { rows: many } }, 'fail'],
  ['no name among the listed', { list: { rows: [{}] }, bulk: { rows: many } }, 'inconclusive'],
  [
    'more categories than can be compared',
    {
      list: { rows: Array.from({ length: 100_001 }, (_, at) => ({ category: `c${at}` })) },
      bulk: { rows: [{ category: 'c1' }] },
    },
    'inconclusive',
  ],
]);
judgeCases('C.categories-known', { profile: fields(ALL_CATEGORIES, { category: null }) }, [
  ['by id', { list: { rows: [{ categoryId: '1' }] }, bulk: { rows: [{ category: 'Rum', categoryId: '1' }] } }, 'pass'],
]);
judgeCases('C.categories-known', { profile: fields(ALL_PRODUCTS, { category: null }) }, [
  [
    'by id, where products carry no name',
    { list: { rows: [{ category: 'Tea', categoryId: '1' }] }, bulk: { rows: [{ categoryId: '1' }] } },
    'pass',
  ],
]);

judgeCases('C.upc-12-digits', { subject: PRODUCT_LOOKUP }, [
  [
    'unreadable in the look-up of a listed product',
    {
      products: [{ rows: [{ upc: '012345678905' }] }, { rows: [{ upc: unreadable('1') }] }],
      bulk: { rows: products(1) },
    },
    'fail',
    { findings: [{ exchange: '#products-1' }] },
  ],
  ['the list they are drawn from alone', { list: {}, bulk: { rows: products(1) } }, 'untested'],
]);
judgeCases('C.upc-12-digits', { subject: UPDATE_PRODUCTS }, [
  ['empty windows beside', { delta1: {}, delta4: { rows: many }, delta13: {} }, 'pass'],
]);

judgeCases('C.bulk-unique', {}, [
  [
    'one under two categories',
    { bulk: { rows: [...many, { ...many[0], category: 'Rum' }] } },
    'pass',
    { evidence: { distinct: 3000 } },
  ],
  ['one twice where no row has a category', { bulk: { rows: [...products(3), ...products(1)] } }, 'fail'],
]);
judgeCases('C.bulk-unique', { profile: fields(ALL_PRODUCTS, { grain: '@.store' }) }, [
  [
    'twice, at two grains',
    {
      byGrain: {
        rows: [
          { ...stranger, grain: ['a'] },
          { ...stranger, grain: ['b'] },
        ],
      },
    },
    'pass',
    { evidence: { distinct: 2 } },
  ],
  [
    'twice at one grain',
    {
      byGrain: {
        rows: [
          { ...stranger, grain: ['a'] },
          { ...stranger, grain: ['a'] },
        ],
      },
    },
    'fail',
  ],
]);

const active = (...dates: string[]) => dates.map((date) => ({ activeOn: day(date) }));
judgeCases('C.history-span', {}, [
  [
    '52 weeks and a data week',
    { bulk: { rows: active('2025-01-04', '2026-01-10') } },
    'pass',
    { evidence: { rows: 2 } },
  ],
  ['a day more', { bulk: { rows: active('2025-01-03', '2026-01-10') } }, 'fail'],
]);
const asOf = { asOf: [day('2026-04-18')] };
judgeCases('C.history-window', {}, [
  ['the first day and the last', { bulk: { values: asOf, rows: active('2025-04-20', '2026-04-18') } }, 'pass'],
  ['a day before', { bulk: { values: asOf, rows: active('2025-04-19') } }, 'fail'],
]);
const includedInList = { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } };
judgeCases('C.history-window', { profile: includedInList }, [
  ['the day exactly 52 weeks before', { bulk: { values: asOf, rows: active('2025-04-19', '2026-04-18') } }, 'pass'],
  [
    'a day before it',
    { bulk: { values: asOf, rows: active('2025-04-18', '2026-04-18') } },
    'fail',
    { findings: [{ expected: expect.stringContaining('dataWeek.firstDay of the profile: included') }] },
  ],
]);
judgeCases('C.history-window', { profile: { dataWeek: { activeOn: 'weekEnding' } } }, [
  ['a week that ends after the as-of', { bulk: { values: asOf, rows: active('2026-04-24') } }, 'pass'],
  ['a week later', { bulk: { values: asOf, rows: active('2026-04-25') } }, 'fail'],
]);

const dated = {
  profile: { operations: { [ALL_PRODUCTS]: { response: { fields: { activeOn: { required: true } } } } } },
};
judgeCases('C.products-dated', dated, [
  ['one is not', { list: { rows: [{ activeOn: 1 }, { activeOn: null }] } }, 'fail'],
]);
const changed = {
  profile: { operations: { [UPDATE_PRODUCTS]: { response: { fields: { changedOn: { required: true } } } } } },
};
judgeCases('C.changes-dated', changed, [
  [
    'one of 13 weeks is not',
    { delta1: {}, delta4: { rows: [{ changedOn: 1 }] }, delta13: { rows: [{ changedOn: 1 }, {}] } },
    'fail',
    { findings: [{ exchange: '#delta13-0', row: 1 }] },
  ],
]);
judgeCases('C.us-market', { profile: { markets: { products: null } } }, [
  ['plainly spelled', { list: { rows: [{ market: 'U.S.A.' }] } }, 'pass'],
  ['one unknown spelling throughout', { list: { rows: [{ market: '840' }, { market: '840' }] } }, 'inconclusive'],
]);

const tea = { inputs: { category: 'Tea', categoryId: 't' } };
const rum = { inputs: { category: 'Rum', categoryId: 'r' } };
judgeCases('C.filter-answered', {}, [
  ['one is not implemented', { filtered: [tea, { ...rum, status: 501 }] }, 'fail'],
  ['one not found', { filtered: [tea, { ...rum, status: 404 }] }, 'pass'],
]);
judgeCases('C.filter-sound', {}, [
  ['in another case', { filtered: { ...tea, rows: [{ category: 'tea ' }] } }, 'pass'],
  ['the other key does not count', { filtered: { ...tea, rows: [{ category: 'Tea', categoryId: 'x' }] } }, 'pass'],
  ['asked without category', { filtered: { rows: many } }, 'untested'],
]);
judgeCases('C.filter-sound', { profile: fields(ALL_PRODUCTS, { category: null }) }, [
  ['by id', { filtered: { ...tea, rows: [{ categoryId: 't' }] } }, 'pass'],
]);

judgeCases('C.bulk-whole', {}, [
  [
    'all there',
    {
      bulk: { rows: many },
      filtered: [
        { ...tea, rows: products(2) },
        { ...rum, rows: products(1) },
      ],
    },
    'pass',
    { evidence: { exchanges: 2, distinct: 3 } },
  ],
  [
    'missing, where rows of the whole have no readable UPC',
    { bulk: { rows: [unread] }, filtered: { ...tea, rows: many } },
    'inconclusive',
  ],
]);
judgeCases('C.filter-complete', {}, [
  [
    'all there',
    { bulk: { rows: many }, filtered: { ...tea, rows: many } },
    'pass',
    { evidence: { exchanges: 1, rows: 3000 } },
  ],
  ['asked in another case', { bulk: { rows: many }, filtered: { inputs: { category: 'TEA' }, rows: many } }, 'pass'],
  [
    'missing, where rows have no readable UPC',
    { bulk: { rows: many }, filtered: { ...tea, rows: [...many.slice(1), unread] } },
    'inconclusive',
  ],
  [
    'a product without category is not wanted',
    { bulk: { rows: [...many, stranger] }, filtered: { ...tea, rows: many } },
    'pass',
  ],
  ['asked without category', { bulk: { rows: many }, filtered: {} }, 'untested'],
]);
judgeCases('C.filter-once', {}, [
  [
    'one twice, as in the whole list',
    { bulk: { rows: [...many, ...many.slice(0, 1)] }, filtered: { ...tea, rows: [...many, ...many.slice(0, 1)] } },
    'pass',
  ],
  [
    'one twice that the whole list lacks',
    { bulk: { rows: many.slice(1) }, filtered: { ...tea, rows: [...many, ...many.slice(0, 1)] } },
    'pass',
  ],
  [
    'one twice, on pages of two data weeks',
    { bulk: { rows: many }, filtered: { ...tea, rows: [...many, ...many.slice(0, 1)], values: { asOf: [1, 8] } } },
    'inconclusive',
  ],
]);
judgeCases('C.filter-complete', { profile: requests(ALL_PRODUCTS, { category: null }) }, [
  ['asked by id, rows compared by name', { bulk: { rows: many }, filtered: { ...tea, rows: many.slice(1) } }, 'fail'],
]);

judgeCases('C.bulk-unique', {}, [
  ['one beside a row of it without category', { bulk: { rows: [...many, ...products(1)] } }, 'pass'],
  [
    'one twice without category, beside others that have one',
    { bulk: { rows: [...many, stranger, stranger] } },
    'fail',
  ],
]);

const undated = { profile: fields(ALL_PRODUCTS, { asOf: null }) };
const whole = products(10, { category: 'Tea' });
judgeCases('C.filter-complete', undated, [
  [
    'one missing that is new in the delta: the list may be a reload older',
    { bulk: { rows: whole }, filtered: { ...tea, rows: whole.slice(1) }, recent: { rows: products(1) } },
    'inconclusive',
  ],
  [
    'one missing that is not in the delta',
    { bulk: { rows: whole }, filtered: { ...tea, rows: whole.slice(1) }, recent: { rows: products(1, {}, 2) } },
    'fail',
  ],
  [
    'most of the missing ones not in the delta',
    { bulk: { rows: whole }, filtered: { ...tea, rows: whole.slice(3) }, recent: { rows: products(1) } },
    'fail',
  ],
  [
    'one missing that has left since: the whole list is a reload older',
    {
      bulk: { rows: whole },
      filtered: { ...tea, rows: [...whole.slice(1), stranger] },
      recent: { rows: [stranger] },
    },
    'inconclusive',
  ],
  ['one missing, and no delta', { bulk: { rows: whole }, filtered: { ...tea, rows: whole.slice(1) } }, 'fail'],
]);
judgeCases('C.bulk-whole', undated, [
  [
    'one missing that is new in the delta',
    { bulk: { rows: whole.slice(1) }, filtered: { ...tea, rows: whole }, recent: { rows: products(1) } },
    'inconclusive',
  ],
  [
    'one missing that is not in the delta',
    { bulk: { rows: whole.slice(1) }, filtered: { ...tea, rows: whole }, recent: { rows: [stranger] } },
    'fail',
  ],
  [
    'one missing that has left since the older filtered lists',
    {
      bulk: { rows: whole },
      filtered: { ...tea, rows: [...whole.slice(1), stranger] },
      recent: { rows: products(1) },
    },
    'inconclusive',
  ],
]);
judgeCases('C.filter-once', {}, [
  [
    'one twice without an as-of date, where the whole list has others twice',
    {
      bulk: { rows: [...whole, ...whole.slice(1, 2)] },
      filtered: { ...tea, rows: [...whole, ...whole.slice(0, 1)] },
    },
    'inconclusive',
  ],
  [
    'one twice in the same data week, where the whole list has others twice',
    {
      bulk: { rows: [...whole, ...whole.slice(1, 2)], values: { asOf: [7] } },
      filtered: { ...tea, rows: [...whole, ...whole.slice(0, 1)], values: { asOf: [7] } },
    },
    'fail',
  ],
]);

judgeCases('C.upc-12-digits', { subject: PRODUCT_LOOKUP }, [
  ['read once for the answer, and absent', { list: { rows: [{}, {}], values: { upc: [] } } }, 'fail (profile)'],
  ['once for an answer without rows', { list: { values: { upc: [unreadable('1')] } } }, 'untested'],
]);
