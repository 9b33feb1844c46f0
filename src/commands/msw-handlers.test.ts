import https from 'node:https';
import { createRequire } from 'node:module';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import type { ProfileInput } from '../profile/schema.ts';
import { cancellableResponse, createHandlers, type HandlersOptions, handlersFor } from './msw-handlers.ts';
import { createSimulator } from './start-simulator.ts';

const C = '/PLATFORMAPI/prodRef/v1';
const BASE = 'https://api.example/v2';

type Handlers = Parameters<typeof setupServer>;
function intercept(handlers: Handlers): void {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
}
async function start(options: HandlersOptions = {}) {
  const { handlers, simulator } = await createHandlers({ baseUrl: BASE, products: 60, ...options });
  intercept(handlers);
  return simulator;
}

test('requests below the base URL get the response of the simulator, which sees and judges them', async () => {
  const simulator = await start();
  expect(simulator.url).toBe(BASE);
  const { asOf } = (await (await fetch(`${BASE}${C}/allProducts`)).json()) as { asOf: string };
  expect(asOf).toBe('2026-11-14');
  expect(simulator.client()).toMatchObject({ conforms: true, requests: 1 });
  const wrong = await Promise.all([
    fetch(`${BASE}${C}/products/12345678901`),
    fetch(`${BASE}${C}/updateProducts?weeks=2`),
    fetch(`${BASE}${C}/allProducts`, { method: 'POST' }),
    fetch(`${BASE}${C}/product`),
  ]);
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 405, 404]);
  expect(simulator.client().findings).toHaveLength(4);
  expect(simulator.requests(`GET ${C}/updateProducts`)).toHaveLength(1);
  simulator.clock.advanceWeeks(1);
  expect(await (await fetch(`${BASE}${C}/allProducts`)).json()).toMatchObject({ asOf: '2026-11-21' });
  await simulator.reset();
  expect(simulator.requests()).toEqual([]);
});

test('a request beside the base URL is not handled', async () => {
  await start();
  await expect(fetch('https://api.example/v22/webservices/testService')).rejects.toMatchObject({
    cause: { message: expect.stringContaining('onUnhandledFrame') },
  });
});

