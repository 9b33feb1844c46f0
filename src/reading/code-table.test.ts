import { expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { readingPlanOf } from '../run/fetch-request.ts';
import { codeTableOf, meaningOf } from './code-table.ts';
import { readBody } from './read-body.ts';
import { type Row, UnknownCode } from './types.ts';

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
  const key = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
  const profile = parseProfile(
    JSON.stringify({
      name: 'acme',
      codes: { area: { '840': 'US' }, category: { 'f|1': 'Tea' } },
      operations: {
        [key]: {
          request: {},
          response: {
            rows: '$.items[*]',
            fields: {
              market: { at: '$.area', code: 'area' },
              category: { at: '@.level', append: ['@.code'], separator: '|', code: 'category' },
            },
          },
        },
      },
    }),
    'acme.json',
  );
  const rows: Row[] = [];
  const head = { status: 200, reasonPhrase: 'OK', headers: [['content-type', 'application/json']] } as const;
  async function* body() {
    yield Buffer.from('{"area":840,"items":[{"level":"f","code":1},{"level":"g","code":1},{"level":null}]}');
  }
  const { values, pageMetadata } = await readBody(readingPlanOf(profile, key, {}), head, body(), (row) =>
    rows.push(row),
  );
  expect(values.market).toEqual(['US']);
  expect(rows[0]?.category).toBe('Tea');
  expect(rows[1]?.category).toBeInstanceOf(UnknownCode);
  expect(rows[2]?.category).toBeUndefined();
  expect(pageMetadata?.[0]?.codes).toMatchObject([
    { field: 'market', known: 1, unlisted: [] },
    { field: 'category', known: 1, unlisted: [{ code: 'g|1', row: 1 }] },
  ]);
});
