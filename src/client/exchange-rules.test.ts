/** Redirects, Retry-After and credentials: what a source does with an answer before it hands it over. */
import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../exchange/types.ts';
import type { ClientAuth } from './credentials.ts';
import { get, type HostileServer, ok, openSource, startHostile } from './hostile-server.test.support.ts';

/** A server that answers by path; every other path is `ok`. */
async function serve(answers: Record<string, string | (() => string)> = {}): Promise<HostileServer> {
  const server = await startHostile((socket, request) => {
    const answer = answers[request.split(' ')[1] as string] ?? ok('arrived');
    socket.write(typeof answer === 'function' ? answer() : answer);
  });
  return server;
}

const status = (code: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${code} X`, ...headers, 'Content-Length: 0', '', ''].join('\r\n');
const lines = (server: HostileServer) => server.requests.map((each) => each.split(' HTTP')[0]);

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i is followed by GET and HEAD, and recorded', async (code) => {
    const server = await serve({ '/old': status(code, 'Location: /new?a=1#frag') });
    for (const method of ['GET', 'HEAD']) {
      const exchange = await openSource().send(get(`${server.base}/old`, { method }));
      expect(exchange.response?.status).toBe(200);
      expect(exchange.redirects).toEqual([{ status: code, from: `${server.base}/old`, to: `${server.base}/new?a=1` }]);
      expect(exchange.request.url).toBe(`${server.base}/old`);
      expect(lines(server).at(-1)).toBe(`${method} /new?a=1`);
    }
  });

  test('is followed by other methods only where the method is kept, with the body, or where 303 makes it a GET', async () => {
    const server = await serve({
      '/302': status(302, 'Location: /new'),
      '/303': status(303, 'Location: /new'),
      '/308': status(308, 'Location: /new'),
    });
    const post = { method: 'POST', headers: [['content-type', 'a/b']], body: Buffer.from('body') } as const;
    const source = openSource();
    expect((await source.send({ ...post, url: `${server.base}/302` })).response?.status).toBe(302);
    expect((await source.send({ ...post, url: `${server.base}/303` })).response?.status).toBe(200);
    expect(server.requests.at(-1)).toMatch(/^GET \/new (?![\s\S]*content-)/);
    expect((await source.send({ ...post, url: `${server.base}/308` })).response?.status).toBe(200);
    expect(server.requests.at(-1)).toMatch(/^POST \/new [\s\S]*content-type: a\/b[\s\S]*\r\n\r\nbody$/);
  });

  test('is the final response where it must not be followed, has no target, or repeats', async () => {
    const server = await serve({
      '/a': status(302, 'Location: /b'),
      '/b': status(302, 'Location: /a'),
      '/none': status(302),
      '/mail': status(302, 'Location: mailto:a@b'),
      '/bad': status(302, 'Location: http://'),
      '/300': status(300, 'Location: /b'),
    });
    const source = openSource();
    const seen: unknown[] = [];
    for (const path of ['/none', '/mail', '/bad', '/300', '/a']) {
      const { response, redirects } = await source.send(get(server.base + path));
      seen.push([path, response?.status, redirects.length]);
    }
    expect(seen).toEqual([
      ['/none', 302, 0],
      ['/mail', 302, 0],
      ['/bad', 302, 0],
      ['/300', 300, 0],
      ['/a', 302, 1],
    ]);
    const stay = await source.send(get(`${server.base}/a`, { follow: false }));
    expect([stay.response?.status, stay.redirects]).toEqual([302, []]);
  });

  test('chain ends at its limit', async () => {
    let hop = 0;
    const server = await startHostile((socket) => socket.write(status(302, `Location: /${++hop}`)));
    const exchange = await openSource({ maxRedirects: 3 }).send(get(server.base));
    expect([exchange.response?.status, exchange.redirects.length, server.requests.length]).toEqual([302, 3, 4]);
  });

  test('body does not reach the reader, the final one does, once', async () => {
    const server = await serve({ '/old': `HTTP/1.1 302 X\r\nLocation: /new\r\nContent-Length: 4\r\n\r\nmove` });
    const seen: number[] = [];
    await openSource().send(get(`${server.base}/old`), async (head) => {
      seen.push(head.status);
    });
    expect(seen).toEqual([200]);
  });

  const auth: ClientAuth[] = [
    { scheme: 'bearer', token: 'tok-secret' },
    { scheme: 'apiKey', in: 'query', name: 'key', value: 'key secret' },
    { scheme: 'headers', headers: { 'X-Tenant-Key': 'tenant-secret' } },
  ];

  test('to another origin has no credentials, and none after a redirect back', async () => {
    const home = await serve({ '/out?key=key%20secret': () => status(307, `Location: ${foreign.base}/x`) });
    const foreign: HostileServer = await serve({ '/x': () => status(307, `Location: ${home.base}/back`) });
    const headers = [
      ['Accept', 'a/b'],
      ['Cookie', 'sid=cookie-secret'],
      ['X-Profile', 'profile-secret'],
    ] as const;
    const exchange = await openSource({ auth }).send(get(`${home.base}/out`, { headers }));
    expect([exchange.response?.status, exchange.redirects.length]).toEqual([200, 2]);
    expect(home.requests[0]).toMatch(/tok-secret[\s\S]*tenant-secret/);
    expect(foreign.requests[0]).toMatch(/^GET \/x [\s\S]*Accept: a\/b/);
    expect(lines(home)[1]).toBe('GET /back');
    expect(foreign.requests.join() + home.requests[1]).not.toContain('secret');
  });

  test('within the origin keeps the credentials', async () => {
    const server = await serve({ '/in?key=key%20secret': status(302, 'Location: /there') });
    await openSource({ auth }).send(get(`${server.base}/in`));
    expect(server.requests[1]).toMatch(/^GET \/there\?key=key%20secret [\s\S]*Bearer tok-secret/);
  });
});

describe('a repeat after a delay', () => {
  const busy = (code: number, times: number, ...headers: string[]) => {
    let left = times;
    return () => (left-- > 0 ? status(code, ...headers) : ok('at last'));
  };

  test('is sent once the server asked for, and its response alone is read', async () => {
    const server = await serve({ '/': busy(429, 1, 'Retry-After: 1') });
    const seen: number[] = [];
    const waits: number[] = [];
    const wait = async (ms: number) => waits.push(ms);
    const exchange = await openSource({ wait }).send(get(`${server.base}/`), async (head) => {
      seen.push(head.status);
    });
    expect([exchange.response?.status, seen, server.requests.length]).toEqual([200, [200], 2]);
    expect(waits).toEqual([1000]);
  });

  test('takes real time', async () => {
    const server = await serve({ '/': busy(429, 1, 'X: y') });
    const began = performance.now();
    expect((await openSource().send(get(`${server.base}/`))).response?.status).toBe(200);
    // A timer may fire a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(498);
  });

  test('ends after three tries, and where the wait is too long: the final response is then the refusal', async () => {
    const server = await serve({ '/': busy(429, 9, 'Retry-After: 0'), '/long': busy(503, 9, 'Retry-After: 60') });
    const source = openSource();
    const seen: number[] = [];
    const note = async (head: { status: number }) => {
      seen.push(head.status);
    };
    expect((await source.send(get(`${server.base}/`), note)).response?.status).toBe(429);
    expect(server.requests.length).toBe(3);
    expect((await source.send(get(`${server.base}/long`), note)).response?.status).toBe(503);
    expect([server.requests.length, seen]).toEqual([4, [429, 503]]);
  });
});

describe('credentials', () => {
  test.each<[string, ClientAuth, RegExp, string[]]>([
    ['none', { scheme: 'none' }, /^GET \/p HTTP/, []],
    ['apiKey header', { scheme: 'apiKey', in: 'header', name: 'X-Key', value: 'k' }, /\r\nX-Key: k\r\n/, ['X-Key']],
    ['apiKey query', { scheme: 'apiKey', in: 'query', name: 'a b', value: '&' }, /^GET \/p\?a%20b=%26 HTTP/, []],
    [
      'basic',
      { scheme: 'basic', username: 'Al', password: 'ö' },
      /\r\nauthorization: Basic QWw6w7Y=\r\n/,
      ['authorization'],
    ],
    ['bearer', { scheme: 'bearer', token: 't' }, /\r\nauthorization: Bearer t\r\n/, ['authorization']],
    ['headers', { scheme: 'headers', headers: { A: '1', B: '2' } }, /\r\nA: 1\r\nB: 2\r\n/, ['A', 'B']],
  ])('%s: sent, masked in what is shown, left off anonymous requests', async (_, scheme, sent, masked) => {
    const server = await serve();
    const told: WireRequest[] = [];
    const source = openSource({ auth: [scheme], onRequest: (request) => told.push(request) });
    const exchange = await source.send(get(`${server.base}/p`, { headers: [['Accept', 'x']] }));
    expect(server.requests[0]).toMatch(sent);
    expect(exchange.request).toEqual(
      get(`${server.base}/p`, { headers: [['Accept', 'x'], ...masked.map((name): [string, string] => [name, '***'])] }),
    );
    expect(told).toEqual([exchange.request]);
    const bare = await source.send(get(`${server.base}/p`, { anonymous: true }));
    expect(server.requests[1]).toMatch(/^GET \/p HTTP\/1.1\r\nhost: [\d.:]+\r\nconnection: keep-alive\r\n\r\n$/);
    expect(bare.request.headers).toEqual([]);
  });

  test('replace a line of the same name', async () => {
    const server = await serve();
    await openSource({ auth: [{ scheme: 'bearer', token: 't' }] }).send(
      get(server.base, { headers: [['Authorization', 'old']] }),
    );
    expect(server.requests[0]?.match(/authorization: .*/gi)).toEqual(['authorization: Bearer t']);
  });
});
