import { describe, expect, test } from 'vitest';
import { withoutQuery, withQuery } from '../profile/url-query.ts';
import { checkBaseUrl, splitUrl } from './url.ts';

describe('checkBaseUrl', () => {
  test.each([
    ['http://host', 'http://host'],
    ['https://host:8443/api/', 'https://host:8443/api'],
    ['http://host///', 'http://host'],
    [' HTTP://Host/A%2fb ', 'http://host/A%2fb'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
    ['http://host/préfix', 'http://host/pr%C3%A9fix'],
  ])('%s becomes %s', (text, base) => {
    expect(checkBaseUrl(text)).toBe(base);
  });

  test.each([
    ['', 'is not a URL'],
    ['host/path', 'is not a URL'],
    ['http://', 'is not a URL'],
    ['localhost:3000', 'is not an http(s) address'],
    ['ftp://host', 'is not an http(s) address'],
    ['http:host', 'is not an http(s) address'],
    ['http://host/?a=1', 'contains a query'],
    ['http://host/#x', 'contains a query or fragment'],
    ['http://me:pw@host/', 'contains credentials'],
  ])('%s is refused: %s', (text, why) => {
    expect(() => checkBaseUrl(text)).toThrow(why);
  });

  test('never repeats a password', () => {
    for (const text of ['http://me:hush@host:port/', 'ftp://me:hush@host', 'http://me:hush@host/?q=1']) {
      expect(() => checkBaseUrl(text)).toThrow(/^(?!.*hush)/);
    }
  });
});

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
