import { expect, test } from 'vitest';
import { credentialsInCookie, credentialsSent, tokensIn } from './received.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123';

test('every token of a token endpoint’s answer is a credential, and nothing else of it', () => {
  const answer = {
    access_token: 'a1b2c3',
    refreshToken: 'r1',
    id_token: JWT,
    token_type: 'Bearer',
    scope: 'read',
    expires_in: 3600,
    nested: [{ session_token: 's1' }],
  };
  expect(tokensIn(answer).map(({ value }) => value)).toEqual(['a1b2c3', 'r1', JWT, 's1']);
});

test.each([
  ['sid=a1b2c3d4; Path=/', ['a1b2c3d4']],
  ['JSESSIONID=0123456789ABCDEF0123456789ABCDEF', ['0123456789ABCDEF0123456789ABCDEF']],
  ['x="7f3eA91c5d2b"', ['7f3eA91c5d2b']],
  ['app=QWxhZGRpbjpvcGVuIHNlc2FtZQ', ['QWxhZGRpbjpvcGVuIHNlc2FtZQ']],
  [
    'connect.sid=s%3Aq1w2e3r4t5y6.Zm9vYmFyYmF6',
    ['s%3Aq1w2e3r4t5y6.Zm9vYmFyYmF6', 's:q1w2e3r4t5y6.Zm9vYmFyYmF6', 'q1w2e3r4t5y6'],
  ],
])('%s holds %j', (line, values) => {
  expect(credentialsInCookie(line).map(({ value }) => value)).toEqual(expect.arrayContaining(values));
});

test.each([
  'market=US',
  'lang=en-US; Path=/',
  'tz=America/New_York',
  'visited=2026-11-22T10:00:00Z',
  'upc=012345678905',
  'session=open',
  'app=RetailMeasurement',
  'theme=light-contrast-mode',
  'sid=; Max-Age=0',
  'flag',
])('%s holds none', (line) => {
  expect(credentialsInCookie(line)).toEqual([]);
});

test('what a client sent to prove who it is, is a credential', () => {
  const sent = credentialsSent([
    ['Authorization', 'Bearer t0ken-of-client'],
    ['authorization', `Basic ${Buffer.from('me:hunter2-hunter2').toString('base64')}`],
    ['Cookie', 'market=US; sid=a1b2c3d4e5'],
    ['X-Api-Key', 'k3y-of-acme'],
    ['Accept', 'application/json'],
  ]);
  expect(sent.map(({ value }) => value)).toEqual([
    't0ken-of-client',
    Buffer.from('me:hunter2-hunter2').toString('base64'),
    'hunter2-hunter2',
    'a1b2c3d4e5',
    'k3y-of-acme',
  ]);
});
