import { expect, test } from 'vitest';
import { dayOf } from '../../model/clock.ts';
import { cents, centsText, cursorAt, epochMillis, epochSeconds, fraction, gtin, offsetOf, usDate } from './format.ts';

test('a cursor is opaque and converts back to its offset; other texts are invalid', () => {
  expect(cursorAt(64)).not.toContain('64');
  expect(offsetOf(cursorAt(64))).toBe(64);
  for (const other of ['', 'abc', '%%%', btoa('64'), btoa('after:-1'), btoa('after:1e3')]) {
    expect(offsetOf(other), other).toBeUndefined();
  }
});

test('a GTIN-14 has two zeros before twelve digits, and a short UPC is not padded', () => {
  expect(gtin('042100000177')).toBe('00042100000177');
  expect(gtin('42100000177')).toHaveLength(13);
});

test('money is whole cents, a change a fraction of one', () => {
  expect([0.07, 1.1, 4.35, 1234567.89, -3].map(cents)).toEqual([7, 110, 435, 123456789, -300]);
  expect([4.35, 0].map(centsText)).toEqual(['435', '0']);
  expect([12.5, 0.7, -7, 0].map(fraction)).toEqual([0.125, 0.007, -0.07, 0]);
});

test('a text of a fault stays unchanged, and a missing figure is null', () => {
  expect(['n/a', null, undefined].map((each) => cents(each))).toEqual(['n/a', null, null]);
  expect(['n/a', null, undefined].map((each) => centsText(each))).toEqual(['n/a', null, null]);
  expect(['n/a', null, undefined].map((each) => fraction(each))).toEqual(['n/a', null, null]);
});

test('a day is M/D/YYYY, seconds or milliseconds; an invalid day is null', () => {
  const day = dayOf('2026-11-04') as number;
  expect([usDate(day), epochSeconds(day), epochMillis(day)]).toEqual(['11/4/2026', 1_793_750_400, 1_793_750_400_000]);
  expect([usDate, epochSeconds, epochMillis].map((format) => format(Number.NaN))).toEqual([null, null, null]);
});
