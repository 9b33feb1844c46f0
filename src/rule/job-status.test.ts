import { expect, test } from 'vitest';
import { mayPrecede } from './job-status.ts';

test.each([
  ['17', '19', true],
  ['19', '17', false],
  ['17', '17', true],
  ['D17', 'R19', false],
  ['job-1-17', 'job-3-19', false],
  ['job-3-17', 'job-3-19', true],
  ['20261122-7', '20261122-12', true],
  ['1k', '2b', true],
  ['3f2b9c01-8d4e-4c1a-9b7f-0a1b2c3d4e5f', '313b9c01-8d4e-4c1a-9b7f-0a1b2c3d4e5e', false],
])('whether %s may have been issued before %s: %s', (id, issued, expected) => {
  expect(mayPrecede(id, issued)).toBe(expected);
});
