import { expect, test } from 'vitest';
import { limitsOf } from './with-limits.ts';

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

test('durations of flags have a unit', () => {
  expect(limitsOf({ 'max-duration': '20m', 'retry-for': '60s' })).toEqual({
    maxDurationMs: 1_200_000,
    retryForMs: 60_000,
  });
  expect(limitsOf({ 'max-duration': '24h' })).toEqual({ maxDurationMs: 86_400_000 });
  for (const wrong of ['0s', '20', '1.5m', '25h', '-1s', ''])
    expect(() => limitsOf({ 'retry-for': wrong })).toThrow(/--retry-for .*: a duration up to 24h is needed/);
});
