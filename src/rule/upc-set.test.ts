import { expect, test } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { UpcSet } from './upc-set.ts';

const upc = fc.stringMatching(/^[0-9]{12}$/);
const setOf = (keys: readonly string[]): UpcSet => {
  const set = new UpcSet();
  for (const key of keys) set.add(key);
  return set;
};

test('agrees with a Set, whatever is added', () => {
  fc.assert(
    fc.property(fc.array(upc, { maxLength: 200 }), fc.array(upc, { maxLength: 50 }), (keys, others) => {
      const set = setOf(keys);
      const plain = new Set(keys);
      expect(set.size).toBe(plain.size);
      for (const each of [...others, ...keys]) expect(set.has(each)).toBe(plain.has(each));
      expect(set.duplicates.length).toBe(keys.length - plain.size);
      const missing = [...plain].filter((each) => !others.includes(each)).sort();
      expect(set.missingFrom(setOf(others), 1000)).toEqual({ count: missing.length, first: missing });
    }),
  );
});

test('preserves leading zeros, and grows after a query', () => {
  const set = setOf(['000000000001', '000000000001']);
  expect(set.size).toBe(1);
  expect(set.duplicates).toEqual(['000000000001']);
  set.add('000000000001');
  set.add('999999999999');
  expect(set.size).toBe(2);
  expect(set.duplicates).toEqual(['000000000001', '000000000001']);
  for (let at = 0; at < 5000; at++) set.add(String(at).padStart(12, '0'));
  expect(set.size).toBe(5001);
});
