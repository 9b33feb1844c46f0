import { beforeEach, expect, test } from 'vitest';
import { isUpc } from '../../src/contract/index.ts';
import { createAssortment } from './assortment.ts';
import { dayOf } from './clock.ts';
import { EMPTY_CATEGORY } from './names.ts';
import { createProducts, type Products } from './products.ts';
import { createStore } from './store.ts';

const asOf = dayOf('2026-11-14') as number;
const store = createStore();
const assortment = createAssortment(store.categories(), store.brands());
const make = (count: number, seed = 1): Products => createProducts(seed, count, asOf, assortment);
const upcs = (rows: Iterable<{ upc: string }>) => [...rows].map(({ upc }) => upc);

let products: Products;
beforeEach(() => {
  products = make(5000);
});

test('the list is equal at each iteration and differs with another seed', () => {
  const rows = products.rows(asOf);
  expect([...rows]).toEqual([...rows]);
  expect([...make(5000).rows(asOf)]).toEqual([...rows]);
  expect([...make(5000, 2).rows(asOf)]).not.toEqual([...rows]);
  expect(upcs(make(5000, 2).rows(asOf))).toEqual(upcs(rows));
});

test('every row is complete, its UPC is unique, and its category, sub-category and brand match the assortment', () => {
  const rows = [...products.rows(asOf)];
  expect(new Set(upcs(rows)).size).toBe(5000);
  for (const row of rows) {
    expect(isUpc(row.upc)).toBe(true);
    expect(row.market).toBe('US');
    const entry = assortment.find((each) => each.category === row.category && each.subCategory === row.subCategory);
    expect(entry?.categoryId).toBe(row.categoryId);
    expect(entry?.brands).toContainEqual({ manufacturer: row.manufacturer, brand: row.brand });
  }
});

test('a small world has products in every sub-category, and none in the empty category', () => {
  const small = [...make(assortment.length).rows(asOf)];
  expect(new Set(small.map((row) => `${row.category}/${row.subCategory}`)).size).toBe(assortment.length);
  expect([...products.rows(asOf)].some((row) => row.category === EMPTY_CATEGORY)).toBe(false);
});

test('all products were active within the 52 weeks, including their first and last day', () => {
  const days = [...products.rows(asOf)].map(({ activeOn }) => asOf - activeOn);
  expect(Math.min(...days)).toBe(0);
  expect(Math.max(...days)).toBe(363);
});

test('every window has products on both sides of both edges', () => {
  const ages = new Set([...make(40).rows(asOf)].map(({ changedOn }) => changedOn && asOf - changedOn));
  for (const age of [0, 6, 7, 27, 28, 90, 91]) expect(ages).toContain(age);
});
