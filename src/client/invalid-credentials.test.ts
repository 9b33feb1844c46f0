import { expect, test } from 'vitest';
import { base64, utf8 } from '../bytes.ts';
import { basic } from '../profile/http-text.ts';
import { credentialsOf } from './credentials.ts';
import { invalidCredentials, inventedText } from './invalid-credentials.ts';

test.each([
  ['k-41', 'a-77'],
  ['zA77', 'aA77'],
  ['c0ffee00', 'a7aaaa77'],
  ['Aa7', 'Bb8'],
  ['', 'a'],
  ['ö', 'öa'],
])('in the place of “%s”: “%s”', (text, invented) => {
  expect(inventedText(text)).toBe(invented);
});

const claims = `${base64(utf8('{"alg":"HS256"}'))}.${base64(utf8('{"sub":"me"}'))}`.replaceAll('=', '');

test.each([
  ['an API key', 'Kq7', 'Aa7'],
  ['a scheme and a token', 'Bearer Kq7', 'Bearer Aa7'],
  ['a JWT, of which only the signature changes', `Bearer ${claims}.s1g-x`, `Bearer ${claims}.a7a-a`],
  ['Basic', basic('me', 'p:w'), basic('aa', 'a:a')],
])('%s keeps its form', (_, value, invented) => {
  const own = credentialsOf([{ scheme: 'apiKey', in: 'header', name: 'X', value }]);
  expect(invalidCredentials({ ...own, cookies: [['X', value]], members: [['X', value]] })).toEqual({
    headers: [['X', invented]],
    query: [],
    cookies: [['X', invented]],
    members: [['X', invented]],
    signatures: [],
  });
});
