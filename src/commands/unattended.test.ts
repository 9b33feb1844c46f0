import { expect, test } from 'vitest';
import { refuseUnattended, type UnattendedRequest } from './unattended.ts';

const BASE = 'https://staging.example/api';
const attempt = (request: Partial<UnattendedRequest>) => () =>
  refuseUnattended({ base: BASE, safety: 'job', env: {}, isTerminal: false, ...request });

test.each<[string, Partial<UnattendedRequest>]>([
  ['a person at a terminal', { isTerminal: true }],
  ['a class that changes nothing', { safety: 'read', env: { CI: 'true' } }],
  ...[
    'http://127.0.0.1:8080',
    'http://127.9.9.9',
    'http://[::1]:80/x',
    'http://localhost:1',
    'http://api.localhost',
  ].map((base): [string, Partial<UnattendedRequest>] => [`loopback ${base}`, { base }]),
  ['an allowed host', { allowHosts: ['Staging.example'] }],
  ['an allowed host with its default port', { allowHosts: ['staging.example:443'] }],
  ['an allowed domain', { allowHosts: ['*.example'] }],
])('%s may send', (_, request) => {
  expect(attempt(request)).not.toThrow();
});

test.each<[string, Partial<UnattendedRequest>, string]>([
  ['without a terminal', {}, 'standard input is no terminal'],
  ['in CI, even on a terminal', { isTerminal: true, env: { CI: '1' } }, 'CI is set'],
  ['another host', { allowHosts: ['example', 'xstaging.example', '*.staging.example'] }, 'not allowed'],
  ['another port', { allowHosts: ['staging.example:8443'] }, 'not allowed'],
  ['a name that begins like loopback', { base: 'http://127.0.0.1.example' }, '--allow-target-host 127.0.0.1.example'],
])('a run %s is refused', (_, request, sentence) => {
  expect(attempt(request)).toThrow(sentence);
});
