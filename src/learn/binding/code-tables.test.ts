import { expect, test } from 'vitest';
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  CATEGORY_PERFORMANCE,
  type OperationKey,
  PERFORMANCE_METADATA,
} from '../../contract/index.ts';
import { codedPlaces, codeTablesIn, usedTables } from './code-tables.ts';
import { placesIn } from './places.ts';

const CATEGORIES = {
  items: [
    { code: 'C1', label: 'Tea', products: 17 },
    { code: 'C2', label: 'Rice', products: 12 },
  ],
};

const tablesOf = (document: unknown, fields: object, from: OperationKey = ALL_CATEGORIES) =>
  codeTablesIn(new Map([[from, { answers: [{ document }], bound: { response: { rows: '$.items[*]', fields } } }]]));

test('a list of names beside codes is a table of the field that its names are bound to', () => {
  const [table, ...others] = tablesOf(CATEGORIES, { category: '@.label' });
  expect(others).toEqual([]);
  expect(table).toMatchObject({
    name: 'category',
    source: { from: ALL_CATEGORIES, rows: '$.items[*]', code: '@.code', meaning: '@.label' },
  });
  expect(tablesOf(CATEGORIES, {})).toEqual([]);
});

test('of several columns of codes one is chosen by its name only', () => {
  const items = CATEGORIES.items.map((each) => ({ ...each, zone: `Z${each.code}` }));
  expect(tablesOf({ items }, { category: '@.label' })[0]?.source.code).toBe('@.code');
  const unnamed = items.map(({ code, label, zone }) => ({ a: code, label, zone }));
  expect(tablesOf({ items: unnamed }, { category: '@.label' })).toEqual([]);
});

test('a code with several names is no code', () => {
  const items = [...CATEGORIES.items, { code: 'C1', label: 'Oats', products: 3 }];
  expect(tablesOf({ items }, { category: '@.label' })).toEqual([]);
});

test('a column of codes has the names as its values, unless the names are in the rows or a code is unknown', () => {
  const tables = tablesOf(CATEGORIES, { category: '@.label' });
  const coded = (rows: readonly object[]) =>
    codedPlaces(placesIn(rows, '@'), ALL_PRODUCTS, tables).map(({ selector, cells }) => [selector, cells]);
  expect(coded([{ group: 'C2' }, { group: 'C1' }])).toEqual([['@.group', ['Rice', 'Tea']]]);
  expect(coded([{ group: 'C2' }, { group: 'C9' }])).toEqual([]);
  expect(
    coded([
      { group: 'C2', name: 'Rice' },
      { group: 'C1', name: 'Tea' },
    ]),
  ).toEqual([]);
});

test('the names of one group are no table for the rows of another, but a market is', () => {
  const rows = placesIn([{ group: 'C2' }, { group: 'C1' }], '@');
  expect(codedPlaces(rows, CATEGORY_PERFORMANCE, tablesOf(CATEGORIES, { category: '@.label' }))).toEqual([]);
  const markets = tablesOf({ items: [{ code: 'M1', text: 'Total US' }] }, {}, PERFORMANCE_METADATA);
  expect(markets).toMatchObject([{ name: 'performanceMarket', field: 'market' }]);
  expect(codedPlaces(placesIn([{ m: 'M1' }], '@'), ALL_PRODUCTS, markets)).toMatchObject([{ cells: ['Total US'] }]);
});

test('only tables that a binding names are written', () => {
  const tables = tablesOf(CATEGORIES, { category: '@.label' });
  expect(usedTables(tables, {})).toEqual({});
  const operations = { [ALL_PRODUCTS]: { response: { fields: { category: { at: '@.group', code: 'category' } } } } };
  expect(Object.keys(usedTables(tables, operations))).toEqual(['category']);
});
