import { expect, test } from 'vitest';
import { BRAND_PERFORMANCE, CATEGORY_PERFORMANCE, PERFORMANCE_METADATA } from '../../src/contract/index.ts';
import { judgeCases, type Setting, stepsOf } from '../judging.test.support.ts';

const row = (category: string | null, subCategory: string | null, manufacturer: string, brand: string) => ({
  category,
  subCategory,
  manufacturer,
  brand,
});
const tea = { inputs: { category: 'Tea' } };
const green = row('Tea', 'Green', 'Acme', 'Sun');
const black = row('Tea', 'Black', 'Acme', 'Sun');
const coffee = row('Coffee', 'Beans', 'Acme', 'Sun');
const many = Array.from({ length: 3000 }, () => green);

judgeCases('D.filter-category-sound', { subject: BRAND_PERFORMANCE }, [
  ['rows of the name only', { filtered: { ...tea, rows: [green, black] } }, 'pass', { evidence: { rows: 2 } }],
  ['spelled in another case and form', { filtered: { ...tea, rows: [{ ...green, category: ' TEA ' }] } }, 'pass'],
  ['one other row of thousands', { filtered: { ...tea, rows: [...many, coffee] } }, 'fail'],
  [
    'one of several answers',
    {
      filtered: [
        { ...tea, rows: [green] },
        { inputs: { category: 'Coffee' }, rows: [green] },
      ],
    },
    'fail',
  ],
  ['rows without the name', { filtered: { ...tea, rows: [row(null, 'Green', 'Acme', 'Sun')] } }, 'untested'],
  ['answers that were asked without it', { filtered: { rows: [green] } }, 'untested'],
  ['both lists empty', { filtered: tea }, 'untested'],
]);

const complete = (rows: readonly object[], filtered: readonly object[]) => ({
  all: { rows },
  filtered: { ...tea, rows: filtered },
});
judgeCases('D.filter-category-complete', { subject: BRAND_PERFORMANCE }, [
  [
    'all rows of the name',
    complete([green, black, coffee], [green, black]),
    'pass',
    { evidence: { exchanges: 1, rows: 2 } },
  ],
  ['in any order and case', complete([green, black], [{ ...black, category: 'tea' }, green]), 'pass'],
  ['one missing', complete([green, black, coffee], [green]), 'fail', { findings: { length: 1 } }],
  ['all missing', complete([green, coffee], []), 'fail'],
  ['the name is in no row', complete([coffee], []), 'untested', /no row of the requested names/],
  ['both empty', complete([], []), 'untested', /no row of the requested names/],
  [
    'totals by category alone',
    complete([green, black], [row('Tea', null, 'Acme', 'Sun')]),
    'untested',
    /other dimensions/,
  ],
  [
    'one grain changed, one kept with a row missing',
    {
      all: { rows: [green, coffee] },
      filtered: [
        { ...tea, rows: [row('Tea', null, 'Acme', 'Sun')] },
        { inputs: { category: 'Coffee' }, rows: [] },
      ],
    },
    'fail',
  ],
  ['rows without the name asked for', complete([row(null, 'Green', 'Acme', 'Sun')], []), 'untested'],
]);

judgeCases('D.brand-rows-whole', {}, [
  [
    'what the parts show is in the whole',
    { all: { rows: [green, black] }, filtered: [{ rows: [green] }, { rows: [black] }] },
    'pass',
    { evidence: { rows: 2 } },
  ],
  ['a row of a part that is not', { all: { rows: [green] }, filtered: { ...tea, rows: [green, black] } }, 'fail'],
  [
    'a row of another grain',
    { all: { rows: [green] }, filtered: { rows: [green, row('Tea', null, 'Acme', 'Sun')] } },
    'pass',
    { evidence: { rows: 1 } },
  ],
  [
    'rows of other grains only',
    { all: { rows: [green] }, filtered: { rows: [row('Tea', null, 'Acme', 'Sun')] } },
    'untested',
  ],
  ['the whole empty', { all: {}, filtered: { rows: [green] } }, 'fail'],
  ['all empty', { all: {}, filtered: {} }, 'untested'],
  ['the parts empty', { all: { rows: [green] }, filtered: [{}] }, 'untested'],
  [
    'findings are bounded',
    { all: { rows: [green] }, filtered: Array.from({ length: 12 }, () => ({ ...tea, rows: [black] })) },
    'fail',
    { findings: { length: 10 } },
  ],
]);
judgeCases('D.category-rows-whole', {}, [
  [
    'told apart by the names the profile reads there',
    { all: { rows: [green] }, filtered: { rows: [{ ...green, brand: 'Moon' }] } },
    'pass',
  ],
  ['a category that is not in the whole', { all: { rows: [green] }, filtered: { rows: [black] } }, 'fail'],
]);

