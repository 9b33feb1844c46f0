import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { bodyOf, gatewayTo, sendRequest, serve, serveRaw } from './servers.test.support.ts';

const EVERY_BYTE = Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 256));

test('heads of requests are forwarded unchanged, without hop-by-hop headers and headers of mdwi, and heads are recorded', async () => {
  let asked: IncomingMessage | undefined;
  const upstream = await serve((request, response) => {
    asked = request;
    response.sendDate = false;
    response
      .writeHead(207, 'Odd', ['X-Twice', '1', 'x-TWICE', '2', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'])
      .end('ok');
  });
  const gateway = await gatewayTo(upstream);
  const own = ['Host', `127.0.0.1:${gateway.port}`, 'x-mdwi-lane', 'z', 'Accept-Encoding', 'gzip'];
  const ofConnection = ['Connection', 'close, x-hop', 'X-Hop', '1', 'TE', 'trailers'];
  const headers = [...own, 'X-Two', '1', 'X-Two', '2', ...ofConnection];
  expect((await sendRequest(`${gateway.url}/x?a=%2f+b&&c`, { headers })).text).toBe('ok');
  expect(asked?.url).toBe('/x?a=%2f+b&&c');
  expect(asked?.headers.host).toBe(new URL(upstream).host);
  const up = asked?.rawHeaders ?? [];
  expect(up.filter((each) => /^x-/i.test(each))).toEqual(['X-Two', 'X-Two']);
  expect(asked?.headers).toMatchObject({ 'accept-encoding': 'identity', 'x-two': '1, 2' });
  expect(asked?.headers).not.toHaveProperty('te');
  const [kept] = await gateway.recordedIn();
  expect(kept?.request.url).toBe('http://upstream.invalid/x?a=%2f+b&&c');
  expect(kept?.request.headers).toContainEqual(['X-Two', '2']);
  expect(kept?.request.headers.some(([name]) => /x-mdwi/i.test(name))).toBe(false);
  expect(kept?.response?.reasonPhrase).toBe('Odd');
  expect(kept?.response?.headers.slice(0, 4)).toEqual([
    ['X-Twice', '1'],
    ['x-TWICE', '2'],
    ['Set-Cookie', expect.stringMatching(/^a=90909\d+$/)],
    ['Set-Cookie', expect.stringMatching(/^b=90909\d+$/)],
  ]);
});

test('bodies are forwarded byte for byte in both directions, framed as the client framed them', async () => {
  const got: { body: Buffer; framing: string }[] = [];
  const upstream = await serve(async (request, response) => {
    const { 'transfer-encoding': chunked, 'content-length': length } = request.headers;
    const body = await bodyOf(request);
    got.push({ body, framing: `${chunked ?? '-'} ${length ?? '-'}` });
    response.writeHead(200, {
      'content-type': request.headers['content-type'] ?? 'image/png',
      'content-length': body.length,
    });
    response.end(body);
  });
  const gateway = await gatewayTo(upstream);
  const multipart = Buffer.concat([
    Buffer.from('--b1\r\ncontent-disposition: form-data; name="f"; filename="a.bin"\r\n\r\n'),
    EVERY_BYTE,
    Buffer.from('\r\n--b1--\r\n'),
  ]);
  const big = Buffer.alloc(5_000_000, EVERY_BYTE);
  const cases: [body: Buffer, headers: Record<string, string>, framing: string][] = [
    [EVERY_BYTE, { 'content-length': '1024' }, '- 1024'],
    [EVERY_BYTE, { 'transfer-encoding': 'chunked' }, 'chunked -'],
    [
      multipart,
      { 'content-type': 'multipart/form-data; boundary=b1', 'content-length': `${multipart.length}` },
      `- ${multipart.length}`,
    ],
    [big, { 'content-type': 'application/zip', 'content-length': `${big.length}` }, `- ${big.length}`],
    [big, { 'content-type': 'application/zip', 'transfer-encoding': 'chunked' }, 'chunked -'],
    [Buffer.from('\ufeff{"é":1}'), { 'content-type': 'application/json', 'content-length': '11' }, '- 11'],
  ];
  for (const [body, headers, framing] of cases) {
    const seen = await sendRequest(`${gateway.url}/echo`, { method: 'POST', headers, body: [body] });
    expect(seen.body.equals(body)).toBe(true);
    expect(seen.headers['content-length']).toBe(`${body.length}`);
    expect(got.at(-1)?.body.equals(body)).toBe(true);
    expect(got.at(-1)?.framing).toBe(framing);
  }
  const kept = await gateway.recordedIn();
  expect(kept.length).toBe(cases.length);
  const file = `bodies/sha256-${createHash('sha256').update(big).digest('hex')}`;
  const large = kept.filter(({ request }) => request.body && 'file' in request.body && request.body.file === file);
  expect(large.map(({ order, response }) => [order, response?.body])).toEqual([
    [0, { file, bytes: big.length }],
    [1, { file, bytes: big.length }],
  ]);
  expect(readFileSync(join(gateway.folder, file)).equals(big)).toBe(true);
  const inline = kept.flatMap(({ response }) => (response?.body && 'text' in response.body ? [response.body] : []));
  expect(inline[0]).toEqual({ text: '\ufeff{"é":1}' });
});

const CODINGS = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
  raw: deflateRawSync,
};

test('compressed bodies are decoded for client and recording, and the coding is recorded; a wrong header is recorded as sent', async () => {
  const text = JSON.stringify({ rows: Array.from({ length: 5000 }, (_, upc) => ({ upc })) });
  let own = '';
  const upstream = await serve((request, response) => {
    const coding = (request.url ?? '').slice(1) as keyof typeof CODINGS | 'lie' | 'unknown';
    const body = Object.hasOwn(CODINGS, coding) ? CODINGS[coding as 'gzip'](`${text}${own}/next`) : Buffer.from(text);
    const said = { raw: 'deflate', lie: 'gzip', unknown: 'x-snappy' }[coding as string] ?? coding;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': said,
      'content-length': body.length,
    });
    response.end(body);
  });
  own = upstream;
  const gateway = await gatewayTo(upstream);
  for (const coding of Object.keys(CODINGS)) {
    const seen = await sendRequest(`${gateway.url}/${coding}`, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(seen.text).toBe(`${text}${gateway.url}/next`);
    expect(seen.headers).not.toHaveProperty('content-encoding');
  }
  for (const [coding, said] of [
    ['lie', 'gzip'],
    ['unknown', 'x-snappy'],
  ]) {
    const seen = await sendRequest(`${gateway.url}/${coding}`);
    expect([seen.text, seen.headers['content-encoding'], seen.headers['content-length']]).toEqual([
      text,
      said,
      `${text.length}`,
    ]);
  }
  const kept = await gateway.recordedIn();
  expect(Object.fromEntries(kept.map(({ key, response }) => [key, response?.coding]))).toEqual({
    'GET /br': 'br',
    'GET /deflate': 'deflate',
    'GET /gzip': 'gzip',
    'GET /lie': undefined,
    'GET /raw': 'deflate',
    'GET /unknown': undefined,
    'GET /zstd': 'zstd',
  });
});

