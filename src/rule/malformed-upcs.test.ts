import { expect, test } from 'vitest';
import { isUpc } from '../contract/index.ts';
import { randomUpc } from './malformed-upcs.ts';

test('random UPCs are well-formed, differ, and depend on the seed only', () => {
  const some = Array.from({ length: 200 }, (_, nth) => randomUpc(1, nth));
  expect(some.every(isUpc)).toBe(true);
  expect(new Set(some).size).toBe(200);
  expect(randomUpc(1, 7)).toBe(some[7]);
  expect(randomUpc(2, 7)).not.toBe(some[7]);
  const checksum = (upc: string) =>
    [...upc].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  expect(some.every((upc) => checksum(upc) % 10 === 0)).toBe(true);
});
