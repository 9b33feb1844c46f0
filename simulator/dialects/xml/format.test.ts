import { expect, test } from 'vitest';
import { compactDay, dashedUpc, dollars, isoWeek, numericUpc, spacedUpc, xmlPercent } from './format.ts';

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

test('days of four centuries are formatted correctly', () => {
  for (let at = day('1900-01-01'); at < day('2300-01-01'); at += 11) {
    expect(compactDay(at)).toBe(new Date(at * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''));
  }
  expect(compactDay(day('2000-02-29'))).toBe('20000229');
});

test.each([
  ['2026-11-14', '2026-W46'],
  ['2024-12-30', '2025-W01'],
  ['2021-01-03', '2020-W53'],
  ['2026-01-01', '2026-W01'],
  ['2026-12-31', '2026-W53'],
])('%s is in %s', (iso, week) => expect(isoWeek(day(iso))).toBe(week));

test('a UPC has separators or is a number; an invalid UPC stays unchanged', () => {
  expect([dashedUpc('042100000177'), spacedUpc('042100000177')]).toEqual(['0-42100-00017-7', '0 42100 00017 7']);
  expect([numericUpc('004210000017'), numericUpc('000000000000')]).toEqual(['4210000017', '0']);
  for (const upc of ['42100000177', '0421000001777', '04210O000177', ''])
    expect([dashedUpc(upc), spacedUpc(upc), numericUpc(upc)]).toEqual([upc, upc, upc]);
});

test.each([
  [0, '$0.00'],
  [1234.5, '$1,234.50'],
  [1_234_567.891, '$1,234,567.89'],
  [-3, '(3.00)'],
  [-123_456.78, '(123,456.78)'],
  [null, ''],
  ['n/a', 'n/a'],
])('%s dollars are %s', (figure, formatted) => expect(dollars(figure)).toBe(formatted));

test.each([
  [12.5, '12.5%'],
  [-0.4, '(0.4%)'],
  [0, '0%'],
  [0.00125, '0.00125%'],
  [null, ''],
  ['n/a', 'n/a'],
])('%s percent is %s', (figure, formatted) => expect(xmlPercent(figure)).toBe(formatted));

test('an invalid day stays invalid', () => {
  expect([compactDay(Number.NaN), isoWeek(Number.NaN)]).toEqual(['NaN', 'NaN']);
});
