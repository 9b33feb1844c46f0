import { expect, onTestFinished, test, vi } from 'vitest';
import { runConformance } from '../../../src/commands/run-conformance.ts';
import { startDialectSimulator } from '../../../src/commands/start-simulator.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const auth = {
  scheme: 'oauth2',
  tokenUrl: 'http://login.example/oauth/token',
  clientId: 'client 1',
  clientSecret: 's%cret+1',
  scope: 'read',
} as const;
const profileOf = (given: object) =>
  ({
    name: 'mine',
    auth: { ...auth, ...given },
    operations: { [BULK]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc' } } } },
  }) as const;

async function start(given: object = {}) {
  const simulator = await startDialectSimulator(profileOf(given), { products: 20 });
  onTestFinished(() => simulator.close());
  const basic = `Basic ${btoa(`${encodeURIComponent(auth.clientId)}:${encodeURIComponent(auth.clientSecret)}`)}`;
  const token = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${simulator.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers });
  const list = (authorization?: string) =>
    fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/allProducts`, {
      headers: authorization === undefined ? {} : { authorization },
    });
  return { simulator, basic, token, list };
}
const grant = { grant_type: 'client_credentials', scope: 'read' };

test('a token is issued for the credentials of the profile, and requests need one', async () => {
  const { basic, token, list, simulator } = await start();
  const issued = await token(grant, { authorization: basic });
  const {
    access_token: value,
    token_type: type,
    expires_in: seconds,
  } = (await issued.json()) as Record<string, unknown>;
  expect([issued.status, type, seconds, issued.headers.get('cache-control')]).toEqual([
    200,
    'Bearer',
    3600,
    'no-store',
  ]);
  expect((await list(`Bearer ${value}`)).status).toBe(200);
  const refused = await list('Bearer other');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="mdwi"']);
  expect((await list()).status).toBe(401);
  expect(simulator.client().findings.map(({ problem }) => problem.code)).toEqual(['unauthorized']);
});

test.each([
  ['another secret', grant, { authorization: `Basic ${btoa('client%201:wrong')}` }, 401, 'invalid_client'],
  ['no credentials', grant, {}, 401, 'invalid_client'],
  ['another grant', { grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
])('%s: no token', async (_, form, headers, status, error) => {
  const { token } = await start();
  const response = await token(form as Record<string, string>, headers as Record<string, string>);
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, error]);
});

test('credentials in the form, where the profile says so; a wrong scope and a wrong method get no token', async () => {
  const { simulator, token } = await start({ credentialsIn: 'body' });
  const credentials = { client_id: auth.clientId, client_secret: auth.clientSecret };
  expect((await token({ ...grant, ...credentials })).status).toBe(200);
  expect((await token({ ...grant, ...credentials, scope: 'write' })).status).toBe(400);
  expect((await fetch(`${simulator.url}/oauth/token`)).status).toBe(405);
});

test('the password grant, with the parameters of the profile', async () => {
  const own = { grant: 'password', username: 'al', password: 'p w', parameters: { audience: 'api' } };
  const { basic, token } = await start(own);
  const form = { ...grant, grant_type: 'password', username: 'al', password: 'p w', audience: 'api' };
  const statusOf = async (more: object) => (await token({ ...form, ...more }, { authorization: basic })).status;
  expect(await statusOf({})).toBe(200);
  expect([await statusOf({ password: 'x' }), await statusOf({ audience: 'x' }), await statusOf(grant)]).toEqual([
    400, 400, 400,
  ]);
});

test('the token endpoint is at its own path and below the base path, and tokens are valid for both', async () => {
  const simulator = await startDialectSimulator(profileOf({ credentialsIn: 'body' }), {
    products: 20,
    basePath: '/api',
  });
  onTestFinished(() => simulator.close());
  const form = { ...grant, client_id: auth.clientId, client_secret: auth.clientSecret };
  const statusOf = async (url: string) =>
    (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status;
  const { origin } = new URL(simulator.url);
  expect(await statusOf(`${simulator.url}/oauth/token`)).toBe(200);
  expect(await statusOf(`${origin}/oauth/token`)).toBe(200);
  expect(await statusOf(`${origin}/other/oauth/token`)).toBe(404);
});

test.each(['a URL', 'a path'])('a run logs in at the simulator at %s', async (kind) => {
  const { simulator } = await start();
  const origin = kind === 'a URL' ? new URL(simulator.url).origin : '';
  const run = await runConformance({
    baseUrl: simulator.url,
    profile: profileOf({ tokenUrl: `${origin}/oauth/token` }),
    rules: ['C.upc-12-digits'],
  });
  expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
});

test('a token expires after an hour, for a list that was requested before, too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { basic, token, list } = await start();
  const { access_token: value } = (await (await token(grant, { authorization: basic })).json()) as Record<
    string,
    unknown
  >;
  const statuses = [(await list(`Bearer ${value}`)).status, (await list(`Bearer ${value}`)).status];
  vi.setSystemTime(Date.now() + 3_600_001);
  expect([...statuses, (await list(`Bearer ${value}`)).status]).toEqual([200, 200, 401]);
});
