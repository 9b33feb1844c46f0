import { expect, test } from 'vitest';
import { withoutQuery, withQuery } from '../profile/url-query.ts';
import { splitUrl } from './wire-url.ts';

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

test.each([
  ['http://h/p?a=%2f&key=1&b=+', 'http://h/p?a=%2f&b=+'],
  ['http://h/p?key', 'http://h/p'],
  ['http://h/p?k%65y=1&KEY=2', 'http://h/p?KEY=2'],
  ['http://h/p?a=b?key=1', 'http://h/p?a=b?key=1'],
  ['http://h/key?', 'http://h/key?'],
  ['http://h/p', 'http://h/p'],
])('%s without its key', (url, without) => {
  expect(withoutQuery(url, ['key'])).toBe(without);
  expect(withoutQuery(url, [])).toBe(url);
});
