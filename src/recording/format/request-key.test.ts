import { expect, test } from 'vitest';
import { canonicalBody, canonicalQuery, canonicalTarget, keyWithoutCredentials, requestKey } from './request-key.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const JSON_TYPE = 'application/json; charset=utf-8';

test('equal queries in different encodings have one canonical form', () => {
  expect(canonicalQuery('b=2&a=x+y&&c')).toBe('a=x%20y&b=2&c');
  expect(canonicalQuery('a=%7e%2c')).toBe(canonicalQuery('a=~,'));
  expect(canonicalQuery('a=%C3%A9')).toBe(canonicalQuery('a=é'));
});

test('different queries stay different', () => {
  const queries = [
    'a',
    'a=',
    'a=1&a=2',
    'a=2&a=1',
    'a=%zz',
    'a=%25zz',
    'a=%ff',
    'a=%fe',
    'a=%00',
    'a=b%26c',
    'a=b&c',
    'a=+',
    'a=%2B',
  ];
  expect(new Set(queries.map((each) => canonicalQuery(each))).size).toBe(queries.length);
});

test('the path counts byte for byte, credentials in the query do not', () => {
  expect(canonicalTarget('/a/%41/../b?k=1&x=2#f', ['k'])).toBe('/a/%41/../b?x=2');
  expect(canonicalTarget('/a?k=1', ['k'])).toBe('/a');
});

test('JSON is compared by value, a form by its pairs, multipart without its boundary', () => {
  expect(canonicalBody(bytes('{"b":[1,{"d":0,"c":null}],"a":"é"}'), JSON_TYPE)).toBe(
    canonicalBody(bytes('{ "a": "\\u00e9", "b": [1, {"c": null, "d": 0}] }'), undefined),
  );
  expect(canonicalBody(bytes('{"a":1}'), JSON_TYPE)).not.toBe(canonicalBody(bytes('{"a":2}'), JSON_TYPE));
  expect(canonicalBody(bytes('{"a":'), JSON_TYPE)).toMatch(/^bytes sha256-/);
  const form = 'application/x-www-form-urlencoded';
  expect(canonicalBody(bytes('b=1&a=2'), form)).toBe(canonicalBody(bytes('a=2&b=1'), form));
  const part = (boundary: string) =>
    canonicalBody(
      bytes(`--${boundary}\r\ncontent-disposition: form-data; name="f"\r\n\r\nx\r\n--${boundary}--\r\n`),
      `multipart/form-data; boundary=${boundary}`,
    );
  expect(part('aaa')).toBe(part('bbbbbb'));
  expect(canonicalBody(bytes(''), JSON_TYPE)).toBe('');
});

test('a key has one line per part, and only headers that carry inputs', () => {
  const parts = { method: 'POST', target: '/x?b=1&a=2', body: 'json {"a":1}' };
  const headers = [
    ['X-Market', 'US'],
    ['Accept', '*/*'],
  ] as const;
  expect(requestKey({ ...parts, headers }, { headers: ['x-market'], withoutQuery: [] })).toBe(
    'POST /x?a=2&b=1\nx-market: US\njson {"a":1}',
  );
});

test('credentials count as sent or not sent, whatever their values and places', () => {
  const matching = {
    headers: ['x-market', '?key', 'authorization'],
    withoutQuery: ['key'],
    credentials: ['?key', 'authorization'],
  };
  const keyOf = (target: string, ...headers: [string, string][]) =>
    requestKey({ method: 'POST', target, headers, body: 'json {}' }, matching);
  const anonymous = keyOf('/x', ['X-Market', 'US']);
  expect(anonymous).toBe('POST /x\nx-market: US\n?key: \nauthorization: \njson {}');
  const sent = keyOf('/x?key=1', ['X-Market', 'US'], ['Authorization', 'Bearer a']);
  expect(sent).toBe('POST /x\nx-market: US\n?key: sent\nauthorization: sent\njson {}');
  expect(keyOf('/x?k%65y=2', ['authorization', 'Basic b'], ['x-market', 'US'])).toBe(sent);
  expect(keyOf('/x?keys=2', ['x-market', 'US'])).not.toContain('sent');
  expect(keyWithoutCredentials(sent, matching)).toBe(anonymous);
});
