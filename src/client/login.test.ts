/** Sessions that a service opens, and ends. */
import { createServer, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { openSource } from './hostile-server.test.support.ts';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** Starts a server whose `/login` opens sessions; any other path accepts the last one, or is `refused`. */
async function start(refused: (token: string, seen: Seen) => boolean = () => false) {
  const seen: Seen[] = [];
  const logins: Seen[] = [];
  const server = createServer(async (request, response) => {
    const each = { request, body: Buffer.concat(await request.toArray()).toString() };
    const isLogin = request.url?.startsWith('/base/login');
    (isLogin ? logins : seen).push(each);
    const token = `t0ken-${logins.length}`;
    if (isLogin) {
      response.setHeader('set-cookie', ['lang=en', `sid=${token}; Path=/`]);
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify({ DATA: { SID: token } })));
    } else response.writeHead(refused(token, each) ? 401 : 200).end('{}');
  });
  return { seen, logins, base: `${await listen(server)}/base` };
}

const LOGIN = 'request: { url: /login, form: { account: acme, pin: "4711" } }';
const profileOf = (auth: string) => parseProfile(`name: t\nauth: ${auth}`, 't.yaml', {});
const receivedValues: string[] = [];
function sourceOf(auth: string, base: string) {
  receivedValues.length = 0;
  return openSource({
    base,
    ...clientAuthOf(profileOf(auth).data),
    onCredential: ({ value }) => receivedValues.push(value),
  });
}

test('one session is opened, renewed once after a 401, and its token is masked', async () => {
  let isEnded = false;
  const { seen, logins, base } = await start((token, { request }) => request.headers['x-session'] !== token || isEnded);
  const source = sourceOf(`{ scheme: login, ${LOGIN}, token: "$.DATA.SID", in: header, name: X-Session }`, base);
  const get = () => source.send({ method: 'GET', url: `${base}/x`, headers: [] });
  const first = await Promise.all([get(), get()]);
  expect(first.map(({ response }) => response?.status)).toEqual([200, 200]);
  expect(logins.map(({ request: { method }, body }) => `${method} ${body}`)).toEqual(['POST account=acme&pin=4711']);
  expect(first[0]?.request.headers).toEqual([['X-Session', '***']]);
  isEnded = true;
  expect((await get()).response?.status).toBe(401);
  expect([logins.length, seen.length]).toEqual([2, 4]);
  expect(receivedValues).toEqual(['t0ken-1', 't0ken-2']);
});

test.each([
  ['query', 'sid', '"$.DATA.SID"', ({ request }: Seen) => request.url, '/base/x?a=1&sid=t0ken-1'],
  ['cookie', 'sid', '{ cookie: sid }', ({ request }: Seen) => request.headers.cookie, 'a=b; sid=t0ken-1'],
  ['body', 'SID', '"$.DATA.SID"', ({ body }: Seen) => body, '{"q":"é","SID":"t0ken-1"}'],
])('a token is carried in the %s', async (place, name, token, found, expected) => {
  const { seen, base } = await start();
  const source = sourceOf(`{ scheme: login, ${LOGIN}, token: ${token}, in: ${place}, name: ${name} }`, base);
  const headers = [
    ['content-type', 'application/json'],
    ['cookie', 'a=b'],
  ] as const;
  await source.send({ method: 'POST', url: `${base}/x?a=1`, headers, body: Buffer.from('{"q":"é"}') });
  expect(found(seen[0] as Seen)).toBe(expected);
});

test('a form carries the token, too; a part of a text may be one', async () => {
  const { seen, base } = await start();
  const token = '{ at: $response.header.Set-Cookie, match: "(en)" }';
  const source = sourceOf(
    `{ scheme: login, ${LOGIN}, token: ${token}, in: body, name: sid, value: "s {token}" }`,
    base,
  );
  const headers = [['content-type', 'application/x-www-form-urlencoded']] as const;
  await source.send({ method: 'POST', url: `${base}/x`, headers, body: Buffer.from('a=1') });
  expect(seen[0]?.body).toBe('a=1&sid=s%20en');
});

test('a login of the service carries the other credentials, and a session ends after its lifetime', async () => {
  const { logins, base } = await start();
  const source = sourceOf(
    `[{ scheme: apiKey, in: header, name: X-Key, value: k1 }, { scheme: login, ${LOGIN}, token: "$.DATA.SID", in: header, name: S, expiresIn: 0.000000001 }]`,
    base,
  );
  for (const _ of [1, 2]) await source.send({ method: 'GET', url: `${base}/x`, headers: [] });
  expect(logins.map(({ request }) => request.headers['x-key'])).toEqual(['k1', 'k1']);
});

test('an operation that is the login: its tokens are secrets', async () => {
  const { base } = await start();
  const source = sourceOf(`{ scheme: login, ${LOGIN}, token: "$.DATA.SID", in: header, name: S }`, base);
  await source.send({ method: 'POST', url: `${base}/login`, headers: [], anonymous: true });
  expect(receivedValues).toEqual(['t0ken-1']);
});

test('without a token nothing is sent to the service, and the failure says why', async () => {
  const { seen, base } = await start();
  const source = sourceOf(`{ scheme: login, ${LOGIN}, token: "$.none", in: header, name: S }`, base);
  const { failure } = await source.send({ method: 'GET', url: `${base}/x`, headers: [] });
  expect(failure).toEqual({
    kind: 'stopped',
    message: `POST ${base}/login: no token in the response (200): check request and token of the profile’s auth`,
  });
  expect(seen).toEqual([]);
});

test('the password of a login is a secret, other texts are not', () => {
  const auth = `{ scheme: login, request: { url: /login, json: { user: retailer, password: hunter2 } }, token: $.t, in: header, name: S }`;
  expect(secretValuesOf(profileOf(auth))).toEqual(['hunter2']);
});

const problem = (auth: string): string => {
  try {
    profileOf(`{ scheme: login, ${auth} }`);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [
    'request: { url: login }, token: $.t, in: header, name: S',
    /auth\.request\.url: must be a path that begins with \//,
  ],
  ['request: { url: /l, form: {}, json: {} }, token: $.t, in: header, name: S', /one body/],
  ['request: { url: /l }, token: "@.t", in: header, name: S', /auth\.token: is a selector within a row/],
  ['request: { url: /l }, token: $.t, in: header, name: "S S"', /auth\.name: contains a space/],
  ['request: { url: /l }, token: $.t, in: header, name: S, value: x', /auth\.value: must contain \{token\}/],
])('%s: one sentence', (auth, sentence) => expect(problem(auth)).toMatch(sentence));