test('the token URL of a profile and the address of a login are handled, wherever they are', async () => {
  const login = {
    scheme: 'login',
    request: { method: 'POST', url: 'https://login.example/session' },
    token: '$.token',
  };
  const oauth2 = { scheme: 'oauth2', tokenUrl: 'https://login.example/oauth/token', clientId: 'me', clientSecret: 's' };
  const profile = {
    name: 'mine',
    implements: ['C'],
    auth: { ...login, in: 'header', name: 'X-Session' },
    authFor: { C: oauth2 },
    operations: { [`GET ${C}/allProducts`]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc' } } } },
  } as ProfileInput;
  const simulator = await start({ profile });
  expect(simulator.loginUrls).toEqual([oauth2.tokenUrl, login.request.url]);
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers = { authorization: `Basic ${btoa('me:s')}` };
  const issued = await fetch(oauth2.tokenUrl, { method: 'POST', body: form, headers });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const list = await fetch(`${BASE}${C}/allProducts`, { headers: { authorization: `Bearer ${token}` } });
  const session = await fetch(login.request.url, { method: 'POST' });
  expect([issued.status, list.status, session.status]).toEqual([200, 200, 200]);
  expect(simulator.client().findings).toEqual([]);
  await fetch(`${BASE}/webservices/testService`);
  expect(simulator.client().findings).toMatchObject([
    { problem: { code: 'unknown-path', detail: 'the profile does not implement GET /webservices/testService' } },
  ]);
});

test('links in responses have the base URL', async () => {
  await start({ profile: 'hypermedia', products: 600 });
  const response = await fetch(`${BASE}${C}/updateProducts`, { headers: { 'X-Api-Key': 'lighthouse-27' } });
  expect(response.headers.get('link')).toContain(`<${BASE}${C}/updateProducts?`);
});

test('behaviors: an error, a delay, a reset connection and a cut body, also for node:https', async () => {
  const { behaviors } = await start();
  await behaviors.add({ response: { status: 503, headers: { 'Retry-After': '3' } } }, { times: 1 });
  const refused = await fetch(`${BASE}${C}/allProducts`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
  await behaviors.add({ resetConnection: true }, { times: 2 });
  await expect(fetch(`${BASE}${C}/allProducts`)).rejects.toThrow(TypeError);
  const failure = await new Promise((resolve) => https.get(`${BASE}${C}/allProducts`).on('error', resolve));
  expect(failure).toBeInstanceOf(Error);
  await behaviors.add({ latencyMs: 1 }, { times: 1 });
  expect((await fetch(`${BASE}${C}/allProducts`)).status).toBe(200);
  await behaviors.add({ truncateAfterBytes: 1000 }, { times: 1 });
  const cut = await fetch(`${BASE}${C}/allProducts`);
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow();
});

test('a client may cancel a body in place of reading it', async () => {
  const { behaviors } = await start();
  await behaviors.add({ response: { status: 503, body: 'busy' } }, { times: 1 });
  for (const status of [503, 200]) {
    const response = await fetch(`${BASE}${C}/allProducts`);
    expect(response.status).toBe(status);
    expect(await response.body?.cancel()).toBeUndefined();
  }
});

test('an oddity of connections is an error that says what to do', async () => {
  await start({ oddity: 'connection-of-three-requests' });
  const response = await fetch(`${BASE}/webservices/testService`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('send the request to the server of the simulator');
});

test('a profile file needs createSimulator, and the error says so', async () => {
  await expect(createHandlers({ profile: 'acme.yaml' })).rejects.toThrow(
    /"acme\.yaml" is not a bundled dialect \(reference.*handlersFor\(await createSimulator/,
  );
  const fields = { upc: '@.g' };
  const profile: ProfileInput = {
    name: 'mine',
    operations: { [`GET ${C}/allProducts`]: { response: { rows: '$.items', fields } } },
  };
  const simulator = await createSimulator({ baseUrl: BASE, products: 30, profile });
  intercept(handlersFor(simulator));
  const { simulator: other } = await createHandlers({ baseUrl: BASE, products: 30, profile });
  expect(await (await other.fetch(new Request(`${BASE}${C}/allProducts`))).json()).toHaveProperty('items.0.g');
  expect(await (await fetch(`${BASE}${C}/allProducts`)).json()).toHaveProperty('items.0.g', '042100000177');
});

test.each(['api.example', 'ftp://api.example', 'https://api.example?x=1'])('%s is no base URL', async (baseUrl) => {
  await expect(createHandlers({ baseUrl })).rejects.toThrow('is not a base URL');
});

// A dependency of @mswjs/data.
const { resolve } = createRequire(import.meta.url);
const msw2 = createRequire(resolve('@mswjs/data'));

test('a client of msw 2 may cancel a body in place of reading it', async () => {
  const { http } = msw2('msw');
  expect(msw2('msw/package.json').version).toMatch(/^2\./);
  const respond = () => cancellableResponse(new Response('busy', { status: 503, headers: { 'Retry-After': '3' } }));
  const server = msw2('msw/node').setupServer(http.all('https://api.example/*', respond));
  server.listen();
  onTestFinished(() => server.close());
  const response = await fetch('https://api.example/any');
  expect(await response.body?.cancel()).toBeUndefined();
  const other = await fetch('https://api.example/any');
  expect([other.status, other.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await Promise.all([other.clone().text(), other.text()])).toEqual(['busy', 'busy']);
});

test('a body that fails, fails in both branches, and a response without a body stays one', async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) });
  const response = cancellableResponse(new Response(failing));
  const clone = response.clone();
  await expect(response.text()).rejects.toThrow('cut');
  await expect(clone.text()).rejects.toThrow('cut');
  expect(cancellableResponse(new Response(null, { status: 204 })).body).toBeNull();
});
