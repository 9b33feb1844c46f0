/** Credentials of a group or operation in place of those of all. */
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { OperationKey } from '../contract/index.ts';
import { curlCredentialsOf, toCurl } from '../exchange/curl.ts';
import { buildRequest } from '../exchange/request.ts';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { profileHash } from '../profile/profile-hash.ts';
import { listen } from '../resources.test.support.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { openSource } from './hostile-server.test.support.ts';

const CATEGORIES: OperationKey = 'GET /PLATFORMAPI/prodRef/v1/allCategories';
const BULK: OperationKey = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const TEST: OperationKey = 'GET /webservices/testService';

const profileAt = (base: string) =>
  parseProfile(
    `name: t
auth: { scheme: apiKey, in: header, name: X-Key, value: key-of-all-7361 }
authFor:
  C: { scheme: oauth2, tokenUrl: "${base}/token", clientId: c, clientSecret: secret-of-c-8842, scope: products }
  ${BULK}: [{ scheme: basic, username: bulk, password: pass-of-bulk-5519 }]
authExcept: [GET /webservices/getSaveMap]
`,
    't.yaml',
    {},
  );

test('each request has the credentials of its operation, of its group, or of all', async () => {
  const seen: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { authorization = '-', 'x-key': key = '-' } = request.headers;
      const path = String(request.url).split('/').at(-1);
      seen.push(`${path} ${key} ${path === 'token' ? /scope=\w+/.exec(body)?.[0] : authorization}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'token-9034', token_type: 'Bearer', expires_in: 3600 }));
    });
  });
  const base = await listen(server);
  const profile = profileAt(base);
  const source = openSource(clientAuthOf(profile.data));
  for (const key of [TEST, CATEGORIES, BULK, 'GET /webservices/getSaveMap'] as const)
    expect((await source.send(buildRequest(base, key, profile, {}))).response?.status).toBe(200);
  expect(seen).toEqual([
    'testService key-of-all-7361 -',
    'token - scope=products',
    'allCategories - Bearer token-9034',
    `allProducts - Basic ${Buffer.from('bulk:pass-of-bulk-5519').toString('base64')}`,
    'getSaveMap - -',
  ]);
});

test('they are secrets, variables in commands, and no part of what the profile describes', () => {
  const profile = profileAt('http://h');
  expect(secretValuesOf(profile)).toEqual(
    expect.arrayContaining(['key-of-all-7361', 'secret-of-c-8842', 'pass-of-bulk-5519']),
  );
  const request = buildRequest('http://h', BULK, profile, {});
  const command = toCurl(request, curlCredentialsOf(profile, request.authKey));
  expect(command).toMatch(/-u .*\$\{?PASSWORD/);
  expect(command).not.toMatch(/pass-of-bulk|X-Key/);
  const { authFor: _, ...data } = profile.data;
  expect(profileHash({ data })).toBe(profileHash(profile));
});

test('an invalid header value of them is refused with its path', () => {
  const text = 'name: t\nauthFor: { B: [{ scheme: bearer, token: "a\\nb" }] }';
  expect(() => parseProfile(text, 't.yaml', {})).toThrow(/authFor\.B/);
});
