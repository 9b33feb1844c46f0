import { expect, test } from 'vitest';
import { isUpc } from '../../src/contract/index.ts';
import fc from '../../src/seeded-fast-check.test.support.ts';
import { indexOfUpc, MAX_PRODUCTS, upcAt } from './upc.ts';

const indexes = fc.integer({ min: 0, max: MAX_PRODUCTS });

test('every index has a UPC of 12 digits with a correct check digit, and the UPC converts back to the index', () => {
  fc.assert(
    fc.property(indexes, (index) => {
      const upc = upcAt(index);
      expect(isUpc(upc)).toBe(true);
      const sum = [...upc].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
      expect(sum % 10).toBe(0);
      expect(indexOfUpc(upc)).toBe(index);
    }),
    { numRuns: 2000 },
  );
});

test('a UPC with a wrong check digit has no index', () => {
  fc.assert(
    fc.property(indexes, fc.integer({ min: 1, max: 9 }), (index, shift) => {
      const upc = upcAt(index);
      expect(indexOfUpc(upc.slice(0, 11) + ((Number(upc[11]) + shift) % 10))).toBeUndefined();
    }),
  );
});

test('neighbouring indexes never share a UPC', () => {
  expect(new Set(Array.from({ length: 50_000 }, (_, index) => upcAt(index))).size).toBe(50_000);
});

test('the first UPC begins with a zero, like one in ten', () => {
  expect(upcAt(0)).toBe('042100000177');
  const leading = Array.from({ length: 1000 }, (_, index) => upcAt(index)).filter((upc) => upc.startsWith('0'));
  expect(leading.length).toBeGreaterThan(80);
  expect(leading.length).toBeLessThan(120);
});

test('the UPC that profiles use as unknown is unknown in every world', () => {
  expect(indexOfUpc('999999999993')).toBeGreaterThan(MAX_PRODUCTS);
});
