import { expect, test } from 'vitest';
import { codeTableOf, meaningOf } from './code-table.ts';
import { BULK, planOf, readWith } from './read-shape.test.support.ts';
import { UnknownCode } from './types.ts';

const table = (...entries: [string, string][]) => codeTableOf(entries, { complete: true, asOf: [] });

test('a code is compared as it is, and numbers with any leading zeros', () => {
  const categories = table(['007', 'Tea'], ['B', 'Coffee'], ['10', 'Juice'], ['010', 'Water']);
  expect([7, '7', '0007', ' B ', 10, '010'].map((code) => meaningOf(categories, code))).toEqual([
    'Tea',
    'Tea',
    'Tea',
    'Coffee',
    'Juice',
    'Water',
  ]);
  expect(meaningOf(categories, 'b')).toMatchObject({ raw: 'b', isUnlisted: true });
  expect(meaningOf(categories, '00010')).toMatchObject({ isUnlisted: false });
});

test('a code with two meanings has none', () => {
  expect(meaningOf(table(['1', 'Tea'], ['1', 'Green Tea']), '1')).toMatchObject({ isUnlisted: false });
  expect(meaningOf(table(['1', 'Tea'], ['1', 'Tea']), '1')).toBe('Tea');
});

test('an inline table is applied to rows and to values of the response', async () => {
  const response = {
    rows: '$.items[*]',
    fields: {
      market: { at: '$.area', code: 'area' },
      category: { at: '@.level', append: ['@.code'], separator: '|', code: 'category' },
    },
  };
  const codes = { area: { '840': 'US' }, category: { 'f|1': 'Tea' } };
  const items = [{ level: 'f', code: 1 }, { level: 'g', code: 1 }, { level: null }];
  const { values, pageMetadata, found: rows } = await readWith(planOf(response, BULK, { codes }), { area: 840, items });
  expect(values.market).toEqual(['US']);
  expect(rows[0]?.category).toBe('Tea');
  expect(rows[1]?.category).toBeInstanceOf(UnknownCode);
  expect(rows[2]?.category).toBeUndefined();
  expect(pageMetadata?.[0]?.codes).toMatchObject([
    { field: 'market', known: 1, unlisted: [] },
    { field: 'category', known: 1, unlisted: [{ code: 'g|1', row: 1 }] },
  ]);
});