test('the upstream’s origin is replaced by the gateway’s for clients and by a placeholder on disk, and restored in requests', async () => {
  let asked = '';
  let own = '';
  const upstream = await serve(async (request, response) => {
    asked = `${request.url} ${request.headers.referer} ${await bodyOf(request)}`;
    if (request.url === '/api/moved') {
      response.writeHead(302, {
        location: `${own}/api/x`,
        link: `<${own}/api/x?p=2>; rel="next"`,
        'set-cookie': 'a=1; Domain=127.0.0.1; Path=/',
      });
      return response.end();
    }
    response.setHeader('content-type', request.url === '/api/zip' ? 'application/zip' : 'application/json');
    const text = JSON.stringify({
      next: `${own}/api/x?p=2`,
      escaped: '@',
      login: `/l?to=${encodeURIComponent(own)}`,
    }).replace('@', `${own}/x`.replaceAll('/', '\\/'));
    for (const letter of text) response.write(letter);
    response.end();
  });
  own = upstream;
  const gateway = await gatewayTo(`${upstream}/api`);
  expect(gateway.url.endsWith('/api')).toBe(true);
  const lane = gateway.urlOf('ci');
  const there = lane.replace('/api', '');
  const moved = await sendRequest(`${lane}/moved`);
  expect([moved.status, moved.headers.location, moved.headers.link, moved.headers['set-cookie']]).toEqual([
    302,
    `${lane}/x`,
    `<${lane}/x?p=2>; rel="next"`,
    ['a=1; Path=/'],
  ]);
  const seen = await sendRequest(`${lane}/x`);
  expect(JSON.parse(seen.text)).toEqual({
    next: `${lane}/x?p=2`,
    escaped: `${there}/x`,
    login: `/l?to=${encodeURIComponent(there)}`,
  });
  expect((await sendRequest(`${lane}/zip`)).text).toContain(`${upstream}/api/x`);
  await sendRequest(`${lane}/y?from=${encodeURIComponent(`${lane}/x`)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: `${lane}/x` },
    body: [JSON.stringify({ callback: `${lane}/z` })],
  });
  expect(asked).toBe(
    `/api/y?from=${encodeURIComponent(`${upstream}/api/x`)} ${upstream}/api/x {"callback":"${upstream}/api/z"}`,
  );
  const kept = await gateway.recordedIn('ci');
  const text = JSON.stringify(kept.filter(({ key }) => !key.includes('zip')));
  expect(text).not.toContain('127.0.0.1');
  expect(kept.find(({ key }) => key === 'GET /api/moved')?.response?.headers).toContainEqual([
    'location',
    'http://upstream.invalid/api/x',
  ]);
  expect(kept.find(({ key }) => key.startsWith('POST'))?.key).toBe(
    'POST /api/y?from=http%3A%2F%2Fupstream.invalid%2Fapi%2Fx\njson {"callback":"http://upstream.invalid/api/z"}',
  );
});

test('concurrent responses to one request are recorded in order', async () => {
  let count = 0;
  const upstream = await serve((_, response) => void response.end(`${count++}`));
  const gateway = await gatewayTo(upstream);
  await Promise.all(Array.from({ length: 20 }, () => sendRequest(`${gateway.urlOf('c')}/status`)));
  expect((await gateway.recordedIn('c')).map(({ order }) => order)).toEqual(Array.from({ length: 20 }, (_, at) => at));
});

test('no request can end the gateway', async () => {
  const upstream = await serve((request, response) => void response.end(request.url));
  const gateway = await gatewayTo(upstream);
  for (const path of [
    '/%zz',
    '/x?%zz=%ff',
    '/%ff/%',
    '/a/../b//c',
    '/?',
    "/x'()*!;@",
    '/x?a[b][c]=1&a[]=2',
    '/\\x',
    '/:a/*b',
  ])
    expect((await sendRequest(`${gateway.url}${path}`)).text).toBe(path);
  for (const path of ['/~/', '/~/a%2fb/x'])
    expect((await sendRequest(`${gateway.url}${path}`)).headers['x-mdwi-gateway']).toBe('bad-target');
  expect((await gateway.recordedIn()).length).toBe(9);
});

test('failures of the upstream close the connection, and are recorded with their kind', async () => {
  const dead = await gatewayTo('http://127.0.0.1:9');
  await expect(sendRequest(dead.url)).rejects.toThrow('socket hang up');
  expect((await dead.recordedIn())[0]).toMatchObject({ failure: { kind: 'refused' } });

  const resetting = await gatewayTo(await serveRaw((socket) => socket.resetAndDestroy()));
  await expect(sendRequest(resetting.url)).rejects.toThrow('ECONNRESET');
  expect((await resetting.recordedIn())[0]).toMatchObject({ failure: { kind: 'reset' } });

  for (const type of ['application/json', 'image/png']) {
    const cutting = await gatewayTo(
      await serveRaw((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\n{"half":`);
        setTimeout(() => socket.destroy(), 20);
      }),
    );
    await expect(sendRequest(cutting.url)).rejects.toThrow('aborted');
    expect((await cutting.recordedIn())[0]).toMatchObject({
      failure: { kind: 'truncated' },
      response: { status: 200, body: { text: '{"half":' } },
    });
  }
});

