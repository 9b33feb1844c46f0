/** The shapes of the statistics dialect on the wire; its profile is judged by the selftest, as that of every dialect. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../server.ts';

const C = '/PLATFORMAPI/prodRef/v1';
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ dialect: 'statistics', products: 60 });
});
afterAll(() => simulator.close());

async function get(path: string, key = 'observer-41') {
  const response = await fetch(`${simulator.url}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`);
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

test('products are a map by UPC, and changes are parallel lists', async () => {
  const { header, products } = await get(`${C}/allProducts`);
  expect(header).toEqual({ prepared: '2026-11-14', area: 'US' });
  expect(Object.keys(products)).toHaveLength(60);
  expect(products['042100000177']).toMatchObject({ label: 'Tea', area: 840 });
  const { changes } = await get(`${C}/updateProducts?lag=13`);
  expect(new Set(Object.values<unknown[]>(changes).map(({ length }) => length)).size).toBe(1);
});

test('filters are repeated parameters', async () => {
  const filters = ['category:Tea', 'brand:Sun'].map((each) => `filter[]=${encodeURIComponent(each)}`).join('&');
  const { dimensions } = await get(`/RetailMeasurement/v1/BrandPerformance?${filters}`);
  expect([dimensions.category.positions, dimensions.brand.positions]).toEqual([['Tea'], ['Sun']]);
});

test('figures are observations by position, with amounts in cents', async () => {
  const { observations } = await get('/RetailMeasurement/v1/CategoryPerformance');
  const [[key, [fourWeeks]]] = Object.entries(observations) as [[string, number[]]];
  expect([key, Number.isInteger(fourWeeks)]).toEqual(['0:0', true]);
});

test('lists of metadata are tables, and a form repeats a name', async () => {
  const body = new URLSearchParams([
    ['source', 'CAT-RETAIL'],
    ['path[]', 'product'],
  ]);
  const url = `${simulator.url}/data-access/v1/Catalogue/Dimension/Attributes?api_key=observer-41`;
  const { columns, rows } = JSON.parse(await (await fetch(url, { method: 'POST', body })).text());
  expect(columns).toEqual([{ id: 'code' }, { id: 'label' }]);
  expect(rows.length).toBeGreaterThan(0);
});

test('errors are members of a 200', async () => {
  expect((await get(`${C}/allProducts`, 'other')).errors[0].code).toBe(401);
  expect((await get(`${C}/products/999999999993`)).errors[0].code).toBe(404);
  expect((await get('/nowhere')).errors[0].code).toBe(404);
});
