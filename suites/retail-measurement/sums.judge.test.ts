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
  ['a total of the category', { categories: category(30.25, null), brands: brands([10.1, 20.15]) }, 'pass'],
  ['a suppressed figure', { categories: category(50.25), brands: brands([10.1, null]) }, 'untested'],
  ['no figure of the category', { categories: category(null), brands: brands([10.1]) }, 'untested'],
  ['another category', { categories: category(5.5, 'Black'), brands: brands([10.1]) }, 'untested'],
  [
    'brand rows whose category row is missing',
    { categories: category(10.1), brands: withBlack([10.1], 5) },
    'fail: category-row-missing',
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
    'fail: brand-rows-missing',
  ],
  [
    'a category row without sales and without brand rows',
    {
      categories: { ...category(10.1), rows: [...category(10.1).rows, ...category(0, 'Black').rows] },
      brands: brands([10.1]),
    },
    'pass',
  ],
  ['lists of two data weeks', { categories: category(31.25), brands: brands([10.1, 20.15], 93) }, 'inconclusive'],
]);

/** Brand rows with the sub-category, the manufacturer and the brand; `null` is a missing name. */
const named = (...rows: readonly (readonly [string | null, string | null, string | null, number])[]) => ({
  rows: rows.map(([subCategory, manufacturer, brand, sales]) => ({
    category: 'Tea',
    subCategory,
    manufacturer,
    brand,
    ...figures(sales),
  })),
  values: { asOf: [100] },
});
const ofTea = (...rows: readonly (readonly [string | null, number])[]) => ({
  rows: rows.flatMap(([subCategory, sales]) => category(sales, subCategory).rows),
  values: { asOf: [100] },
});
const TEA = [
  ['Green', 'Acme', 'Sun', 10.1],
  ['Green', 'Bolt', 'Moon', 5.2],
  ['Black', 'Acme', 'Night', 3.3],
  ['Black', 'Bolt', 'Day', 2.2],
] as const;
const GREEN_AND_BLACK = ofTea(['Green', 15.3], ['Black', 5.5]);

judgeCases('D.category-sums', { subject: CATEGORIES }, [
  [
    'totals of two kinds',
    { categories: GREEN_AND_BLACK, brands: named(...TEA, ['Green', 'Acme', null, 10.1], ['Green', null, null, 15.3]) },
    'pass',
  ],
  [
    'a row without a brand that is no total',
    { categories: ofTea(['Green', 19.3], ['Black', 5.5]), brands: named(...TEA, ['Green', null, null, 4]) },
    'untested',
  ],
  [
    'category totals marked by a text',
    {
      categories: {
        rows: ['Tea', 'Milk'].flatMap((name) =>
          [...GREEN_AND_BLACK.rows, ...category(20.8, 'All').rows].map((row) => ({ ...row, category: name })),
        ),
        values: { asOf: [100] },
      },
      brands: {
        rows: ['Tea', 'Milk'].flatMap((name) => named(...TEA).rows.map((row) => ({ ...row, category: name }))),
        values: { asOf: [100] },
      },
    },
    'pass',
    { evidence: { distinct: 24 } },
  ],
]);

judgeCases('D.category-sums', { subject: CATEGORIES, profile: atLeast }, [
  ['brands without a row', { categories: category(99.25), brands: brands([10.1, 20.15]) }, 'pass'],
  ['brand rows without a category row', { categories: category(10.1), brands: withBlack([10.1], 5) }, 'pass'],
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
