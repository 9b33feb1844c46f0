import { expect, test } from 'vitest';
import { splitUrl, withQuery } from './wire-url.ts';

test.each([
  ['http://h', 'http://h', '/'],
  ['http://h:80/', 'http://h:80', '/'],
  ['https://h/a/../b%2f?x=/?#frag', 'https://h', '/a/../b%2f?x=/?'],
  ['http://h?x=1', 'http://h', '/?x=1'],
  ['http://[::1]:8080//p', 'http://[::1]:8080', '//p'],
])('%s is split without a change', (url, origin, path) => {
  expect(splitUrl(url)).toEqual({ origin, path });
});

test('parameters are appended, encoded', () => {
  expect(withQuery('/p', [])).toBe('/p');
  expect(
    withQuery('/p', [
      ['k', 'a&b'],
      ['l', 'ü'],
    ]),
  ).toBe('/p?k=a%26b&l=%C3%BC');
  expect(withQuery('/p?a=1', [['k', 'v']])).toBe('/p?a=1&k=v');
});
