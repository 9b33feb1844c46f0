import { readdir, stat } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { BodyConsumer, Exchange, WireRequest } from '../exchange/types.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import { get, ok, openSource, startHostile } from './hostile-server.test.support.ts';
import { createLiveSource, type LiveOptions } from './live-source.ts';

async function textOf(exchange: Exchange): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of exchange.body.chunks()) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}

describe('a response', () => {
  test('is returned whole: status, reason, header lines in wire order with duplicates and their case, body', async () => {
    const server = await startHostile((socket) =>
      socket.write(ok('hello', 'X-One: 1', 'Set-Cookie: a', 'x-one: 2', 'Set-Cookie: b')),
    );
    const exchange = await openSource().send(get(`${server.base}/x`));
    expect(exchange.failure).toBeUndefined();
    expect(exchange.response).toEqual({
      status: 200,
      reasonPhrase: 'OK',
      headers: [
        ['X-One', '1'],
        ['Set-Cookie', 'a'],
        ['x-one', '2'],
        ['Set-Cookie', 'b'],
        ['Content-Length', '5'],
      ],
    });
    expect(await textOf(exchange)).toBe('hello');
    expect(await textOf(exchange)).toBe('hello');
    expect(exchange.timing.firstByteMs).toBeLessThanOrEqual(exchange.timing.totalMs);
  });

  test('is delivered compressed as received', async () => {
    const server = await startHostile((socket) => socket.write(ok('not gzip at all', 'Content-Encoding: gzip')));
    expect(await textOf(await openSource().send(get(server.base)))).toBe('not gzip at all');
  });

  test('may follow any number of interim responses, requested or not, split anywhere', async () => {
    const interim = [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n',
      'HTTP/1.1 100 Continue\r\nA: b\r\n\r\n',
    ].join('');
    const server = await startHostile(async (socket, request) => {
      if (request.startsWith('POST')) socket.write(interim + ok('done'));
      else
        for (const part of (interim + ok('done')).match(/[\s\S]{1,7}/g) ?? []) {
          socket.write(part);
          await sleep(2);
        }
    });
    const source = openSource();
    expect(await textOf(await source.send(get(`${server.base}/a`)))).toBe('done');
    expect(await textOf(await source.send(get(`${server.base}/b`)))).toBe('done');
    const posted = await source.send({ method: 'POST', url: server.base, headers: [], body: Buffer.from('{}') });
    expect(await textOf(posted)).toBe('done');
  });

  test('to HEAD, 204 and 304 has no body, whatever Content-Length says', async () => {
    const server = await startHostile((socket, request) => {
      if (request.startsWith('HEAD')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n');
      else if (request.includes('/304')) socket.write('HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n');
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const source = openSource();
    for (const request of [
      get(server.base, { method: 'HEAD' }),
      get(`${server.base}/304`),
      get(`${server.base}/204`),
    ]) {
      const exchange = await source.send(request);
      expect(exchange.failure).toBeUndefined();
      expect(exchange.body.bytes).toBe(0);
    }
  });

  test('is read from servers that close after each response, with a length or without', async () => {
    const server = await startHostile((socket, _, nth) =>
      socket.end(nth % 2 ? 'HTTP/1.0 200 OK\r\n\r\nto the end' : ok('framed', 'Connection: close')),
    );
    const source = openSource();
    const texts: string[] = [];
    for (let nth = 0; nth < 4; nth++) texts.push(await textOf(await source.send(get(server.base))));
    expect(texts).toEqual(['framed', 'to the end', 'framed', 'to the end']);
    expect(server.connections()).toBe(4);
  });

  test('may take longer than the time-out, as long as bytes arrive', async () => {
    const timeoutMs = 1000;
    let longestPauseMs = 0;
    const server = await startHostile(async (socket) => {
      longestPauseMs = 0;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n');
      for (const letter of 'trickled') {
        const began = performance.now();
        await sleep(200);
        longestPauseMs = Math.max(longestPauseMs, performance.now() - began);
        socket.write(letter);
      }
    });
    let exchange: Exchange;
    // A busy machine may make a pause longer than the time-out: such an answer proves nothing.
    do exchange = await openSource({ timeoutMs }).send(get(server.base));
    while (longestPauseMs > timeoutMs / 2);
    expect([exchange.failure, await textOf(exchange)]).toEqual([undefined, 'trickled']);
    expect(exchange.timing.totalMs).toBeGreaterThan(timeoutMs);
  });

  test('belongs to its request when many are sent at once', async () => {
    const server = await startHostile(
      (socket, request) => void sleep(Math.random() * 30).then(() => socket.write(ok(request.split(' ')[1] as string))),
    );
    const source = openSource();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => source.send(get(`${server.base}/${n}`)).then(textOf)),
    );
    expect(answers).toEqual(Array.from({ length: 40 }, (_, n) => `/${n}`));
  });
});

describe('a request', () => {
  test.each([
    '/%00',
    '/%0A',
    '/%EF%BC%91',
    '/a+b',
    '/a%20b',
    '/x/..%2fy',
    '/a/../b/./c',
    '//double//',
    "/'(!)*~;=:@",
    '/p?q=%zz&r=a b'.replace(' ', '+'),
    '/p?',
    '/?a=[1]|{2}',
  ])('goes out byte for byte: %s', async (path) => {
    const server = await startHostile((socket) => socket.write(ok('')));
    await openSource().send(get(server.base + path));
    expect(server.requests[0]?.split('\r\n')[0]).toBe(`GET ${path} HTTP/1.1`);
  });

  test('keeps its method token, header lines with duplicates, and body bytes', async () => {
    const server = await startHostile((socket) => socket.write(ok('')));
    const source = openSource();
    await source.send({
      method: 'BREW',
      url: server.base,
      headers: [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      body: Buffer.from('é', 'latin1'),
    });
    expect(server.requests[0]).toMatch(/^BREW \/ HTTP\/1.1\r\n[\s\S]*X-A: 1\r\nX-A: 2\r\n[\s\S]*\r\n\r\né$/);
    await source.send({ method: 'POST', url: server.base, headers: [] });
    expect(server.requests[1]).toMatch(/content-length: 0\r\n/i);
  });

  test('that cannot be written is an internal error and rejects', async () => {
    await expect(openSource().send(get('http://127.0.0.1:9/a b'))).rejects.toThrow('invalid request path');
    await expect(openSource().send(get('http://127.0.0.1:9/', { headers: [['a b', 'c']] }))).rejects.toThrow(
      'invalid header',
    );
  });
});

describe('a failure', () => {
  const failing = async (
    answer: Parameters<typeof startHostile>[0],
    options: LiveOptions = {},
    request: Partial<WireRequest> = {},
    consume?: BodyConsumer,
  ) => {
    const server = await startHostile(answer);
    const exchange = await openSource(options).send(get(`${server.base}/p?key=s3cret`, request), consume);
    expect(exchange.failure?.message).toMatch(/^[A-Z]+ http:\/\/127\.0\.0\.1:\d+\/p: /);
    expect(exchange.failure?.message).not.toContain('s3cret');
    return { server, exchange, kind: exchange.failure?.kind };
  };

  test('of connecting: nothing listens, no such host', async () => {
    const source = openSource();
    expect((await source.send(get('http://127.0.0.1:9'))).failure?.kind).toBe('refused');
    expect((await source.send(get('http://no-such-host.invalid/'))).failure?.kind).toBe('dns');
    expect((await source.send(get('https://127.0.0.1:9'))).failure?.kind).toBe('refused');
  });

  test('of TLS: the port serves plain HTTP, or closes during the handshake', async () => {
    const plain = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const mute = createServer((socket) => socket.once('data', () => socket.destroy()));
    for (const each of [plain, mute]) {
      const url = (await listen(each)).replace('http', 'https');
      expect((await openSource().send(get(url))).failure?.kind).toBe('tls');
    }
  });

  test('reset: a close or reset before the response on a new connection is reported and not repeated', async () => {
    for (const answer of [
      (s: { destroy(): unknown }) => s.destroy(),
      (s: { resetAndDestroy(): unknown }) => s.resetAndDestroy(),
    ]) {
      const { kind, server } = await failing(answer as never);
      expect([kind, server.requests.length]).toEqual(['reset', 1]);
    }
  });

  test('truncated: a short Content-Length body, closed or reset', async () => {
    for (const end of ['end', 'resetAndDestroy', 'destroy'] as const) {
      for (const connection of ['close', 'keep-alive']) {
        const arrived = Promise.withResolvers<void>();
        const { kind, exchange } = await failing(
          (socket) => {
            socket.write(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Length: 100\r\n\r\nonly this`);
            // A reset drops what the client has not yet read.
            void arrived.promise.then(() => socket[end]());
          },
          {},
          {},
          async (_, chunks) => {
            for await (const _chunk of chunks) arrived.resolve();
          },
        );
        expect([end, connection, kind, exchange.response?.status, await textOf(exchange)]).toEqual([
          end,
          connection,
          'truncated',
          200,
          'only this',
        ]);
      }
    }
  });

  test('truncated: a chunked body without its last chunk', async () => {
    for (const connection of ['close', 'keep-alive']) {
      const { kind, exchange } = await failing((socket) => {
        socket.end(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`);
      });
      expect([kind, await textOf(exchange)]).toEqual(['truncated', 'abcde']);
    }
  });

  test('protocol: garbage in place of HTTP, a broken chunk, an unexpected upgrade, endless headers', async () => {
    const answers = [
      'SSH-2.0-OpenSSH_9.6\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcde\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      `HTTP/1.1 200 OK\r\n${`x-${'a'.repeat(1000)}: b\r\n`.repeat(400)}\r\n`,
    ];
    for (const answer of answers) {
      const { kind } = await failing((socket) => socket.write(answer));
      expect([answer.slice(0, 40), kind]).toEqual([answer.slice(0, 40), 'protocol']);
    }
  });

  test('timeout: no response, half a head, a body that stalls, a response that takes too long', async () => {
    const cases = await Promise.all([
      failing(() => undefined, { timeoutMs: 300 }),
      failing((socket) => socket.write('HTTP/1.1 200 OK\r\nX-A'), { timeoutMs: 300 }),
      failing((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'), { timeoutMs: 2000 }),
      failing(
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          const timer = setInterval(() => socket.write('x'), 50);
          socket.on('close', () => clearInterval(timer));
        },
        { timeoutMs: 60_000, totalMs: 2000 },
      ),
    ]);
    expect(cases.map((each) => each.kind)).toEqual(['timeout', 'timeout', 'timeout', 'timeout']);
    expect(cases.map((each) => each.exchange.response?.status)).toEqual([undefined, undefined, 200, 200]);
  });

  test('a wrong Content-Length that is too short ends the body there and does not affect the next response', async () => {
    const server = await startHostile((socket, _, nth) =>
      socket.write(nth ? ok('second') : 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdefgh'),
    );
    const source = openSource();
    expect(await textOf(await source.send(get(server.base)))).toBe('abc');
    const next = await source.send(get(server.base));
    expect([next.failure, await textOf(next)]).toEqual([undefined, 'second']);
  });
});

/** undici takes a connection up again only after a turn of the event loop. */
const idle = () => sleep(20);

describe('a reused connection', () => {
  test('may close during a GET without a failure: the request is repeated on a new one', async () => {
    const server = await startHostile((socket, _, nth) => (nth === 1 ? socket.destroy() : socket.write(ok(`${nth}`))));
    const source = openSource();
    expect(await textOf(await source.send(get(server.base)))).toBe('0');
    await idle();
    const raced = await source.send(get(server.base));
    expect([raced.failure, await textOf(raced)]).toEqual([undefined, '2']);
    expect(server.connections()).toBe(2);
  });

  test('that breaks again when repeated is reported', async () => {
    const server = await startHostile((socket, _, nth) => (nth === 0 ? socket.write(ok('')) : socket.destroy()));
    const source = openSource();
    await source.send(get(server.base));
    await idle();
    expect((await source.send(get(server.base))).failure?.kind).toBe('reset');
    expect(server.requests.length).toBe(3);
  });

  const post = (base: string) => ({ method: 'POST', url: base, headers: [], body: Buffer.from('{}') });

  test('is not used for a request that may change something, whose connection the next request reuses', async () => {
    const server = await startHostile((socket) => socket.write(ok('')));
    const source = openSource();
    await source.send(get(server.base));
    await idle();
    for (let nth = 0; nth < 2; nth++) await source.send(post(server.base));
    await idle();
    await source.send(get(server.base));
    expect(server.connections()).toBe(3);
  });

  test('is used for a POST that changes nothing, which is repeated on a new one if the connection closes', async () => {
    const server = await startHostile((socket, _, nth) => (nth === 2 ? socket.destroy() : socket.write(ok(`${nth}`))));
    const source = openSource();
    for (const expected of ['0', '1', '3', '4']) {
      const { failure, ...sent } = await source.send({ ...post(server.base), safe: true });
      expect([failure, await textOf(sent)]).toEqual([undefined, expected]);
      await idle();
    }
    expect(server.connections()).toBe(2);
  });

  test('that closes during a request that may change something is reported, and nothing is sent again', async () => {
    const server = await startHostile((socket, _, nth) => (nth === 1 ? socket.destroy() : socket.write(ok(''))));
    const source = openSource();
    await source.send(post(server.base));
    await idle();
    expect((await source.send(post(server.base))).failure?.kind).toBe('reset');
    expect(server.requests.length).toBe(2);
  });

  /** A server that handles one connection at a time, and keeps it as long as the client does. */
  async function serveOneAtATime(answer: RequestListener) {
    const waiting: Socket[] = [];
    let [current, connections]: [Socket | undefined, number] = [undefined, 0];
    const http = createHttpServer(answer);
    // Sent as Keep-Alive: timeout=600, as long as the client may keep it.
    http.keepAliveTimeout = 600_000;
    const handleNext = (): void => {
      current = waiting.shift();
      current?.once('close', handleNext);
      if (current) http.emit('connection', current);
    };
    const server = createServer((socket) => {
      connections += 1;
      waiting.push(socket);
      if (!current) handleNext();
    });
    return { url: await listen(server), connections: () => connections };
  }

  test('does not keep a server that handles one connection at a time from the next request', async () => {
    const { url, connections } = await serveOneAtATime((_, response) => response.end('ok'));
    const source = openSource();
    for (const method of ['GET', 'GET', 'GET', 'POST', 'GET', 'POST', 'POST', 'GET'])
      expect((await source.send({ ...get(url), method })).failure).toBeUndefined();
    expect(connections()).toBe(4);
  });

  test('does not keep such a server from the renewal of a token', async () => {
    let issued = 0;
    const { url } = await serveOneAtATime(({ method, headers }, response) => {
      if (method === 'POST') response.end(`{"access_token":"tok-${++issued}"}`);
      else response.writeHead(headers.authorization === 'Bearer tok-1' ? 401 : 200).end();
    });
    const source = openSource({ auth: [{ scheme: 'oauth2', tokenUrl: url, clientId: 'me', clientSecret: 's' }] });
    expect((await source.send(get(url))).response?.status).toBe(200);
    expect(issued).toBe(2);
  });
});

describe('a consumer', () => {
  const big = 'x'.repeat(300_000);
  const collect =
    (into: Uint8Array[]): BodyConsumer =>
    async (_, chunks) => {
      for await (const chunk of chunks) into.push(Buffer.from(chunk));
    };

  test('gets the same bytes that are captured', async () => {
    const server = await startHostile((socket) => socket.write(ok(big)));
    const parts: Uint8Array[] = [];
    const exchange = await openSource({ memoryBytes: 1000 }).send(get(server.base), collect(parts));
    expect(Buffer.concat(parts).toString()).toBe(big);
    expect(await textOf(exchange)).toBe(big);
  });

  test('may stop early, or read nothing: the rest is still captured', async () => {
    const server = await startHostile((socket) => socket.write(ok(big)));
    const source = openSource();
    const early = await source.send(get(server.base), async (_, chunks) => {
      for await (const _chunk of chunks) break;
    });
    expect(await textOf(early)).toBe(big);
    expect((await source.send(get(server.base), async () => undefined)).body.bytes).toBe(big.length);
  });

  test('that throws is an internal error: it propagates, and the source still works', async () => {
    const server = await startHostile((socket) => socket.write(ok(big)));
    const source = openSource();
    await expect(
      source.send(get(server.base), async () => {
        throw new Error('ours');
      }),
    ).rejects.toThrow('ours');
    expect((await source.send(get(server.base))).body.bytes).toBe(big.length);
  });

  test('that is slow slows the server down', async () => {
    let written = 0;
    const server = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n');
      const chunk = Buffer.alloc(1 << 20);
      const more = () => {
        while (written++ < 100 && socket.write(chunk));
      };
      socket.on('drain', more);
      more();
    });
    let seen = -1;
    const exchange = await openSource().send(get(server.base), async (_, chunks) => {
      for await (const _chunk of chunks) {
        await sleep(600);
        seen = written;
        break;
      }
    });
    expect(seen).toBeLessThan(30);
    expect(exchange.body.bytes).toBe(100 << 20);
  });

  test('receives an end, not an error, where the body is truncated', async () => {
    const server = await startHostile((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'));
    const parts: Uint8Array[] = [];
    const exchange = await openSource().send(get(server.base), collect(parts));
    expect([Buffer.concat(parts).toString(), exchange.failure?.kind]).toEqual(['abc', 'truncated']);
  });
});

describe('limits', () => {
  test('a large body goes to a private file that close() removes', async () => {
    const folder = newFolder();
    const server = await startHostile((socket) => socket.write(ok('y'.repeat(5000))));
    const source = createLiveSource({ bodiesParent: folder, memoryBytes: 1000 });
    const exchange = await source.send(get(server.base));
    const [inner = ''] = await readdir(folder);
    const [file = ''] = await readdir(join(folder, inner));
    expect((await stat(join(folder, inner, file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, inner))).mode & 0o777).toBe(0o700);
    expect(Buffer.from(await exchange.body.firstBytes(3)).toString()).toBe('yyy');
    await source.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('an endless body is truncated at the limit, in bounded memory', async () => {
    let closed = false;
    const server = await startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n');
      const chunk = Buffer.alloc(1 << 18, 'z');
      const more = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', more).on('close', () => {
        closed = true;
      });
      more();
    });
    const before = process.memoryUsage().rss;
    const exchange = await openSource({ maxBodyBytes: (64 << 20) + 7 }).send(get(server.base));
    expect(exchange.failure?.kind).toBe('tooLarge');
    expect(exchange.body.bytes).toBe((64 << 20) + 7);
    expect(process.memoryUsage().rss - before).toBeLessThan(160 << 20);
    await expect.poll(() => closed).toBe(true);
  });

  test('a body of exactly the limit is complete', async () => {
    const server = await startHostile((socket) => socket.write(ok('12345')));
    const exchange = await openSource({ maxBodyBytes: 5 }).send(get(server.base));
    expect([exchange.failure, exchange.body.bytes]).toEqual([undefined, 5]);
  });

  test('after the budget nothing more is sent', async () => {
    const server = await startHostile((socket) => socket.write(ok('')));
    const source = openSource({ maxRequests: 2 });
    const kinds = [];
    for (let nth = 0; nth < 3; nth++) kinds.push((await source.send(get(server.base))).failure?.kind);
    expect([kinds, server.requests.length]).toEqual([[undefined, undefined, 'budget'], 2]);
  });

  test('a body that is too slow is aborted; one that pauses and then streams is not', async () => {
    const server = await startHostile((socket, request) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      if (request.startsWith('GET /pause')) return void setTimeout(() => socket.write(`5\r\n12345\r\n0\r\n\r\n`), 300);
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 10);
      socket.on('close', () => clearInterval(timer));
    });
    const slow = await openSource({ minBytesPerSecond: 100_000, rateWindowMs: 100 }).send(get(server.base));
    expect(slow.failure?.kind).toBe('tooSlow');
    expect(slow.failure?.message).toMatch(
      /too slowly: lower limits\.minBytesPerSecond.* bytes in \d+ ms, where the minimum is 10000/,
    );
    const paused = await openSource({ minBytesPerSecond: 10, rateWindowMs: 200 }).send(get(`${server.base}/pause`));
    expect([paused.failure, await textOf(paused)]).toEqual([undefined, '12345']);
  });

  test('the rate of a body is measured for the server, not for the reader', async () => {
    const server = await startHostile((socket) => socket.write(ok('12345')));
    const source = openSource({ minBytesPerSecond: 1e9, rateWindowMs: 1000 });
    const exchange = await source.send(get(server.base), async (_, chunks) => {
      for await (const _chunk of chunks) await sleep(1100);
    });
    expect(exchange.failure).toBeUndefined();
  });

  test.each(['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
    'a head that drips has an end: %j',
    async (begins) => {
      const server = await startHostile((socket) => {
        socket.write(begins);
        const timer = setInterval(() => socket.write(begins.includes('103') ? begins : 'X: y\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      });
      expect((await openSource({ timeoutMs: 300 }).send(get(server.base))).failure?.kind).toBe('timeout');
    },
  );

  test('the budget counts every request on the wire: redirects, repeats and those for a token', async () => {
    let token = 0;
    const server = await startHostile((socket, request) => {
      const [method, path] = request.split(' ');
      if (method === 'POST') socket.write(ok(`{"access_token":"t${++token}","expires_in":0.002}`));
      else if (path === '/old') socket.write('HTTP/1.1 302 X\r\nLocation: /busy\r\nContent-Length: 0\r\n\r\n');
      else socket.write('HTTP/1.1 503 X\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n');
    });
    const auth = [{ scheme: 'oauth2', tokenUrl: `${server.base}/token`, clientId: 'me', clientSecret: 's' } as const];
    for (let maxRequests = 1; maxRequests <= 8; maxRequests++) {
      const before = server.requests.length;
      const source = openSource({ maxRequests, auth, stopAfterRefusals: 100 });
      for (let nth = 0; nth < 4; nth++) await source.send(get(`${server.base}/old`));
      expect(server.requests.length - before).toBe(maxRequests);
    }
  });

  test('after consecutive refusals nothing more is sent; another response resets the count', async () => {
    const statuses = [401, 403, 200, 500, 401, 503];
    const server = await startHostile((socket, _, nth) =>
      socket.write(`HTTP/1.1 ${statuses[nth]} X\r\nContent-Length: 0\r\n\r\n`),
    );
    const source = openSource({ stopAfterRefusals: 3 });
    const seen = [];
    for (let nth = 0; nth < 8; nth++) {
      const { response, failure } = await source.send(get(server.base));
      seen.push(response?.status ?? failure?.kind);
    }
    expect(seen).toEqual([...statuses, 'stopped', 'stopped']);
    expect(server.requests.length).toBe(6);
  });

  test('expected refusals are not counted, such as those of requests with invented credentials', async () => {
    const server = await startHostile((socket) => socket.write('HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n'));
    const auth = [{ scheme: 'bearer', token: 'T-41' }] as const;
    const source = openSource({ auth, stopAfterRefusals: 2 });
    for (const more of [{ anonymous: true }, { invalidCredentials: true }, { invalidCredentials: true }])
      await source.send(get(server.base, { ...more, mayBeDenied: true }));
    for (let nth = 0; nth < 3; nth++) await source.send(get(server.base));
    expect(server.requests.map((request) => /authorization: (.*)/.exec(request)?.[1])).toEqual([
      undefined,
      'Bearer A-77',
      'Bearer A-77',
      'Bearer T-41',
      'Bearer T-41',
    ]);
  });

  test('the rate spaces requests', async () => {
    const server = await startHostile((socket) => socket.write(ok('')));
    const source = openSource({ requestsPerSecond: 20 });
    const began = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => source.send(get(server.base))));
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  test('a signal aborts pending requests and prevents further ones', async () => {
    const server = await startHostile((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
    const stop = new AbortController();
    const source = openSource({ signal: stop.signal });
    const cut = await source.send(get(server.base), async (_, chunks) => {
      for await (const _chunk of chunks) stop.abort();
    });
    expect([cut.failure?.kind, cut.body.bytes]).toEqual(['stopped', 3]);
    expect((await source.send(get(server.base))).failure?.kind).toBe('stopped');
    expect(server.requests.length).toBe(1);
  });
});
