import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WireRequest } from '../../exchange/types.ts';
import type { LiveOptions } from '../live-source.ts';
import type { App, FetchHandler } from './app.ts';
import { APP_ORIGIN, createAppSource } from './app-source.ts';

/** Sends one request to an app; the text is the body as received. */
async function send(app: App, request: Partial<WireRequest> = {}, options: LiveOptions = { timeoutMs: 5000 }) {
  const source = createAppSource(app, options);
  try {
    const exchange = await source.send({ method: 'GET', url: `${APP_ORIGIN}/a`, headers: [], ...request });
    const chunks: Uint8Array[] = [];
    for await (const chunk of exchange.body.chunks()) chunks.push(chunk);
    return { ...exchange, text: Buffer.concat(chunks).toString() };
  } finally {
    await source.close();
  }
}

const json = { 'content-type': 'application/json' };

describe.each<[string, App]>([
  [
    'a listener',
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        response.writeHead(201, json);
        response.end(JSON.stringify({ method, url, key: headers['x-key'], body: Buffer.concat(chunks).toString() }));
      });
    },
  ],
  [
    'a fetch handler',
    async (request: Request) => {
      const { method, url, headers } = request;
      const seen = { method, url: url.slice(APP_ORIGIN.length), key: headers.get('x-key'), body: await request.text() };
      return Response.json(seen, { status: 201 });
    },
  ],
  [
    'an object with fetch',
    {
      async fetch(request: Request) {
        const { method, url, headers } = request;
        const seen = {
          method,
          url: url.slice(APP_ORIGIN.length),
          key: headers.get('x-key'),
          body: await request.text(),
        };
        return Response.json(seen, { status: 201 });
      },
    },
  ],
])('%s', (_, app) => {
  test('gets method, target, headers and body', async () => {
    const { response, text, failure } = await send(app, {
      method: 'POST',
      url: `${APP_ORIGIN}/webservices/drive?a=%20b&c=d`,
      headers: [['x-key', 'k']],
      body: Buffer.from('{"x":1}'),
    });
    expect(failure).toBeUndefined();
    expect(response?.status).toBe(201);
    const seen = { method: 'POST', url: '/webservices/drive?a=%20b&c=d', key: 'k', body: '{"x":1}' };
    expect(JSON.parse(text)).toEqual(seen);
  });

  test('gets many requests on one source', async () => {
    const source = createAppSource(app, {});
    onTestFinished(() => source.close());
    const urls = Array.from({ length: 30 }, (_, at) => `${APP_ORIGIN}/webservices/${at}`);
    const statuses = [];
    for (const url of urls) statuses.push((await source.send({ method: 'GET', url, headers: [] })).response?.status);
    expect(statuses).toEqual(urls.map(() => 201));
  });
});

const MIB = 1 << 20;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

test.each<[string, App]>([
  [
    'a listener',
    async (_request, response) => {
      for (let at = 0; at < 256; at++) if (!response.write(CHUNK)) await once(response, 'drain');
      response.end();
    },
  ],
  [
    'a fetch handler',
    () => {
      let left = 256;
      return new Response(
        new ReadableStream({
          pull(controller) {
            if (left-- > 0) controller.enqueue(new Uint8Array(CHUNK));
            else controller.close();
          },
        }),
      );
    },
  ],
])('a body that %s streams arrives whole', async (_, app) => {
  const { body, failure } = await send(app);
  expect({ bytes: body.bytes, failure }).toEqual({ bytes: 16 * MIB, failure: undefined });
});

test('a slow reader stops the writer: what the app wrote stays near what was read', async () => {
  let written = 0;
  let furthest = 0;
  const app: RequestListener = async (_request, response) => {
    for (let at = 0; at < 256; at++) {
      written += CHUNK.length;
      if (!response.write(CHUNK)) await once(response, 'drain');
    }
    response.end();
  };
  const source = createAppSource(app, {});
  onTestFinished(() => source.close());
  let read = 0;
  await source.send({ method: 'GET', url: `${APP_ORIGIN}/`, headers: [] }, async (_head, chunks) => {
    for await (const chunk of chunks) {
      read += chunk.length;
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      furthest = Math.max(furthest, written - read);
    }
  });
  expect(read).toBe(16 * MIB);
  expect(furthest).toBeLessThan(MIB);
});

