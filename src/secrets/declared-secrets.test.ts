import { describe, expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { protectionOf } from './declared-secrets.ts';
import { Protection } from './hide-in-exchange.ts';

const profileOf = (yaml: string, env: Record<string, string> = {}) => parseProfile(`name: x\n${yaml}`, 'x', env);
const request = { side: 'request' } as const;
const protect = (yaml: string, env?: Record<string, string>, more?: readonly string[]) =>
  new Protection(protectionOf(profileOf(yaml, env), more));

describe('what a profile declares is hidden', () => {
  test.each([
    ['an API key', 'auth: { scheme: apiKey, in: header, name: X-K, value: "k1-k1" }', 'X-K', 'k1-k1', 'mdwiApiKey'],
    [
      'a bearer token',
      'auth: { scheme: bearer, token: abc.def }',
      'Authorization',
      'Bearer abc.def',
      'Bearer mdwiBearerToken',
    ],
    [
      'basic credentials',
      'auth: { scheme: basic, username: me, password: "s3same:öffne" }',
      'Authorization',
      `Basic ${Buffer.from('me:s3same:öffne').toString('base64')}`,
      'Basic mdwiAuthorization',
    ],
    ['a header', 'auth: { scheme: headers, headers: { X-Tenant: US } }', 'x-tenant', 'US', 'mdwiXTenant'],
  ])('%s', (_, yaml, name, value, hidden) => {
    expect(protect(yaml).header(name, value, request)).toBe(hidden);
  });

  test('basic credentials in any body, and the password by itself', () => {
    const protection = protect('auth: { scheme: basic, username: me, password: hunter2-hunter2 }');
    const echo = Buffer.from('me:hunter2-hunter2').toString('base64');
    const text = protection.text(`{"echo":"${echo}","also":"hunter2-hunter2"}`, { side: 'response' });
    expect(text).not.toContain(echo);
    expect(text).toContain('"also":"mdwiPassword"');
  });

  test('a client secret in a form and in credentials that were escaped first', () => {
    const protection = protect(
      'auth: { scheme: oauth2, tokenUrl: "http://x/t", clientId: "a:b", clientSecret: "p&q=r s" }',
    );
    const form = { side: 'request', type: 'application/x-www-form-urlencoded' } as const;
    expect(protection.text('client_secret=p%26q%3Dr+s&client_id=a%3Ab', form)).toBe(
      'client_secret=mdwiClientSecret&client_id=a%3Ab',
    );
    const escaped = Buffer.from('a%3Ab:p%26q%3Dr%20s').toString('base64');
    expect(protection.text(escaped, { side: 'response' })).not.toBe(escaped);
  });

  test('values of the environment and of the command line, in a parameter by its name', () => {
    const protection = protect(
      `auth: { scheme: apiKey, in: query, name: k, value: "\${KEY}" }\nheaders: { X-Zone: "\${ZONE}" }`,
      { KEY: 'key-of-acme', ZONE: 'zone-of-acme' },
      ['value-of-flag'],
    );
    expect(protection.url('/x?k=other&a=key-of-acme&b=zone-of-acme&c=value-of-flag', request)).toBe(
      '/x?k=mdwiK&a=mdwiApiKey&b=mdwiEnvironmentValue&c=mdwiSecret',
    );
  });
});

test('what stands beside a key, and the examples of a profile, stay', () => {
  const protection = protect(
    'auth: { scheme: headers, headers: { X-Market: Total US, X-Key: a1b2c3d4e5f6 } }\njobs: { report: { example: a1b2c3d4e5f7 } }',
  );
  expect(protection.text('{"market":"Total US","token":"a1b2c3d4e5f7","k":"a1b2c3d4e5f6"}', { side: 'response' })).toBe(
    '{"market":"Total US","token":"a1b2c3d4e5f7","k":"mdwiXKey"}',
  );
});

test.each([
  ['a URL', `tokenUrl: "\${A}/token"`, 'https://login.example', []],
  ['a host', `tokenUrl: "https://\${A}/token"`, 'login.example:8443', []],
  ['a URL with a user', `tokenUrl: "\${A}/token"`, 'https://me:pw@login.example', ['https://me:pw@login.example']],
  ['a URL with a query', `tokenUrl: "\${A}"`, 'https://login.example/t?key=k', ['https://login.example/t?key=k']],
  ['a part of a path', `tokenUrl: "https://login.example/\${A}/token"`, 'a1b2', ['a1b2']],
  ['a password', `tokenUrl: "https://me:\${A}@login.example/token"`, 'a1b2', ['a1b2']],
  ['a URL elsewhere, too', `tokenUrl: "\${A}/t", scope: "\${A}"`, 'https://login.example', ['https://login.example']],
])('%s of the environment in an address: what is secret', (_, yaml, value, secrets) => {
  const auth = `auth: { scheme: oauth2, ${yaml}, clientId: me, clientSecret: s }`;
  expect(profileOf(auth, { A: value }).secrets).toEqual(secrets);
});
