/** Clients of a profile with sessions, tokens or signatures: what the simulator issues, checks and refuses. */
import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runConformance } from '../../../src/commands/run-conformance.ts';
import { startSimulatorServer } from '../../../src/commands/start-simulator.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const TEST = 'GET /webservices/testService';
const BULK_PATH = '/PLATFORMAPI/prodRef/v1/allProducts';

/** A profile with these credentials; a request of the test service needs none. */
const profileOf = (auth: object) =>
  ({
    name: 'mine',
    auth,
    authExcept: [TEST],
    operations: {
      [BULK]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc' } } },
      [TEST]: { request: { query: { account: 'acme', pin: '4711' } } },
    },
  }) as never;

async function simulate(auth: object, options: object = { basePath: '/api' }) {
  const simulator = await startSimulatorServer({ profile: profileOf(auth), products: 20, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

describe('sessions', () => {
  const login = {
    scheme: 'login',
    request: { url: '/login', form: { account: 'acme', pin: 4711 } },
    token: '$.DATA.SID',
    in: 'header',
    name: 'X-Session',
  } as const;
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
    const { url } = await simulate({ ...login, ...auth });
    const rules = ['C.upc-12-digits', 'every.served'];
    const run = await runConformance({
      baseUrl: url,
      profile: profileOf({ ...login, ...auth }),
      rules,
      operations: [BULK, TEST],
    });
    const notes = run.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict));
    expect(notes).toEqual([]);
    expect(run.results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(1);
  });

  test('a login with other credentials gets no token, and a request without one is refused', async () => {
    const { url } = await simulate(login);
    const send = (pin: string) =>
      fetch(`${url}/login`, { method: 'POST', body: new URLSearchParams({ account: 'acme', pin }) });
    expect((await send('1')).status).toBe(401);
    const { DATA } = (await (await send('4711')).json()) as { DATA: { SID: string } };
    const list = (session: string) => fetch(`${url}${BULK_PATH}`, { headers: { 'x-session': session } });
    expect([(await list(DATA.SID)).status, (await list('other')).status]).toEqual([200, 401]);
  });
});

describe('tokens', () => {
  const auth = {
    scheme: 'oauth2',
    tokenUrl: 'http://login.example/oauth/token',
    clientId: 'client 1',
    clientSecret: 's%cret+1',
    scope: 'read',
  } as const;
  async function start(given: object = {}) {
    const simulator = await simulate({ ...auth, ...given }, {});
    const basic = `Basic ${btoa(`${encodeURIComponent(auth.clientId)}:${encodeURIComponent(auth.clientSecret)}`)}`;
    const token = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${simulator.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers });
    const list = (authorization?: string) =>
      fetch(`${simulator.url}${BULK_PATH}`, {
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
    const simulator = await simulate({ ...auth, credentialsIn: 'body' });
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
      profile: profileOf({ ...auth, tokenUrl: `${origin}/oauth/token` }),
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
});

describe('signatures', () => {
  const auth = {
    scheme: 'hmac',
    algorithm: 'sha256',
    key: 'k3y-of-the-t3st',
    encoding: 'hex',
    message: '{method}\n{target}\n{host}\n{timestamp}',
    headers: { Authorization: 'X-HMAC KeyId=me, Ts={timestamp}, Sig={signature}' },
    query: { nonce: '{nonce}' },
  } as const;
  async function start() {
    const simulator = await simulate(auth);
    const { host, pathname } = new URL(simulator.url);
    const target = `${pathname}${BULK_PATH}?nonce=n1`;
    const signed = (seconds: number, key: string = auth.key, message = target) => {
      const signature = createHmac('sha256', key).update(`GET\n${message}\n${host}\n${seconds}`).digest('hex');
      return `X-HMAC KeyId=me, Ts=${seconds}, Sig=${signature}`;
    };
    const get = async (authorization: string) =>
      (await fetch(`http://${host}${target}`, { headers: { authorization } })).status;
    return { simulator, signed, get };
  }

  test('a valid signature is accepted, also by a clock that is a few minutes off', async () => {
    const { signed, get } = await start();
    const now = Math.floor(Date.now() / 1000);
    expect([await get(signed(now)), await get(signed(now - 200)), await get(signed(now + 200))]).toEqual([
      200, 200, 200,
    ]);
  });

  test('another key, message, time or form is refused', async () => {
    const { signed, get } = await start();
    const now = Math.floor(Date.now() / 1000);
    const refused = [
      signed(now, 'other'),
      signed(now, auth.key, '/elsewhere'),
      signed(now - 400),
      signed(now + 400),
      signed(now).replace('KeyId=me', 'KeyId=you'),
      signed(now).replace(/Ts=\d+/, `Ts=${now - 1}`),
      'X-HMAC',
      '',
    ];
    expect(await Promise.all(refused.map(get))).toEqual(refused.map(() => 401));
  });

  test('a run signs its requests; with another key all are refused', async () => {
    const { simulator } = await start();
    const verdicts = async (given: object) => {
      const run = await runConformance({
        baseUrl: simulator.url,
        profile: profileOf({ ...auth, ...given }),
        rules: ['C.upc-12-digits'],
      });
      return run.results.map(({ verdict }) => verdict).filter((each) => each !== 'not-applicable');
    };
    expect(await verdicts({})).toContain('pass');
    expect(await verdicts({ key: 'another-key' })).not.toContain('pass');
  });
});