const both = { inputs: { category: 'Tea', brand: 'Sun' } };
const PAIR = 'category and brand';
const moon = row('Tea', 'Green', 'Acme', 'Moon');
judgeCases('D.filter-pairs-sound', { subject: BRAND_PERFORMANCE }, [
  ['rows of both', { all: {}, [PAIR]: { ...both, rows: [green, black] } }, 'pass', { evidence: { rows: 2 } }],
  ['in another case', { all: {}, [PAIR]: { ...both, rows: [{ ...green, brand: 'SUN' }] } }, 'pass'],
  ['one row of one name only', { all: {}, [PAIR]: { ...both, rows: [...many, moon] } }, 'fail'],
  ['one row of the other name only', { all: {}, [PAIR]: { ...both, rows: [...many, coffee] } }, 'fail'],
  ['a name the rows do not carry', { all: {}, [PAIR]: { ...both, rows: [row(null, 'Green', 'Acme', 'Sun')] } }, 'pass'],
  ['neither name in the rows', { all: {}, [PAIR]: { ...both, rows: [{ manufacturer: 'Acme' }] } }, 'untested'],
  ['two filters refused', { all: { rows: [coffee] }, [PAIR]: { ...both, status: 400 } }, 'untested'],
  ['unread', { all: {}, [PAIR]: { ...both, problem: { kind: 'syntax', message: 'x' }, rows: [moon] } }, 'untested'],
]);
const total = row('Tea', null, 'Acme', 'Sun');
const ofGreen = (...rows: readonly object[]) => ({
  all: { rows: [total, green, black] },
  filtered: { inputs: { subCategory: 'Green' }, rows },
});
judgeCases('D.filter-sub-category-complete', { subject: BRAND_PERFORMANCE }, [
  ['a total above the requested rows', ofGreen(total, green), 'pass', { evidence: { rows: 1 } }],
  ['a total above rows, of which one is missing', ofGreen(total, { ...green, brand: 'Moon' }), 'fail'],
  ['totals only', ofGreen(total), 'untested'],
]);
const pairs = (rows: readonly object[], ...filtered: object[]) => ({
  all: { rows },
  [PAIR]: filtered.map((each) => ({ ...both, ...each })),
});
judgeCases('D.filter-pairs-complete', { subject: BRAND_PERFORMANCE }, [
  [
    'all rows of both',
    pairs([green, black, moon, coffee], { rows: [black, green] }),
    'pass',
    { evidence: { rows: 2 } },
  ],
  ['one missing', pairs([green, black, moon], { rows: [green] }), 'fail'],
  ['all missing', pairs([green, coffee], {}), 'fail'],
  ['of another grain', pairs([green], { rows: [row('Tea', null, 'Acme', 'Sun')] }), 'untested'],
  ['not read to its end', pairs([green, black], { rows: [green], complete: false }), 'untested'],
  ['no row of both', pairs([moon, coffee], {}), 'untested'],
  [
    'a row without a name is not wanted',
    pairs([green, { ...green, subCategory: 'Red', brand: null }], { rows: [green] }),
    'pass',
  ],
  ['not found, where others are', pairs([green], { status: 404 }, { rows: [green] }), 'fail'],
  ['not found, where none is', pairs([green], { status: 404 }), 'untested'],
  ['not found beside an empty list', pairs([moon], { status: 404 }, {}), 'untested'],
  [
    'refused, where others are answered',
    pairs([green], { status: 400 }, { rows: [green] }),
    'pass',
    { evidence: { rows: 1 } },
  ],
  [
    'refused by one pair, answered by another',
    {
      ...pairs([green], { status: 404 }),
      'category and manufacturer': { inputs: { category: 'Tea', manufacturer: 'Acme' }, rows: [green] },
    },
    'pass',
    { evidence: { rows: 1 } },
  ],
  [
    'findings are bounded',
    pairs([green], ...Array.from({ length: 12 }, () => ({}))),
    'fail',
    { findings: { length: 10 } },
  ],
]);

