import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../src/commands/run-conformance.ts';
import { startDialectSimulator } from '../../../src/commands/start-simulator.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const TEST = 'GET /webservices/testService';
const login = {
  scheme: 'login',
  request: { url: '/login', form: { account: 'acme', pin: 4711 } },
  token: '$.DATA.SID',
  in: 'header',
  name: 'X-Session',
} as const;
const profileOf = (auth: object) =>
  ({
    name: 'mine',
    auth: { ...login, ...auth },
    authExcept: [TEST],
    operations: {
      [BULK]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc' } } },
      [TEST]: { request: { query: { account: 'acme', pin: '4711' } } },
    },
  }) as never;

async function start(auth: object) {
  const simulator = await startDialectSimulator(profileOf(auth), { products: 20, basePath: '/api' });
  onTestFinished(() => simulator.close());
  return simulator;
}

test.each([
  ['a header', {}],
  ['a cookie that the login sets', { token: { cookie: 'sid' }, in: 'cookie', name: 'sid' }],
  ['a query parameter', { in: 'query', name: 'sid', token: '$response.header.X-Token' }],
  [
    'a header with a scheme, from a part of a text',
    { token: { at: '$.a[0].text', match: 'sid=(\\w.*)' }, name: 'Authorization', value: 'Session {token}' },
  ],
  [
    'an operation that is the login',
    { request: { method: 'GET', url: '/webservices/testService', query: { account: 'acme', pin: '4711' } } },
  ],
  [
    'credentials in JSON',
    { request: { method: 'PUT', url: '/sessions', json: { user: { name: 'acme', pin: 4711 } } } },
  ],
])('a run opens a session: %s', async (_, auth) => {
  const { url } = await start(auth);
  const rules = ['C.upc-12-digits', 'every.served'];
  const run = await runConformance({ baseUrl: url, profile: profileOf(auth), rules, operations: [BULK, TEST] });
  const notes = run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
  expect(notes).toEqual([]);
  expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(1);
});

test('a login with other credentials gets no token, and a request without one is refused', async () => {
  const { url } = await start({});
  const send = (pin: string) =>
    fetch(`${url}/login`, { method: 'POST', body: new URLSearchParams({ account: 'acme', pin }) });
  expect((await send('1')).status).toBe(401);
  const { DATA } = (await (await send('4711')).json()) as { DATA: { SID: string } };
  const list = (session: string) =>
    fetch(`${url}/PLATFORMAPI/prodRef/v1/allProducts`, { headers: { 'x-session': session } });
  expect([(await list(DATA.SID)).status, (await list('other')).status]).toEqual([200, 401]);
});
