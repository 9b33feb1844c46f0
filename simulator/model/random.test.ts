import { expect, test } from 'vitest';
import { mix, wrap } from './random.ts';

test('equal arguments give equal numbers, and each argument changes the number', () => {
  expect(mix(1, 2, 3, 4)).toBe(mix(1, 2, 3, 4));
  expect(new Set([mix(1, 2, 3, 4), mix(9, 2, 3, 4), mix(1, 9, 3, 4), mix(1, 2, 9, 4), mix(1, 2, 3, 9)]).size).toBe(5);
});

test('numbers are distributed evenly over small ranges', () => {
  for (const size of [2, 7, 27, 100]) {
    const counts = new Array<number>(size).fill(0);
    for (let index = 0; index < 20_000; index += 1) counts[mix(1, index, 5) % size]! += 1;
    const expected = 20_000 / size;
    for (const count of counts) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  }
});

test('wrap stays within the range for negative values', () => {
  expect([wrap(-1, 7), wrap(7, 7), wrap(-14, 7), wrap(8, 7)]).toEqual([6, 0, 0, 1]);
});
