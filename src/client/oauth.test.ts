import { describe, expect, test } from 'vitest';
import { get, type HostileServer, ok, openSource, startHostile } from './hostile-server.test.support.ts';
import type { OAuthGrant } from './oauth.ts';

/** A service that takes only the token handed out last, beside the endpoint that hands them out. */
async function setUp(scheme: Partial<OAuthGrant> = {}, token = (n: number) => ok(`{"access_token":"tok-${n}"}`)) {
  let handedOut = 0;
  let valid = 'tok-1';
  const server: HostileServer = await startHostile((socket, request) => {
    if (request.startsWith('POST /token')) socket.write(token(++handedOut));
    else
      socket.write(request.includes(`Bearer ${valid}\r\n`) ? ok('in') : 'HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n');
  });
  const source = openSource({
    base: `${server.base}/`,
    auth: [{ scheme: 'oauth2', tokenUrl: `${server.base}/token`, clientId: 'me', clientSecret: 's:1', ...scheme }],
  });
  const send = async (more = {}) => source.send(get(`${server.base}/p`, more));
  return { server, send, handedOut: () => handedOut, expire: (next: string) => (valid = next) };
}

describe('client credentials', () => {
  test('a token is fetched once and cached; it is masked', async () => {
    const { server, send, handedOut } = await setUp({ scope: 'a b' });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map((each) => each.response?.status)).toEqual([200, 200, 200]);
    expect(handedOut()).toBe(1);
    expect(server.requests[0]).toContain(`authorization: Basic ${Buffer.from('me:s%3A1').toString('base64')}\r\n`);
    expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe('grant_type=client_credentials&scope=a+b');
    expect(answers[0]?.request.headers).toEqual([['authorization', '***']]);
  });

  test('the endpoint may be a path below the base address', async () => {
    const { send } = await setUp({ tokenUrl: '/token' });
    expect((await send()).response?.status).toBe(200);
  });

  test('id and secret may be sent in the form', async () => {
    const { server, send } = await setUp({ credentialsIn: 'body' });
    await send();
    expect(server.requests[0]).not.toMatch(/authorization/i);
    expect(server.requests[0]).toContain('client_id=me&client_secret=s%3A1');
  });

  test('the password grant, and further parameters', async () => {
    const { server, send } = await setUp({
      grant: 'password',
      username: 'al',
      password: 'p w',
      parameters: { audience: 'https://api' },
    });
    await send();
    expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe(
      'grant_type=password&username=al&password=p+w&audience=https%3A%2F%2Fapi',
    );
  });

  test('a status that the profile declares as 401 renews it, too', async () => {
    let handedOut = 0;
    const server = await startHostile((socket, request) => {
      if (request.startsWith('POST /token')) socket.write(ok(`{"access_token":"tok-${++handedOut}"}`));
      else
        socket.write(request.includes('Bearer tok-2\r\n') ? ok('in') : 'HTTP/1.1 419 X\r\nContent-Length: 0\r\n\r\n');
    });
    const auth = [{ scheme: 'oauth2', tokenUrl: `${server.base}/token`, clientId: 'me', clientSecret: 's' } as const];
    const source = openSource({ auth });
    const asked = get(`${server.base}/p`);
    expect((await source.send(asked)).response?.status).toBe(419);
    expect((await source.send({ ...asked, statuses: { unauthorized: [419] } })).response?.status).toBe(200);
  });

  test('a refused token is renewed once', async () => {
    const { send, handedOut, expire } = await setUp();
    await send();
    expire('tok-2');
    expect((await send()).response?.status).toBe(200);
    expire('another');
    expect((await send()).response?.status).toBe(401);
    expect(handedOut()).toBe(3);
  });

  test('several refused requests share one renewal', async () => {
    const { send, handedOut, expire } = await setUp();
    await send();
    expire('tok-2');
    const answers = await Promise.all([send(), send(), send()]);
    expect([answers.map((each) => each.response?.status), handedOut()]).toEqual([[200, 200, 200], 2]);
  });

  test('an expired token is renewed before it is refused', async () => {
    const { send, handedOut, expire } = await setUp({}, (n) => ok(`{"access_token":"tok-${n}","expires_in":0.02}`));
    await send();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expire('tok-2');
    expect([(await send()).response?.status, handedOut()]).toEqual([200, 2]);
  });

  test('anonymous requests fetch no token', async () => {
    const { send, handedOut } = await setUp();
    expect([(await send({ anonymous: true })).response?.status, handedOut()]).toEqual([401, 0]);
  });

  test.each([
    ['refuses', () => 'HTTP/1.1 400 X\r\nContent-Length: 21\r\n\r\n{"echo":"client s:1"}', 'stopped'],
    ['answers no token', () => ok('{}'), 'stopped'],
    ['answers no JSON', () => ok('<html>'), 'stopped'],
    ['is no HTTP server', () => 'hello\r\n\r\n', 'protocol'],
  ])('an endpoint that %s: nothing is sent to the service, and the failure says why', async (_, answer, kind) => {
    const { server, send } = await setUp({}, answer);
    const { failure, response } = await send();
    expect([failure?.kind, response]).toEqual([kind, undefined]);
    expect(failure?.message).toMatch(/no access token.*/);
    expect(failure?.message).not.toContain('s:1');
    expect(server.requests.some((each) => each.startsWith('GET'))).toBe(false);
  });
});
