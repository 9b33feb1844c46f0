import { expect, test } from 'vitest';
import { createAssortment } from './assortment.ts';
import { dayOf } from './clock.ts';
import { createSales, percentChange } from './sales.ts';
import { createStore } from './store.ts';
import type { PerformanceRow, Query } from './types.ts';

const asOf = dayOf('2026-11-14') as number;
const store = createStore();
const assortment = createAssortment(store.categories(), store.brands());
const sales = createSales(1, asOf, assortment);
const all = { brands: sales.byBrand(asOf, {}), categories: sales.byCategory(asOf, {}) };
const cents = (rows: readonly PerformanceRow[], figure: 'sales4Weeks' | 'sales52Weeks' | 'salesLastYear') =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[figure]) * 100), 0);

test('the windows nest in every row, and every row has the one market', () => {
  for (const row of [...all.brands, ...all.categories]) {
    expect(Number(row.sales4Weeks)).toBeGreaterThan(0);
    expect(Number(row.sales4Weeks)).toBeLessThanOrEqual(Number(row.sales12Weeks));
    expect(Number(row.sales12Weeks)).toBeLessThanOrEqual(Number(row.sales52Weeks));
    expect(row.market).toBe('Total US');
  }
});

test('the percentage change matches the figures and is null exactly when last year is zero', () => {
  for (const row of [...all.brands, ...all.categories]) {
    const [now, before] = [Number(row.sales52Weeks), Number(row.salesLastYear)];
    if (before === 0) expect(row.percentChange).toBeNull();
    else expect(Math.abs(Number(row.percentChange) - ((now - before) / before) * 100)).toBeLessThanOrEqual(0.0501);
  }
  expect(all.brands.some((row) => row.percentChange === null)).toBe(true);
  expect(all.categories.some((row) => row.percentChange === null)).toBe(true);
  expect(percentChange(112_345, 100_000)).toBe(12.3);
  expect(percentChange(1, 0)).toBeNull();
});

test('a category row is the sum of its brand rows, filtered or not', () => {
  for (const query of [{}, { manufacturer: 'Acme' }, { brand: 'House Brand' }] satisfies Query[]) {
    const brands = sales.byBrand(asOf, query);
    for (const row of sales.byCategory(asOf, query)) {
      const own = brands.filter((each) => each.category === row.category && each.subCategory === row.subCategory);
      expect(own.length).toBeGreaterThan(0);
      for (const figure of ['sales4Weeks', 'sales52Weeks', 'salesLastYear'] as const) {
        expect(cents([row], figure)).toBe(cents(own, figure));
      }
    }
  }
});

test('every combination of names has one row', () => {
  const identity = ({ category, subCategory, manufacturer, brand }: PerformanceRow) =>
    JSON.stringify([category, subCategory, manufacturer, brand]);
  expect(new Set(all.brands.map(identity)).size).toBe(all.brands.length);
  expect(new Set(all.categories.map(identity)).size).toBe(all.categories.length);
});

test.each(['category', 'subCategory', 'manufacturer', 'brand'] as const)(
  'the filter by %s partitions the brand rows',
  (name) => {
    const values = [...new Set(all.brands.map((row) => row[name] as string))];
    const parts = values.map((value) => sales.byBrand(asOf, { [name]: value }));
    for (const [at, part] of parts.entries()) expect(part.every((row) => row[name] === values[at])).toBe(true);
    expect(parts.flat().length).toBe(all.brands.length);
  },
);

test('filters combine: a row must match all of them', () => {
  const both = sales.byBrand(asOf, { category: 'Tea', brand: 'Sun' });
  expect(both).toEqual(all.brands.filter((row) => row.category === 'Tea' && row.brand === 'Sun'));
  expect(both.length).toBeGreaterThan(0);
  expect(sales.byBrand(asOf, { category: 'Te' })).toEqual([]);
});

test('the available names are exactly the names with rows', () => {
  const names = all.brands.map(({ category, subCategory, manufacturer, brand }) => ({
    category,
    subCategory,
    manufacturer,
    brand,
  }));
  expect(sales.filterNames()).toEqual(names);
});

test('a year later the sales of this year are the sales of last year', () => {
  const later = sales.byBrand(asOf + 364, {});
  for (const [at, row] of all.brands.entries()) expect(later[at]?.salesLastYear).toBe(row.sales52Weeks);
});
