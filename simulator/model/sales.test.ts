import { expect, test } from 'vitest';
import { createAssortment } from './assortment.ts';
import { dayOf } from './clock.ts';
import { createSales, percentChange } from './sales.ts';
import { createStore } from './store.ts';

const asOf = dayOf('2026-11-14') as number;
const store = createStore();
const assortment = createAssortment(store.categories(), store.brands());
const sales = createSales(1, asOf, assortment);
const all = { brands: sales.byBrand(asOf, {}), categories: sales.byCategory(asOf, {}) };

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

test('filters combine: a row must match all of them', () => {
  const both = sales.byBrand(asOf, { category: 'Tea', brand: 'Sun' });
  expect(both).toEqual(all.brands.filter((row) => row.category === 'Tea' && row.brand === 'Sun'));
  expect(both.length).toBeGreaterThan(0);
  expect(sales.byBrand(asOf, { category: 'Te' })).toEqual([]);
});

test('a year later the sales of this year are the sales of last year', () => {
  const later = sales.byBrand(asOf + 364, {});
  for (const [at, row] of all.brands.entries()) expect(later[at]?.salesLastYear).toBe(row.sales52Weeks);
});