test('a client that closes ends the upstream request; only a timeout is recorded', async () => {
  const closed: string[] = [];
  const leaving = new Map([
    ['/soon', new AbortController()],
    ['/half', new AbortController()],
  ]);
  const upstream = await serve((request, response) => {
    response.on('close', () => closed.push(request.url ?? ''));
    if (request.url === '/half') response.write('half');
    setTimeout(() => leaving.get(request.url ?? '')?.abort(), request.url === '/half' ? 2000 : 0);
  });
  const gateway = await gatewayTo(upstream);
  for (const [path, { signal }] of leaving)
    await expect(sendRequest(`${gateway.url}${path}`, { signal })).rejects.toThrow();
  while (closed.length < 2) await pause(5);
  const kept = await gateway.recordedIn();
  expect(kept.map(({ key, failure, response }) => [key, failure?.kind, response?.body])).toEqual([
    ['GET /half', 'timeout', { text: 'half' }],
  ]);
});

test('an upload with an early response is recorded whole, and a cancelled one ends nothing', async () => {
  const upstream = await serveRaw((socket) => {
    socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig');
    socket.resume();
  });
  const told: string[] = [];
  const gateway = await gatewayTo(upstream, { onMessage: (message) => told.push(message) });
  const body = Buffer.alloc(3_000_000, 7);
  const whole = await sendRequest(`${gateway.url}/whole`, { method: 'POST', body: [body] });
  expect([whole.status, whole.text]).toEqual([413, 'big']);
  // The client has its answer before its upload is through.
  while (gateway.recordedCount() < 1) await pause(5);
  const given = connect(gateway.port, '127.0.0.1');
  given.write(`POST /half HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\ncontent-length: ${body.length}\r\n\r\n`);
  given.write(body.subarray(0, 2_000_000));
  const [answered] = (await once(given, 'data')) as [Buffer];
  expect(answered.toString()).toMatch(/^HTTP\/1\.1 413 /);
  given.destroy();
  const kept = await gateway.recordedIn();
  expect(kept.map(({ key }) => key)).toEqual([
    `POST /whole\nbytes sha256-${createHash('sha256').update(body).digest('hex')}`,
  ]);
  expect(told.filter((message) => !message.includes('not recorded, because the client closed'))).toEqual([]);
});

