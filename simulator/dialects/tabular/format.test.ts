import { expect, test } from 'vitest';
import { europeanDay, formatPercent, lines, money, upcNumber } from './format.ts';

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;

test('days of four centuries are formatted correctly; an invalid day is empty', () => {
  for (let at = day('1900-01-01'); at < day('2300-01-01'); at += 11) {
    const [year, month, date] = new Date(at * 86_400_000).toISOString().slice(0, 10).split('-');
    expect(europeanDay(at)).toBe(`${date}.${month}.${year}`);
  }
  expect([europeanDay(undefined), europeanDay(Number.NaN)]).toEqual(['', '']);
});

test.each([
  [0, '0,00'],
  [1234.5, '1.234,50'],
  [1_234_567.891, '1.234.567,89'],
  [-123_456.78, '-123.456,78'],
  [null, ''],
  [undefined, ''],
  ['n/a', 'n/a'],
])('%s dollars are %s', (figure, formatted) => expect(money(figure)).toBe(formatted));

test.each([
  [12.5, '12,5 %'],
  [-0.4, '-0,4 %'],
  [0, '0 %'],
  [null, ''],
  [undefined, ''],
  ['n/a', 'n/a'],
])('%s percent is %s', (figure, formatted) => expect(formatPercent(figure)).toBe(formatted));

test('a UPC is a number; an invalid UPC stays unchanged', () => {
  expect([upcNumber('042100000177'), upcNumber('000000000000')]).toEqual([42_100_000_177, 0]);
  for (const upc of ['42100000177', '0421000001777', '04210O000177', '']) expect(upcNumber(upc)).toBe(upc);
});

test('CRLF separates lines, and cells are quoted when necessary', () => {
  const rows = [
    ['a;b', 'say "so"', undefined],
    ['two\r\nlines', 'a|b', ''],
  ];
  expect([...lines(';', ['x', 'y', 'z'], rows)].join('')).toBe('x;y;z\r\n"a;b";"say ""so""";\r\n"two\r\nlines";a|b;');
  expect([...lines('|', ['x'], [])].join('')).toBe('x');
});