judgeCases('D.metadata-listed', {}, [
  ['each kind', { list: { rows: [green] } }, 'pass', { evidence: { rows: 1, distinct: 4 } }],
  [
    'each kind in rows of its own',
    { list: { rows: [{ category: 'Tea' }, { subCategory: 'Green' }, { manufacturer: 'Acme' }, { brand: 'Sun' }] } },
    'pass',
  ],
  [
    'one kind once for the answer',
    { list: { rows: [{ ...green, brand: undefined }], values: { brand: ['Sun', 'Moon', 7] } } },
    'pass',
    { evidence: { distinct: 5 } },
  ],
  ['one kind missing', { list: { rows: [{ ...green, brand: null }] } }, 'fail (profile)', { findings: { length: 1 } }],
  [
    'two kinds missing',
    { list: { rows: [{ category: 'Tea', brand: 'Sun' }] } },
    'fail (profile)',
    { findings: { length: 2 } },
  ],
  ['no name', { list: { rows: [{}] } }, 'untested'],
]);
judgeCases(
  'D.metadata-listed',
  { profile: { operations: { [PERFORMANCE_METADATA]: { response: { fields: { brand: null } } } } } },
  [
    [
      'a kind that is not bound',
      { list: { rows: [{ ...green, brand: undefined }] } },
      'pass',
      { evidence: { distinct: 3 } },
    ],
  ],
);
judgeCases('D.metadata-covers-rows', { subject: BRAND_PERFORMANCE }, [
  [
    'every name listed',
    { metadata: { rows: [green, coffee] }, rows: { rows: [green] } },
    'pass',
    { evidence: { exchanges: 2, rows: 3, distinct: 4 } },
  ],
  ['in another case', { metadata: { rows: [green] }, rows: { rows: [{ ...green, brand: 'sun ' }] } }, 'pass'],
  ['one name of thousands of rows is not', { metadata: { rows: [green] }, rows: { rows: [...many, moon] } }, 'fail'],
  [
    'a kind the metadata does not list',
    { metadata: { rows: [{ ...green, brand: null }] }, rows: { rows: [moon] } },
    'pass',
    { evidence: { distinct: 3 } },
  ],
  [
    'names once for the answer',
    { metadata: { values: { category: ['Tea'] } }, rows: { rows: [{ category: 'Coffee' }] } },
    'fail',
  ],
  ['no names in the rows', { metadata: { rows: [green] }, rows: { rows: [{}] } }, 'untested'],
  [
    'no names in the metadata',
    { metadata: {}, rows: { rows: [green] } },
    'fail (profile)',
    { findings: { length: 1 } },
  ],
  ['no names anywhere', { metadata: {}, rows: { rows: [{}] } }, 'untested'],
]);
const named = (brand: string, status = 200) => ({ inputs: { brand }, status });
judgeCases('D.filters-answered', { subject: BRAND_PERFORMANCE }, [
  ['each', { 'filtered brand': [named('Sun'), named('Moon')] }, 'pass', { evidence: { exchanges: 2 } }],
  ['one not found', { 'filtered brand': [named('Sun'), named('Moon', 404)] }, 'pass'],
  [
    'one breaks the server',
    { 'filtered brand': [named('Sun'), named('Moon', 500)], 'filtered category': {} },
    'fail',
    { findings: [{ expected: expect.stringContaining('Moon'), actual: 'status 500', exchange: '#filtered brand-1' }] },
  ],
  ['all break it', { 'filtered brand': [named('Sun', 500), named('Moon', 501)] }, 'untested'],
]);
judgeCases('D.metadata-used', {}, [
  [
    'every name has a row of one kind or the other',
    { metadata: { rows: [green, coffee] }, categories: { rows: [coffee] }, brands: { rows: [green] } },
    'pass',
    { evidence: { exchanges: 3 } },
  ],
  [
    'a brand without a row',
    { metadata: { rows: [green, { brand: 'Ghost' }] }, categories: {}, brands: { rows: [green] } },
    'fail',
    { findings: [{ expected: expect.stringContaining('brand "ghost"') }] },
  ],
  [
    'a kind no row tells',
    { metadata: { rows: [green] }, categories: { rows: [{ category: 'Tea' }] }, brands: {} },
    'pass',
    { evidence: { distinct: 1 } },
  ],
  ['no rows', { metadata: { rows: [green] }, categories: {}, brands: {} }, 'untested'],
]);
judgeCases(
  'D.metadata-covers-rows',
  {
    subject: CATEGORY_PERFORMANCE,
    profile: { operations: { [PERFORMANCE_METADATA]: { response: { fields: { category: null } } } } },
  },
  [
    [
      'a kind the profile does not read in the metadata',
      { metadata: { rows: [green] }, rows: { rows: [{ category: 'Coffee' }] } },
      'untested',
    ],
  ],
);

