import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const PRODUCTS = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

const categories = (counts: Readonly<Record<string, number>>, asOf = 1): FakeResponse => ({
  rows: Object.keys(counts).map((category) => ({ category })),
  stated: [
    {
      rows: Object.keys(counts).length,
      counts: [[], []],
      rowCounts: Object.entries(counts).map(([category, count], row) => ({
        row,
        names: { category },
        counts: [[], [count]],
      })),
      echoes: {},
      asOf: [asOf],
    },
  ],
});
const upcOf = (at: number): string => String(100_000_000_000 + at);
const products = (names: readonly (string | null)[], inputs = {}, asOf = 1): FakeResponse => ({
  inputs,
  rows: names.map((category, at) => ({ upc: upcOf(at), category })),
  values: { asOf: [asOf] },
});
const of = (list: FakeResponse, ...counted: readonly FakeResponse[]) => ({
  all: list,
  [`all of ${PRODUCTS}`]: counted,
});

/** Two categories of one name. */
const namesakes: FakeResponse = {
  ...categories({ Tea: 1 }),
  rows: [
    { category: 'Tea', categoryId: '1' },
    { category: 'Tea', categoryId: '2' },
  ],
  stated: [
    {
      rows: 2,
      counts: [[], []],
      rowCounts: ['1', '2'].map((categoryId, row) => ({
        row,
        names: { category: 'Tea', categoryId },
        counts: [[], [1]],
      })),
      echoes: {},
      asOf: [1],
    },
  ],
};

judgeCases('C.products-counted', {}, [
  [
    'two categories of one name',
    of(namesakes, products(['Tea', 'Tea']), products(['Tea', 'Tea'], { category: 'Tea' })),
    'untested',
  ],
  ['two categories of one name, filtered by id', of(namesakes, products(['Tea'], { categoryId: '1' })), 'pass'],
  [
    'the products of the whole list',
    of(categories({ Tea: 2, Coffee: 1 }), products(['Tea', 'tea ', 'Coffee'])),
    'pass',
    { evidence: { distinct: 2 } },
  ],
  ['one more than the whole list', of(categories({ Tea: 3 }), products(['Tea', 'Tea', 'Coffee'])), 'fail: row-count'],
  ['no product of the category', of(categories({ Milk: 1 }), products(['Tea'])), 'fail'],
  [
    'the filtered list of another category',
    of(categories({ Tea: 3 }), products(['Coffee'], { category: 'Coffee' })),
    'untested',
  ],
  [
    'a row without a category, which may be of this one',
    of(categories({ Tea: 2 }), products(['Tea', null])),
    'untested',
  ],
  [
    'a filtered list that lacks a product, where the whole list agrees',
    of(categories({ Tea: 2 }), products(['Tea'], { category: 'Tea' }), products(['Tea', 'Tea'])),
    'pass',
  ],
  ['lists of two data weeks', of(categories({ Tea: 3 }), products(['Tea'], {}, 8)), 'inconclusive'],
]);
