import { expect, test } from 'vitest';
import { unitOf } from '../../src/rule/performance-rows.ts';
import { judgeCases } from '../judging.test.support.ts';

const CATEGORIES = 'GET /RetailMeasurement/v1/CategoryPerformance';
const figures = (sales: number | null) => ({
  sales4Weeks: sales,
  sales12Weeks: sales,
  sales52Weeks: sales,
  salesLastYear: sales,
});
const category = (sales: number | null, subCategory: string | null = 'Green') => ({
  rows: [{ category: 'Tea', subCategory, ...figures(sales) }],
  values: { asOf: [100] },
});
const brands = (sales: readonly (number | null)[], asOf = 100) => ({
  rows: sales.map((each, at) => ({
    category: 'tea ',
    subCategory: 'Green',
    manufacturer: 'Acme',
    brand: `Brand ${at}`,
    ...figures(each),
  })),
  values: { asOf: [asOf] },
});
const withBlack = (green: readonly number[], sales: number) => {
  const list = brands(green);
  const row = { category: 'Tea', subCategory: 'Black', manufacturer: 'Acme', brand: 'Night', ...figures(sales) };
  return { ...list, rows: [...list.rows, row] };
};
const atLeast = { figures: { sums: 'atLeast' } };

judgeCases('D.category-sums', { subject: CATEGORIES }, [
  ['the sums', { categories: category(30.25), brands: brands([10.1, 20.15]) }, 'pass', { evidence: { distinct: 4 } }],
  ['a total of the category', { categories: category(30.25, null), brands: brands([10.1, 20.15]) }, 'pass'],
  ['rounded dollars', { categories: category(31), brands: brands([10, 20]) }, 'pass'],
  [
    'a dollar more, in cents',
    { categories: category(31.25), brands: brands([10.1, 20.15]) },
    'fail',
    { findings: [{ kind: 'sales4Weeks-not-the-sum' }, {}, {}, {}] },
  ],
  ['a suppressed figure', { categories: category(50.25), brands: brands([10.1, null]) }, 'untested'],
  ['no figure of the category', { categories: category(null), brands: brands([10.1]) }, 'untested'],
  ['another category', { categories: category(5.5, 'Black'), brands: brands([10.1]) }, 'untested'],
  [
    'brand rows whose category row is missing',
    { categories: category(10.1), brands: withBlack([10.1], 5) },
    'fail',
    { findings: [{ kind: 'category-row-missing' }] },
  ],
  [
    'brand rows that a total of their category contains',
    { categories: category(15.1, null), brands: withBlack([10.1], 5) },
    'pass',
  ],
  [
    'brand rows without sales and without a category row',
    { categories: category(10.1), brands: withBlack([10.1], 0) },
    'pass',
  ],
  [
    'a category row without brand rows',
    {
      categories: { ...category(10.1), rows: [...category(10.1).rows, ...category(5, 'Black').rows] },
      brands: brands([10.1]),
    },
    'fail',
    { findings: [{ kind: 'brand-rows-missing' }] },
  ],
  [
    'a category row without sales and without brand rows',
    {
      categories: { ...category(10.1), rows: [...category(10.1).rows, ...category(0, 'Black').rows] },
      brands: brands([10.1]),
    },
    'pass',
  ],
  [
    'a missing category row in another data week',
    { categories: category(10.1), brands: { ...withBlack([10.1], 5), values: { asOf: [93] } } },
    'inconclusive',
  ],
  ['lists of two data weeks', { categories: category(31.25), brands: brands([10.1, 20.15], 93) }, 'inconclusive'],
]);

judgeCases('D.category-sums', { subject: CATEGORIES, profile: atLeast }, [
  ['brands without a row', { categories: category(99.25), brands: brands([10.1, 20.15]) }, 'pass'],
  ['brand rows without a category row', { categories: category(10.1), brands: withBlack([10.1], 5) }, 'pass'],
  ['less than its brands', { categories: category(25.25), brands: brands([10.1, 20.15]) }, 'fail'],
]);

test.each([
  [[12.5, 7.25], 0.01],
  [[12.5, 7], 0.1],
  [[3000, 12_000], 1000],
  [[1_234_567.89, 0.01], 0.01],
  [[], 1_000_000],
])('%j are written in units of %f', (amounts, unit) => {
  expect(unitOf(amounts)).toBeCloseTo(unit, 10);
});
