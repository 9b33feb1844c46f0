/** What gateway, replay and simulator say on the wire, as servers. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import { gatewayTo, serve, serveRaw } from '../gateway/servers.test.support.ts';
import { startReplay } from '../replay/replay.ts';
import { startSimulator } from '../server.ts';
import { Cors, isOrigin } from './cors.ts';
import { hostFilter, isHost } from './hosts.ts';
import type { Access } from './local-server.ts';

const PATH = '/webservices/testService';
const END = 'Connection: close\r\n\r\n';

interface Running {
  readonly port: number;
  /** Requests that went on to a service. */
  readonly forwarded: () => number;
}

async function gateway(access: Access = {}): Promise<Running & { folder: string; close(): Promise<void> }> {
  let forwarded = 0;
  const upstream = await serve((request, response) => {
    forwarded++;
    response.end(`${request.method} ${request.url} ${request.rawHeaders.length}`);
  });
  const running = await gatewayTo(upstream, access);
  return { ...running, forwarded: () => forwarded };
}

async function replay(access: Access = {}): Promise<Running> {
  const recorder = await gateway();
  await say(recorder.port, `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${recorder.port}\r\n${END}`);
  await recorder.close();
  const running = await startReplay({ recording: openRecording(dirname(recorder.folder), 'test'), ...access });
  onTestFinished(() => running.close());
  return { port: running.port, forwarded: () => 0 };
}

async function simulator(access: Access = {}): Promise<Running> {
  const running = await startSimulator({ products: 10, ...access });
  onTestFinished(() => running.close());
  return { port: running.port, forwarded: () => 0 };
}

const SERVERS = { gateway, replay, simulator };