const enough = Array.from({ length: 200_001 }, () => ({ category: 'Tea' }));
for (const [id, part] of [
  ['D.filter-category-complete', 'filtered'],
  ['D.filter-pairs-complete', PAIR],
  ['D.brand-rows-whole', 'filtered'],
] as const) {
  judgeCases(id, { subject: BRAND_PERFORMANCE }, [
    ['more rows than can be compared', { all: { rows: enough }, [part]: [{ ...both, rows: [green] }] }, 'inconclusive'],
  ]);
}
judgeCases('D.filter-category-complete', { subject: BRAND_PERFORMANCE }, [
  [
    'more rows in a part than can be compared',
    { all: { rows: [green] }, filtered: { ...tea, rows: enough } },
    'inconclusive',
  ],
]);
judgeCases('D.filter-pairs-complete', { subject: BRAND_PERFORMANCE }, [
  [
    'not found beside what is found to be empty',
    { all: { rows: [green] }, [PAIR]: [{ ...both, status: 404 }, { inputs: { category: 'Tea', brand: 'Moon' } }] },
    'untested',
  ],
]);

judgeCases('D.filter-category-complete', { subject: BRAND_PERFORMANCE }, [
  [
    'more rows in one of two parts than can be compared',
    {
      all: { rows: [green] },
      filtered: [
        { ...tea, rows: enough },
        { ...tea, rows: [green] },
      ],
    },
    'inconclusive',
  ],
  ['rows of two grains', complete([green, black], [green, row('Tea', null, 'Acme', 'Sun')]), 'untested'],
]);

test.each([
  ['D.category-rows-whole', { category: 'category' }],
  ['D.brand-rows-whole', { brand: 'brand' }],
])('%s asks for the parts by the name its rows are about', async (id, as) => {
  const { filtered } = await stepsOf(id);
  expect(filtered?.each).toMatchObject({ from: 'values', fold: 'rows', as });
});

test('two names are requested first if each occurs in rows without the other', async () => {
  const { [PAIR]: pair } = await stepsOf('D.filter-pairs-sound', { subject: BRAND_PERFORMANCE });
  const rows = [
    row('Rum', 'x', 'x', 'Island'),
    row('Tea', 'x', 'x', 'Leaf'),
    row('Tea', 'x', 'x', 'Sun'),
    row('Coffee', 'x', 'x', 'Sun'),
    row('tea', 'y', 'x', 'SUN'),
    row(null, 'x', 'x', 'Sun'),
    { category: 'Tea' },
  ];
  const chosen = pair?.each?.choose?.(rows) ?? [];
  expect(chosen.map(({ category, brand }) => `${category} ${brand}`)).toEqual([
    'tea SUN',
    'Tea Leaf',
    'Coffee Sun',
    'Rum Island',
  ]);
});

test('pairs are of the filters that both the request and the rows know', async () => {
  const only = (query: object): Setting => ({
    subject: BRAND_PERFORMANCE,
    profile: { operations: { [BRAND_PERFORMANCE]: { request: { query } } } },
  });
  expect(
    Object.keys(await stepsOf('D.filter-pairs-sound', only({ category: null, subCategory: null, manufacturer: null }))),
  ).toEqual([]);
  expect(Object.keys(await stepsOf('D.filter-pairs-sound', only({ category: null, subCategory: null })))).toEqual([
    'all',
    'manufacturer and brand',
  ]);
  expect(Object.keys(await stepsOf('D.filter-pairs-sound', { subject: BRAND_PERFORMANCE }))).toHaveLength(7);
  expect(Object.keys(await stepsOf('D.filter-pairs-sound', { subject: CATEGORY_PERFORMANCE }))).toEqual([
    'all',
    'category and subCategory',
  ]);
});
