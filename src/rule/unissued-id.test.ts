import { expect, test } from 'vitest';
import { mayPrecede, unissuedIdLike } from './unissued-id.ts';

test.each([
  ['17', /^9\d{8}$/],
  ['949494949', /^9\d{9}$/],
  ['job-1-000003', /^job-9\d{8}-9\d{8}$/],
  ['JOB17', /^JOB9\d{8}$/],
  ['/webservices/jobs/17?x=1', /^\/webservices\/jobs\/9\d{8}\?x=9\d{8}$/],
  ['3f2b9c01-8d4e-4c1a-9b7f-0a1b2c3d4e5f', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^[0-9A-Z]{26}$/],
])('an id like %s that was never issued', (id, form) => {
  const other = unissuedIdLike(id, 1);
  expect(other).toMatch(form);
  expect(other).not.toBe(id);
  expect(unissuedIdLike(id, 1)).toBe(other);
  expect(unissuedIdLike(id, 2)).not.toBe(other);
});

test.each(['a7f', 'alpha', ''])('no id like %j is safe to be unknown', (id) => {
  expect(unissuedIdLike(id, 1)).toBeUndefined();
});

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
