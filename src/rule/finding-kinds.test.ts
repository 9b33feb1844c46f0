import { expect, test } from 'vitest';
import { ALL_PRODUCTS } from '../contract/index.ts';
import { firstOfEachKind, unconvertedKind, upcShape } from './finding-kinds.ts';
import type { Reading } from './types.ts';
import { combine, failed, findingsAt } from './verdicts.ts';

test.each([
  ['93000000099', '11-digits'],
  ['93000000104', '11-digits'],
  ['0930000000991', '13-digits'],
  ['1'.repeat(1000), 'many-digits'],
  ['', 'empty'],
  ['09300000O099', 'letters'],
  ['0-12345-67890-5', 'hyphens'],
  ['012345 678905', 'spaces'],
  ['012345678905\u0000', 'controls'],
  ['٠12345678905', 'other-digits'],
  ['0.12', 'signs'],
])('the UPC %j is malformed by %s', (upc, shape) => {
  expect(upcShape(upc)).toBe(shape);
});

test('a value that is not converted has the kind of its type, a UPC that of its shape', () => {
  expect(unconvertedKind('upc', '93000000099')).toBe('upc-too-few-digits');
  expect(unconvertedKind('upc', '9300000009')).toBe('upc-too-few-digits');
  expect(unconvertedKind('upc', 9300000009912)).toBe('upc-number-too-many-digits');
  expect(unconvertedKind('sales4Weeks', 'n/a')).toBe(unconvertedKind('sales4Weeks', 'unknown'));
  expect(unconvertedKind('sales4Weeks', {})).toBe('sales4Weeks-object');
  expect(unconvertedKind('sales4Weeks', [1])).toBe('sales4Weeks-list');
  expect(unconvertedKind('sales4Weeks', undefined)).toBe('sales4Weeks-unreadable');
});

test('the first of each kind are kept, in their order', () => {
  const of = (kind: string, at: number) => ({ kind, at });
  const many = [...Array.from({ length: 20 }, (_, at) => of('a', at)), of('b', 20), of('b', 21)];
  expect(firstOfEachKind(many).map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 20]);
  const distinct = Array.from({ length: 12 }, (_, at) => of(`k${at}`, at));
  expect(firstOfEachKind(distinct)).toEqual(distinct);
});

test('a failure keeps a finding of every kind, also when several are combined', () => {
  const reading: Reading = { exchange: '#1', operation: ALL_PRODUCTS, inputs: {}, folds: {} };
  const rows = (kind: string) =>
    failed(
      findingsAt(
        reading,
        'good',
        Array.from({ length: 30 }, (_, index) => ({ index, kind, message: kind })),
      ),
    );
  const judged = combine([rows('a'), rows('b')]);
  expect(judged.verdict === 'fail' && judged.findings.map(({ kind }) => kind)).toEqual([...Array(9).fill('a'), 'b']);
});
