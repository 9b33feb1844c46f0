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

judgeCases('D.filter-category-sound', { subject: BRAND_PERFORMANCE }, [
  ['rows without the name', { filtered: { ...tea, rows: [row(null, 'Green', 'Acme', 'Sun')] } }, 'untested'],
]);

const complete = (rows: readonly object[], filtered: readonly object[]) => ({
  all: { rows },
  filtered: { ...tea, rows: filtered },
});
judgeCases('D.filter-category-complete', { subject: BRAND_PERFORMANCE }, [
  ['the name is in no row', complete([coffee], []), 'untested', /no row of the requested names/],
  [
    'totals by category alone',
    complete([green, black], [row('Tea', null, 'Acme', 'Sun')]),
    'untested',
    /other dimensions/,
  ],
]);

judgeCases('D.brand-rows-whole', {}, [
  [
    'a row of another grain',
    { all: { rows: [green] }, filtered: { rows: [green, row('Tea', null, 'Acme', 'Sun')] } },
    'pass',
    { evidence: { rows: 1 } },
  ],
  ['the whole empty', { all: {}, filtered: { rows: [green] } }, 'fail'],
]);

const both = { inputs: { category: 'Tea', brand: 'Sun' } };
const PAIR = 'category and brand';
const moon = row('Tea', 'Green', 'Acme', 'Moon');
judgeCases('D.filter-pairs-sound', { subject: BRAND_PERFORMANCE }, [
  ['a name the rows do not carry', { all: {}, [PAIR]: { ...both, rows: [row(null, 'Green', 'Acme', 'Sun')] } }, 'pass'],
  ['two filters refused', { all: { rows: [coffee] }, [PAIR]: { ...both, status: 400 } }, 'untested'],
]);
const total = row('Tea', null, 'Acme', 'Sun');
const ofGreen = (...rows: readonly object[]) => ({
  all: { rows: [total, green, black] },
  filtered: { inputs: { subCategory: 'Green' }, rows },
});
judgeCases('D.filter-sub-category-complete', { subject: BRAND_PERFORMANCE }, [
  ['a total above the requested rows', ofGreen(total, green), 'pass', { evidence: { rows: 1 } }],
  ['totals only', ofGreen(total), 'untested'],
]);
const pairs = (rows: readonly object[], ...filtered: object[]) => ({
  all: { rows },
  [PAIR]: filtered.map((each) => ({ ...both, ...each })),
});
judgeCases('D.filter-pairs-complete', { subject: BRAND_PERFORMANCE }, [
  ['not read to its end', pairs([green, black], { rows: [green], complete: false }), 'untested'],
  ['not found, where others are', pairs([green], { status: 404 }, { rows: [green] }), 'fail'],
  [
    'refused, where others are answered',
    pairs([green], { status: 400 }, { rows: [green] }),
    'pass',
    { evidence: { rows: 1 } },
  ],
]);

judgeCases('D.metadata-listed', {}, [
  [
    'one kind once for the answer',
    { list: { rows: [{ ...green, brand: undefined }], values: { brand: ['Sun', 'Moon', 7] } } },
    'pass',
    { evidence: { distinct: 5 } },
  ],
  ['one kind missing', { list: { rows: [{ ...green, brand: null }] } }, 'fail (profile)', { findings: { length: 1 } }],
  ['no name', { list: { rows: [{}] } }, 'untested'],
]);

judgeCases('D.metadata-covers-rows', { subject: BRAND_PERFORMANCE }, [
  [
    'every name listed',
    { metadata: { rows: [green, coffee] }, rows: { rows: [green] } },
    'pass',
    { evidence: { exchanges: 2, rows: 3, distinct: 4 } },
  ],
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
]);
judgeCases('D.metadata-used', {}, [
  [
    'every name has a row of one kind or the other',
    { metadata: { rows: [green, coffee] }, categories: { rows: [coffee] }, brands: { rows: [green] } },
    'pass',
    { evidence: { exchanges: 3 } },
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
