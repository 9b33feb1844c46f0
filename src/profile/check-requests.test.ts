/** What HTTP forbids is refused with the profile, and never sent. */
import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { ProfileError } from './profile-error.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const request = (yaml: string) => `name: x\noperations:\n  ${BULK}:\n    request:\n      ${yaml}\n`;
const messageOf = (yaml: string, env: NodeJS.ProcessEnv = {}, unset: 'refuse' | 'keep' = 'refuse'): string => {
  try {
    parseProfile(yaml, 'x.yaml', env, unset);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ProfileError);
    return (error as Error).message;
  }
};

test.each([
  [
    'headers',
    'name: x\nheaders: { X-A: "a\\r\\nX-B: b" }',
    /^x\.yaml:2: headers\.X-A: .*a carriage return \(U\+000D\)/,
  ],
  ['a request header', request('headers: { X-A: "a\\nb" }'), /^x\.yaml:5: operations.*\.headers\.X-A: .*a line feed/],
  ['the name of a header', 'name: x\nheaders: { "X A": b }', /a space .* forbids in a header name/],
  ['no name', 'name: x\nheaders: { "": b }', /a header needs a name/],
  ['a header of the client', 'name: x\nheaders: { Content-Length: "3" }', /the HTTP client sets itself/],
  ['a header in letters without a byte', 'name: x\nheaders: { X-A: Ж }', /the character \(U\+0416\)/],
  ['an escape character', 'name: x\nheaders: { X-A: "\\e[1m" }', /an escape character \(U\+001B\)/],
  ['a key', 'name: x\nauth: { scheme: apiKey, in: header, name: X-K, value: "a\\n" }', /^x\.yaml:2: auth\.value: /],
  [
    'the name of a key',
    'name: x\nauth: { scheme: apiKey, in: header, name: "X:K", value: a }',
    /auth\.name: .*U\+003A/,
  ],
  ['a token', 'name: x\nauth:\n  - { scheme: bearer, token: "a\\0b" }', /^x\.yaml:3: auth\[0\]\.token: .*a NUL/],
  ['headers of auth', 'name: x\nauth: { scheme: headers, headers: { X-K: "a\\rb" } }', /auth\.headers\.X-K/],
  ['a user name', 'name: x\nauth: { scheme: basic, username: "a:b", password: c }', /auth\.username: contains a colon/],
  ['a password', 'name: x\nauth: { scheme: basic, username: a, password: "c\\n" }', /auth\.password: .*a line feed/],
  [
    'a token address',
    'name: x\nauth: { scheme: oauth2, tokenUrl: ftp://h/t, clientId: a, clientSecret: b }',
    /auth\.tokenUrl: must be a path that begins with \/, or a URL with http/,
  ],
  ['a prefix', 'name: x\nprefixes: { C: "/a\\x01b" }', /prefixes\.C: .*percent-encoded/],
  ['a media type', request('raw: { type: "text/plain\\n", text: a }'), /raw\.type: .*a line feed/],
  ['half a character in a query', request('query: { a: "\\uD83D" }'), /query\.a: .*half of a surrogate pair/],
  ['half a character in a form', request('form: { a: "\\uD83D" }'), /form\.a: .*half of a surrogate pair/],
  [
    'an example',
    `${request('headers: { X-A: "{category}" }')}examples:\n  category: [Tea, "a\\nb"]`,
    /^x\.yaml:7: examples\.category\[1\]: .*a line feed .*\{category\} is used in the header X-A/,
  ],
  [
    'a spelling',
    request('headers: { X-A: "{window}" }\n      spellings: { window: { "4": "a\\nb" } }'),
    /^x\.yaml:6: .*spellings\.window\.4: .*a line feed/,
  ],
])('%s', (_, yaml, says) => {
  expect(messageOf(yaml)).toMatch(says);
});

test('a value of the environment is named by its variable and never shown', () => {
  const yaml = 'name: x\nauth: { scheme: bearer, token: "$' + '{ACME_TOKEN}" }';
  const message = messageOf(yaml, { ACME_TOKEN: 's3cret-token\n' });
  expect(message).toMatch(
    /^x\.yaml:2: auth\.token: the value of the environment variable ACME_TOKEN contains a line feed/,
  );
  expect(message).not.toContain('s3cret');
});

test('a variable that is not set is refused, or kept if the profile is only inspected', () => {
  const yaml = 'name: x\nauth:\n  scheme: oauth2\n  tokenUrl: "$' + '{TOKEN_URL}"\n  clientId: a\n  clientSecret: b';
  expect(messageOf(yaml)).toMatch(/^x\.yaml:4: auth\.tokenUrl: needs the environment variable TOKEN_URL, which is not/);
  const { unset, secrets } = parseProfile(yaml, 'x.yaml', {}, 'keep');
  expect(unset).toEqual([{ name: 'TOKEN_URL', path: ['auth', 'tokenUrl'] }]);
  expect(secrets).toEqual([]);
});

test('what HTTP allows is let through', () => {
  expect(messageOf('name: x\nheaders: { X-A: "a\\tb é", X-B: "" }')).toBe('');
  expect(messageOf(request('query: { "a b": "Ж\\r\\n" }\n      json: { a: "\\n" }'))).toBe('');
});
