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
]);

const active = (...dates: string[]) => dates.map((date) => ({ activeOn: day(date) }));
judgeCases('C.history-span', {}, [
  [
    '52 weeks and a data week',
    { bulk: { rows: active('2025-01-04', '2026-01-10') } },
    'pass',
    { evidence: { rows: 2 } },
  ],
]);
const asOf = { asOf: [day('2026-04-18')] };
judgeCases('C.history-window', {}, [['a day before', { bulk: { values: asOf, rows: active('2025-04-19') } }, 'fail']]);
const includedInList = { dataWeek: { firstDay: { allProducts: 'included', updateProducts: 'excluded' } } };
judgeCases('C.history-window', { profile: includedInList }, [
  ['the day exactly 52 weeks before', { bulk: { values: asOf, rows: active('2025-04-19', '2026-04-18') } }, 'pass'],
]);
judgeCases('C.history-window', { profile: { dataWeek: { activeOn: 'weekEnding' } } }, [
  ['a week that ends after the as-of', { bulk: { values: asOf, rows: active('2026-04-24') } }, 'pass'],
  ['a week later', { bulk: { values: asOf, rows: active('2026-04-25') } }, 'fail'],
]);

judgeCases('C.us-market', { profile: { markets: { products: null } } }, [
  ['plainly spelled', { list: { rows: [{ market: 'U.S.A.' }] } }, 'pass'],
]);

const tea = { inputs: { category: 'Tea', categoryId: 't' } };
const rum = { inputs: { category: 'Rum', categoryId: 'r' } };
judgeCases('C.filter-answered', {}, [
  ['one is not implemented', { filtered: [tea, { ...rum, status: 501 }] }, 'fail'],
  ['one not found', { filtered: [tea, { ...rum, status: 404 }] }, 'pass'],
]);
judgeCases('C.filter-sound', {}, [
  ['in another case', { filtered: { ...tea, rows: [{ category: 'tea ' }] } }, 'pass'],
  ['asked without category', { filtered: { rows: many } }, 'untested'],
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
    'missing, where rows have no readable UPC',
    { bulk: { rows: many }, filtered: { ...tea, rows: [...many.slice(1), unread] } },
    'inconclusive',
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
    'most of the missing ones not in the delta',
    { bulk: { rows: whole }, filtered: { ...tea, rows: whole.slice(3) }, recent: { rows: products(1) } },
    'fail',
  ],
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