/** All that comes, in Latin-1, until the server ends the connection. @param isHalf closes its own side at once */
async function say(port: number, text: string, isHalf = false): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  if (isHalf) socket.end(text, 'latin1');
  else socket.write(text, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const bodyOf = (answer: string): string => answer.replace(/^HTTP.*?\r\n\r\n/s, '');

describe.each(Object.entries(SERVERS))('%s', (name, start) => {
  test('accepts its own host names and the allowed ones, in origin-form and absolute-form', async () => {
    const server = await start({ allowHosts: ['CI.example', 'build.example:81'] });
    const { port } = server;
    const of = async (host: string, target = PATH): Promise<number> =>
      statusOf(await say(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${END}`));
    for (const host of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
      expect(await of(`${host}:${port}`), host).toBe(200);
      expect(await of('other.example', `http://${host}:${port}${PATH}`), host).toBe(200);
    }
    for (const host of ['ci.example', 'ci.EXAMPLE:9', 'build.example:81']) expect(await of(host), host).toBe(200);

    const before = server.forwarded();
    const others = [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `127.0.0.1:${port + 1}`,
      'build.example:82',
      '',
    ];
    for (const host of [...others, `127.0.0.1.evil.example:${port}`, `ci.example.evil:1`, `x@127.0.0.1:${port}`, '*']) {
      const answer = await say(port, `GET ${PATH} HTTP/1.1\r\nHost: ${host}\r\n${END}`);
      expect([statusOf(answer), bodyOf(answer)], host).toEqual([421, expect.stringContaining('--allow-host NAME')]);
      expect(answer).toContain(`x-mdwi-${name}: wrong-host`);
      expect(await of(`127.0.0.1:${port}`, `http://${host}${PATH}`), host).toBe(421);
    }
    expect(server.forwarded()).toBe(before);
  });

  test('parses targets of every form, and rejects others with a sentence', async () => {
    const server = await start();
    const { port } = server;
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const own = `http://127.0.0.1:${port}`;
    const cases: [string, number, string?][] = [
      [`GET ${own}${PATH} HTTP/1.1\r\n${host}`, 200],
      [`GET HTTP://LOCALHOST:${port}${PATH} HTTP/1.1\r\n${host}`, 200],
      [`OPTIONS * HTTP/1.1\r\n${host}`, 204],
      [`OPTIONS ${own} HTTP/1.1\r\n${host}`, 204],
      [`GET https://127.0.0.1:${port}${PATH} HTTP/1.1\r\n${host}`, 400, 'target'],
      [`GET * HTTP/1.1\r\n${host}`, 400],
      [`GET ${PATH} HTTP/1.1\r\n${host}${host}`, 400, 'one Host header'],
      [`GET ${PATH} HTTP/1.1\r\n${host}Host: evil.example\r\n`, 400, 'one Host header'],
      [`GET ${PATH} HTTP/1.1\r\n`, 400, 'one Host header'],
      [`GET ${PATH} HTTP/1.0\r\n`, 200],
      [`get ${PATH} HTTP/1.1\r\n${host}`, 400, 'case-sensitive'],
      [`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${host}`, 501, 'CONNECT is not supported'],
      [`GET ${PATH} HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\n`, 501, 'cannot be upgraded'],
    ];
    const before = server.forwarded();
    for (const [head, status, says = ''] of cases) {
      const isUpgrade = head.includes('Upgrade');
      const answer = await say(port, `${head}${isUpgrade ? '\r\n' : END}`);
      expect([statusOf(answer), bodyOf(answer)], head).toEqual([status, expect.stringContaining(says)]);
    }
    expect(server.forwarded() - before).toBe(name === 'gateway' ? 3 : 0);
    // What clients offer that every server may pass over is passed over.
    const offered = `Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`;
    expect(statusOf(await say(port, `GET ${PATH} HTTP/1.1\r\n${host}${offered}`))).toBe(200);
  });

  test('accepts thousands of headers and a long target, and reports what is too long', async () => {
    const { port } = await start();
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const lines = (count: number, value: string) =>
      Array.from({ length: count }, (_, at) => `x-${at}: ${value}\r\n`).join('');
    expect(statusOf(await say(port, `GET ${PATH} HTTP/1.1\r\n${host}${lines(5000, 'v')}${END}`))).toBe(200);
    const long = await say(port, `GET ${PATH}?${'a'.repeat(300_000)} HTTP/1.1\r\n${host}${END}`);
    expect(statusOf(long)).toBe(name === 'replay' ? 502 : 200);
    const over = await say(port, `GET ${PATH} HTTP/1.1\r\n${host}${lines(1, 'v'.repeat(1_100_000))}${END}`);
    expect([statusOf(over), bodyOf(over)]).toEqual([431, expect.stringContaining('1048576 bytes')]);
  });

  test('answers a half-closed client, and pipelined requests in order', async () => {
    const { port } = await start();
    const get = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    expect(statusOf(await say(port, `${get}\r\n`, true))).toBe(200);
    const both = await say(port, `${get}\r\nGET /nowhere-at-all HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${END}`);
    const statuses = [...both.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([200, { gateway: 200, replay: 502, simulator: 404 }[name]]);
  });

  test('lets only pages of allowed origins read responses', async () => {
    const page = 'https://app.example';
    const { port } = await start({ cors: [page] });
    const asked = async (origin: string, more = '', method = 'GET') =>
      say(port, `${method} ${PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\n${more}${END}`);
    const preflight = 'Access-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: x-a\r\n';
    expect(await asked(page)).toMatch(/^access-control-allow-origin: https:\/\/app\.example\r$/im);
    expect(await asked(page, preflight, 'OPTIONS')).toMatch(
      /^HTTP\/1\.1 204 .*^access-control-allow-methods: PUT\r$/ims,
    );
    for (const origin of ['https://evil.example', 'http://app.example', 'null'])
      for (const each of [await asked(origin), await asked(origin, preflight, 'OPTIONS')])
        expect(each, origin).not.toMatch(/^access-control-/im);
  });
});

test('a half-closed client gets a slow response, and a closed client ends the request', async () => {
  let given: (() => void) | undefined;
  const ended = Promise.withResolvers<void>();
  const upstream = await serve((request, response) => {
    if (request.url === '/left') response.on('close', ended.resolve);
    else given = () => void response.end('late');
  });
  const { port } = await gatewayTo(upstream);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.end(get('/slow'));
  // The server asks whether anybody is still there before it answers.
  for await (const part of socket as AsyncIterable<Buffer>) {
    parts.push(part);
    given?.();
  }
  expect(Buffer.concat(parts).toString()).toMatch(
    /^(?:HTTP\/1\.1 102 Processing\r\n\r\n)+HTTP\/1\.1 200 OK\r\n.*late/s,
  );

  const leaving = connect(port, '127.0.0.1');
  leaving.write(get('/left'), () => leaving.destroy());
  await ended.promise;
});

test('hosts and origins are accepted as clients send them', () => {
  for (const host of ['ci', 'ci.example', 'CI.example:80', '10.0.0.7', '[::1]:9000', 'my_host'])
    expect(isHost(host), host).toBe(true);
  for (const host of ['', '*', '*.example', 'http://ci.example', 'ci.example/', 'a b', 'ci:port', '-a'])
    expect(isHost(host), host).toBe(false);
  for (const origin of ['*', 'null', 'http://localhost:5173', 'https://app.example'])
    expect(isOrigin(origin)).toBe(true);
  for (const origin of ['', 'app.example', 'https://app.example/', 'https://*.example', 'HTTPS://app.example'])
    expect(isOrigin(origin), origin).toBe(false);
  expect(() => new Cors(['https://app.example/'])).toThrow('cors "https://app.example/": an origin as browsers');
  expect(hostFilter(80)('localhost')).toBe(true);
  expect(hostFilter(443)('localhost')).toBe(true);
  expect(hostFilter(8080)('localhost')).toBe(false);
});

test('an upstream reset reaches the client as a reset, a close as a close', async () => {
  const endings = async (port: number): Promise<string[]> => {
    const all: string[] = [];
    for (const path of ['/reset', '/reset-within', '/close', '/close-within']) {
      const socket = connect(port, '127.0.0.1');
      const said: string[] = [];
      socket.on('data', (part: Buffer) => said.push(part.toString('latin1')));
      socket.on('error', (error: NodeJS.ErrnoException) => said.push(` ${error.code}`));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      await new Promise((resolve) => socket.once('close', resolve));
      all.push(`${path}: ${bodyOf(said.join(''))}`);
    }
    return all;
  };
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 9\r\n\r\nabc';
  let at = 0;
  const upstream = await serveRaw((socket) => {
    const [isReset, isWithin] = [at < 2, at % 2 === 1];
    at++;
    const end = (): unknown => (isReset ? socket.resetAndDestroy() : socket.destroy());
    if (isWithin) socket.write(head, () => setTimeout(end, 50));
    else end();
  });
  const recorder = await gatewayTo(upstream);
  const live = await endings(recorder.port);
  expect(live).toEqual(['/reset:  ECONNRESET', '/reset-within: abc ECONNRESET', '/close: ', '/close-within: abc']);
  await recorder.close();
  const again = await startReplay({ recording: openRecording(dirname(recorder.folder), 'test') });
  onTestFinished(() => again.close());
  expect(await endings(again.port)).toEqual(live);
});
