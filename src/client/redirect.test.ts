import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../exchange/types.ts';
import { NO_CREDENTIALS } from './credentials.ts';
import { redirected, unnamedHost } from './redirect.ts';

const request: WireRequest = {
  method: 'GET',
  url: 'https://h/a/b?c',
  headers: [
    ['Accept', 'x'],
    ['X-Key', 'k'],
  ],
};
const to = (location: string, status = 302, from: WireRequest = request, own = NO_CREDENTIALS) =>
  redirected(from, { status, reasonPhrase: '', headers: [['location', location]] }, own);

describe('the target of a redirect', () => {
  test.each([
    ['/x', 'https://h/x'],
    ['x?y#z', 'https://h/a/x?y'],
    ['?d', 'https://h/a/b?d'],
    ['/077240237473\t/', 'https://h/077240237473%09/'],
    ['//other/x', 'https://other/x'],
    ['https://me:pw@h/x', 'https://h/x'],
    [Buffer.from('/café').toString('latin1'), 'https://h/caf%C3%A9'],
    [Buffer.from('/café', 'latin1').toString('latin1'), 'https://h/caf%C3%A9'],
  ])('%s', (location, url) => {
    expect(to(location)?.url).toBe(url);
  });

  test.each(['ftp://h/x', 'javascript:0', 'http://', ''])('none: %j', (location) => {
    expect(to(location)).toBeUndefined();
  });
});

describe('the next request', () => {
  test.each(['https://other/x', 'http://h/x', 'https://h:8443/x'])('to %s: with harmless headers only', (location) => {
    expect(to(location)).toEqual({ method: 'GET', url: location, headers: [['Accept', 'x']], anonymous: true });
  });

  test.each([
    ['/x?key=s&z=1', 'https://h/x?z=1'],
    ['https://other/x?z=1&k%65y=s', 'https://other/x?z=1'],
    ['https://other/x?keys=1', 'https://other/x?keys=1'],
  ])('no key that the server copied into %s', (location, url) => {
    expect(to(location, 302, request, { headers: [], query: [['key', 's']] })?.url).toBe(url);
  });

  test('a body is never sent to another origin', () => {
    const post = { ...request, method: 'POST', body: Buffer.from('x') };
    expect(to('https://other/x', 308, post)).toBeUndefined();
    expect(to('/x', 308, post)).toEqual({ ...post, url: 'https://h/x' });
    expect(to('https://other/x', 308, { ...post, body: new Uint8Array(0) })?.method).toBe('POST');
  });
});

test.each([200, 300, 304, 305, 401])('%i is not followed', (status) => {
  expect(to('/x', status)).toBeUndefined();
});

test.each([
  ['https://h/a', 'http://h:8443/b', [], undefined],
  ['http://localhost:1/a', 'http://127.0.0.1:2/b', [], undefined],
  ['https://h/a', 'https://login.other:8443/b', [], 'login.other:8443'],
  ['https://h/a', 'https://www.h/b', [], 'www.h'],
  ['https://h/a', 'https://login.other:8443/b', ['login.other'], undefined],
  ['https://h/a', 'https://login.other:8443/b', ['*.other:443'], 'login.other:8443'],
])('a redirect from %s to %s, where %j is named, leads to the unnamed host %s', (from, target, followTo, host) => {
  expect(unnamedHost(from, target, followTo)).toBe(host);
});
