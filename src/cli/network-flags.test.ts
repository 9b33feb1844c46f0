import { expect, test } from 'vitest';
import { limitsOf } from './network-flags.ts';

test('limits of flags are numbers', () => {
  expect(limitsOf({})).toBeUndefined();
  expect(limitsOf({ 'max-requests': '50', 'max-requests-per-second': '0.5' })).toEqual({
    maxRequests: 50,
    requestsPerSecond: 0.5,
  });
  for (const wrong of ['0', '-1', 'many', ''])
    expect(() => limitsOf({ 'max-requests-per-second': wrong })).toThrow(/a number above 0/);
  expect(() => limitsOf({ 'max-requests': '1.5' })).toThrow(/a whole number from 1/);
});
