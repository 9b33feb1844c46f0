import { expect, test } from 'vitest';
import { unlistedIdsLike } from './unlisted-id.ts';

test.each([
  ['CAT-RETAIL', [/^[A-Z]{3}-[A-Z]{6}$/, /^[A-Z]{9}$/]],
  ['level-1', [/^[a-z]{5}-\d$/, /^level-9\d{8}$/]],
  ['DIM-00017', [/^DIM-\d{5}$/, /^DIM-9\d{8}$/]],
  ['US', [/^[A-Z]{9}$/]],
  ['7', [/^9\d{8}$/]],
  [1001, [/^9\d{8}$/]],
  ['48210017', [/^[1-9]\d{7}$/, /^9\d{8}$/]],
  ['a7f3c9d2', [/^[a-f]\d[a-f]\d[a-f]\d[a-f]\d$/, /^[a-f0-9]{8}$/]],
  ['/catalogues/7/dimensions/12', [/^\/catalogues\/9\d{8}\/dimensions\/9\d{8}$/]],
  ['n%2Fa-00017', [/^n%2Fa-\d{5}$/, /%2Fa/]],
  ['3f2b9c01-8d4e-4c1a-9b7f-0a1b2c3d4e5f', [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/]],
])('values like %s that no list contains', (id, forms) => {
  const found = unlistedIdsLike(id, 1);
  expect(found.map(String)).toEqual(forms.map((each) => expect.stringMatching(each)));
  for (const each of found) expect(typeof each).toBe(typeof id);
  expect(unlistedIdsLike(id, 1)).toEqual(found);
  expect(unlistedIdsLike(id, 2)).not.toEqual(found);
});

test('an id in base64 is decoded, changed and encoded again', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const decode = (id: unknown) => Buffer.from(String(id), 'base64').toString();
  const [same, other] = unlistedIdsLike(encode('DIM-00017'), 1);
  expect([decode(same), decode(other)]).toEqual([
    expect.stringMatching(/^DIM-\d{5}$/),
    expect.stringMatching(/^DIM-9\d{8}$/),
  ]);
});