test('a slow client slows the upstream down', async () => {
  let written = 0;
  const upstream = await serve(async (_, response) => {
    response.setHeader('content-type', 'application/octet-stream');
    const chunk = Buffer.alloc(1 << 20);
    for (let at = 0; at < 100 && !response.destroyed; at++) {
      written += chunk.length;
      if (!response.write(chunk))
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
    response.end();
  });
  const gateway = await gatewayTo(upstream);
  const stop = new AbortController();
  const response = await fetch(gateway.url, { signal: stop.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  await pause(400);
  expect(written).toBeLessThan(60 << 20);
  stop.abort();
  expect(await gateway.recordedIn()).toEqual([]);
});

test('an upstream behind TLS is reached over TLS', async () => {
  const certificates = join(import.meta.dirname, '../../src/client/__fixtures__');
  const [cert, key] = ['cert.pem', 'key.pem'].map((each) => readFileSync(join(certificates, each), 'utf8'));
  const server = createTls({ cert, key }, (_, response) => void response.end('safe'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => void server.close());
  const address = `https://localhost:${(server.address() as AddressInfo).port}`;
  const trusting = await gatewayTo(address, { tls: { ca: cert as string } });
  expect((await sendRequest(trusting.url)).text).toBe('safe');
  const wary = await gatewayTo(address);
  await expect(sendRequest(wary.url)).rejects.toThrow('socket hang up');
  expect((await wary.recordedIn())[0]?.failure?.kind).toBe('tls');
});