const oops = () => {
  throw new RangeError('no such thing');
};
const part = '{"rows":[';
test.each<[string, App, RegExp]>([
  ['a listener that throws', (_request, _response) => oops(), /the app threw RangeError: no such thing/],
  ['a listener that rejects', async (_request, _response) => oops(), /the app threw RangeError: no such thing/],
  [
    'a listener that throws within its body',
    (_request, response) => {
      response.write(part);
      setImmediate(() => response.destroy(new RangeError('no such thing')));
    },
    /the app threw RangeError: no such thing/,
  ],
  ['a fetch handler that throws', () => oops(), /the app threw RangeError: no such thing/],
  ['a fetch handler that rejects', async () => oops(), /the app threw RangeError: no such thing/],
  [
    'a fetch handler whose body fails',
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(part)),
          pull: () => oops(),
        }),
      ),
    /the app threw RangeError: no such thing/,
  ],
  [
    'a fetch handler without a Response',
    (() => undefined) as unknown as FetchHandler,
    /the app returned nothing in place/,
  ],
  ['a network error', () => Response.error(), /the app returned a Response with status 0/],
  [
    'a fetch handler with two parameters',
    ((_request: Request, _env: unknown) => Promise.resolve(new Response('{}'))) as unknown as App,
    /pass it as \{ fetch: app \}/,
  ],
  [
    'a body of texts',
    () => new Response(new ReadableStream({ start: (controller) => controller.enqueue('text' as never) })),
    /is not a Uint8Array/,
  ],
])('%s is a failure of the exchange', async (_, app, says) => {
  const { failure } = await send(app);
  expect(failure?.message).toMatch(says);
});

test('an app that never responds is a time-out', async () => {
  const { failure } = await send((_request, _response) => undefined, {}, { timeoutMs: 50 });
  expect(failure?.kind).toBe('timeout');
});

test('an interrupted client aborts the signal of the Request, and closes the request of a listener', async () => {
  for (const kind of ['fetch', 'listener']) {
    const stop = new AbortController();
    let aborted: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const app: App =
      kind === 'fetch'
        ? (request: Request) => {
            request.signal.addEventListener('abort', aborted);
            stop.abort();
            return new Promise<Response>(() => undefined);
          }
        : (request, _response) => {
            request.once('close', aborted);
            stop.abort();
          };
    const { failure } = await send(app, {}, { signal: stop.signal });
    expect(failure?.kind).toBe('stopped');
    await seen;
  }
});

test('the headers of a fetch handler arrive as they are: several cookies, a coding, no date', async () => {
  const app = () => {
    const headers = new Headers({ 'content-encoding': 'gzip', connection: 'x-own', 'x-own': '1' });
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    return new Response(new Uint8Array(gzipSync('{}')), { status: 202, statusText: 'Taken', headers });
  };
  const { response } = await send(app);
  expect(response).toMatchObject({ status: 202, reasonPhrase: 'Taken' });
  const names = response?.headers
    .map(([name]) => name)
    .filter((name) => !/^(connection|transfer-encoding)$/i.test(name));
  expect(names).toEqual(['content-encoding', 'set-cookie', 'set-cookie']);
});

test('a Content-Length that differs from the body truncates it', async () => {
  const app = () => new Response('{}', { headers: { 'content-length': '99' } });
  expect((await send(app)).failure?.kind).toBe('truncated');
  expect((await send(() => new Response('{}', { headers: { 'content-length': '2' } }))).failure).toBeUndefined();
});

test('interim responses and redirects work, and a HEAD has no body', async () => {
  const app: RequestListener = (request, response) => {
    if (request.url === '/a') response.writeHead(307, { location: '/b' }).end();
    else {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.end('{}');
    }
  };
  const { redirects, text } = await send(app);
  expect({ redirects: redirects.length, text }).toEqual({ redirects: 1, text: '{}' });
  const head = await send(() => new Response('{}'), { method: 'HEAD' });
  expect([head.response?.status, head.body.bytes, head.failure]).toEqual([200, 0, undefined]);
});
