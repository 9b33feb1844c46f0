import { describe, expect, test } from 'vitest';
import { checkBaseUrl } from './url.ts';

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
