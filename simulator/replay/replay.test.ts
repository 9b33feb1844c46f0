import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import { newFolder } from '../../src/resources.test.support.ts';
import { randomBytes } from '../../src/seeded-random.test.support.ts';
import { gatewayTo, sendRequest, serve, serveRaw } from '../gateway/servers.test.support.ts';
import { type ReplayOptions, startReplay } from './replay.ts';

/** Records what `use` asks of an upstream, then serves the recording. */
async function replayOf(
  upstream: string,
  use: (gateway: Awaited<ReturnType<typeof gatewayTo>>) => Promise<unknown>,
  options: Partial<ReplayOptions> & { readonly gateway?: Parameters<typeof gatewayTo>[1] } = {},
) {
  const gateway = await gatewayTo(upstream, options.gateway);
  await use(gateway);
  await gateway.close();
  const told: string[] = [];
  const replay = await startReplay({
    recording: openRecording(dirname(gateway.folder), 'test'),
    onMessage: (message) => told.push(message),
    ...options,
  });
  onTestFinished(() => replay.close());
  return { ...replay, told, folder: gateway.folder };
}

test('responses are replayed in order, per lane, then the last one repeats; with strict it is a miss', async () => {
  let count = 0;
  const upstream = await serve((_, response) => response.end(`${++count}`));
  const inTurn = async (gateway: { url: string; urlOf(lane: string): string }) => {
    for (let n = 0; n < 3; n++) await sendRequest(`${gateway.url}/job`);
    await sendRequest(`${gateway.urlOf('ci')}/job`);
  };
  const replay = await replayOf(upstream, inTurn);
  const texts = async (base: string, times: number) => {
    const all: string[] = [];
    for (let n = 0; n < times; n++) all.push((await sendRequest(`${base}/job`)).text);
    return all;
  };
  expect(await texts(replay.url, 2)).toEqual(['1', '2']);
  expect(await texts(replay.urlOf('mine'), 5)).toEqual(['1', '2', '3', '3', '3']);
  expect(await texts(replay.urlOf('ci'), 2)).toEqual(['4', '4']);
  expect(await texts(replay.url, 2)).toEqual(['3', '3']);

  count = 0;
  const strict = await replayOf(upstream, inTurn, { strict: true });
  expect(await texts(strict.url, 3)).toEqual(['1', '2', '3']);
  const over = await sendRequest(`${strict.url}/job`);
  expect(over).toMatchObject({ status: 502, headers: { 'x-mdwi-miss': 'sequence-at-its-end' } });
  expect(JSON.parse(over.text).says).toBe('not recorded: GET /job has 3 recorded responses, and this is request 4');
});

test('a miss names the nearest, what differs and how to record it, and is reported once', async () => {
  const upstream = await serve((_, response) => response.end('{}'));
  const path = '/api/PLATFORMAPI/rtlMeas/v1/salesPerformanceBrand';
  const replay = await replayOf(
    `${upstream}/api`,
    async ({ url }) => {
      await sendRequest(`${url}/other`);
      await sendRequest(`${url}/PLATFORMAPI/rtlMeas/v1/salesPerformanceBrand?a=1&b=2`);
      await sendRequest(`${url}/body`, { method: 'POST', body: ['{"x":1,"y":2}'] });
    },
    { gateway: { about: { suite: 'test', source: 'live', profile: 'empty', safety: 'read' } } },
  );
  const missed = await sendRequest(`${replay.url}${path.slice(4)}?c=3&a=7`);
  expect(missed.status).toBe(502);
  expect(missed.headers['x-mdwi-miss']).toBe('not-recorded');
  const [nearest] = JSON.parse(missed.text).nearest;
  expect(nearest).toEqual({
    request: `GET ${path}?a=1&b=2`,
    differs: [
      { part: 'query a', asked: '7', recorded: '1' },
      { part: 'query c', asked: '3' },
      { part: 'query b', recorded: '2' },
    ],
  });
  const body = await sendRequest(`${replay.url}/body`, { method: 'POST', body: ['{"y":3,"x":1}'] });
  expect(JSON.parse(body.text).nearest[0].differs).toEqual([{ part: 'body $.y', asked: '3', recorded: '2' }]);
  expect(JSON.parse((await sendRequest(`${replay.url}/body`)).text)).toMatchObject({
    nearest: [{ differs: expect.arrayContaining([{ part: 'method', asked: 'GET', recorded: 'POST' }]) }],
    record: `mdwi gateway --upstream ${upstream}/api --name test`,
  });
  await sendRequest(`${replay.url}/body`);
  expect(replay.missCount()).toBe(4);
  expect(replay.told).toHaveLength(3);
  expect(replay.told[0]).toContain('query a is “7”, recorded “1”');
});

test('a miss names other lanes, ended sequences, JSON paths, and a command that fits the client', async () => {
  const upstream = await serve((_, response) => response.end('{}'));
  const about = { suite: 'test', source: 'live', profile: 'acme', safety: 'read' } as const;
  const json = { 'content-type': 'application/json' };
  const use = async ({ url, urlOf }: { url: string; urlOf: (lane: string) => string }) => {
    await sendRequest(`${url}/a`);
    await sendRequest(`${urlOf('ci')}/b`);
    await sendRequest(`${url}/deep`, {
      method: 'POST',
      headers: json,
      body: ['{"filter":{"brand ids":[1,{"x":2}]},"all":[]}'],
    });
  };
  const replay = await replayOf(upstream, use, { gateway: { about }, strict: true });
  const missOf = async (...asked: Parameters<typeof sendRequest>) => JSON.parse((await sendRequest(...asked)).text);
  expect(await missOf(`${replay.url}/b`)).toMatchObject({
    says: 'not recorded: GET /b in the lane main; it is in the lane ci',
    nearest: [{ differs: [{ part: 'lane', asked: 'main', recorded: 'ci' }] }],
    record: `mdwi gateway --upstream ${upstream} --name test --profile FILE`,
  });
  await sendRequest(`${replay.url}/a`);
  expect(await missOf(`${replay.url}/a`)).toMatchObject({
    miss: 'sequence at its end',
    nearest: [{ request: 'GET /a', differs: [{ part: 'sequence', asked: '2', recorded: '1' }] }],
  });
  const deep = { method: 'POST', headers: json, body: ['{"filter":{"brand ids":[1,{"x":3}]},"all":[1]}'] };
  expect((await missOf(`${replay.url}/deep`, deep)).nearest[0].differs).toEqual([
    { part: 'body $.all[0]', asked: '1' },
    { part: 'body $.filter["brand ids"][1].x', asked: '3', recorded: '2' },
    { part: 'body $.all', recorded: '[]' },
  ]);
  const operation = '/PLATFORMAPI/prodRef/v1/allProducts';
  const suites = { 'user-agent': 'mdwi-conformance' };
  expect((await missOf(`${replay.url}${operation}`, { headers: suites })).record).toBe(
    `mdwi record --base-url ${upstream} --name test --profile FILE --safety read --operation 'GET ${operation}'`,
  );
});

test('a recorded silence is repeated', async () => {
  const upstream = await serveRaw((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 99\r\n\r\nwait'),
  );
  const replay = await replayOf(upstream, ({ url }) =>
    sendRequest(`${url}/silent`, { signal: AbortSignal.timeout(700) }).catch(() => undefined),
  );
  await expect(sendRequest(`${replay.url}/silent`, { signal: AbortSignal.timeout(300) })).rejects.toThrow(/abort/i);
  expect(replay.missCount()).toBe(0);
});

test('only pages of allowed origins may read responses, and CORS headers of the service stay', async () => {
  const upstream = await serve((request, response) => {
    if (request.url === '/own') response.setHeader('Access-Control-Allow-Origin', 'https://app.example');
    response.end('x');
  });
  const page = 'https://page.example';
  const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization,x-a' };
  const open = (cors?: readonly string[]) =>
    replayOf(
      upstream,
      async ({ url }) => {
        await sendRequest(`${url}/own`);
        await sendRequest(`${url}/plain`);
      },
      cors && { cors },
    );
  const heard = async ({ url }: { url: string }, path: string, origin?: string, method = 'GET') => {
    const headers = { ...(origin && { origin }), ...(method === 'OPTIONS' && asked) };
    const { status, headers: said } = await sendRequest(`${url}${path}`, { method, headers });
    return [status, said['access-control-allow-origin'], said['access-control-allow-headers'], said.vary];
  };
  const none = [undefined, undefined, undefined];

  const closed = await open();
  expect(await heard(closed, '/plain', page)).toEqual([200, ...none]);
  expect(await heard(closed, '/plain', page, 'OPTIONS')).toEqual([502, ...none]);

  const named = await open([page]);
  expect(await heard(named, '/plain', page)).toEqual([200, page, undefined, 'Origin']);
  expect(await heard(named, '/plain', `${page}.evil.example`)).toEqual([200, ...none]);
  expect(await heard(named, '/own', page)).toEqual([200, 'https://app.example', undefined, undefined]);

  const any = await open(['*']);
  expect(await heard(any, '/plain', page)).toEqual([200, '*', undefined, undefined]);
  expect(await heard(any, '/nowhere', page)).toEqual([502, '*', undefined, undefined]);
  expect(await heard(any, '/plain', page, 'OPTIONS')).toEqual([204, '*', 'authorization,x-a', undefined]);
});

test('rotated credentials do not change the match, inputs in headers do', async () => {
  const upstream = await serve((request, response) => response.end(`${request.headers['x-market']}`));
  const secrets = (value: string) => ({ declared: [{ name: 'secret', value }], headers: ['x-key'], query: ['key'] });
  const asking = (url: string, key: string, market: string) =>
    sendRequest(`${url}/a/${key}?key=${key}`, { headers: { 'x-key': key, 'x-market': market } });
  const replay = await replayOf(upstream, ({ url }) => asking(url, 'then-secret', '1'), {
    gateway: { protection: secrets('then-secret'), matching: { headers: ['x-market'], withoutQuery: ['key'] } },
    protection: secrets('now-secret'),
  });
  for (let n = 0; n < 2; n++) expect((await asking(replay.url, 'now-secret', '1')).text).toBe('1');
  const other = await asking(replay.url, 'now-secret', '2');
  expect(JSON.parse(other.text).nearest[0].differs).toEqual([{ part: 'header x-market', asked: '2', recorded: '1' }]);
  expect(other.text + replay.told.join()).not.toContain('now-secret');
});

/** Requests that hold credentials in base64, alone and side by side, wherever they begin and however long they are. */
function encodedRequests(
  secrets: readonly string[],
): readonly (readonly [target: string, type: string, body: string])[] {
  const base64 = (text: string, form: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(form);
  const [one = '', two = '', three = ''] = secrets;
  const texts = ['', 'a', 'ab', 'me:'].flatMap((before) => [
    base64(`${before}${one}`),
    base64(`${before}${one}${two}`),
    base64(`${before}${one}:${two}|${three}:end`),
    base64(`${before}${three}${one}end`, 'base64url'),
    `${base64(before + two)}${base64(three)}`,
  ]);
  const part = (value: string) => `--b\r\ncontent-disposition: form-data; name="f"\r\n\r\n${value}\r\n`;
  return [
    ...texts.map((each) => ['/upload', 'multipart/form-data; boundary=b', `${part(each)}--b--\r\n`] as const),
    ['/upload', 'multipart/form-data; boundary=b', `${texts.map(part).join('')}--b--\r\n`] as const,
    ...texts.map((each) => ['/json', 'application/json', JSON.stringify({ proof: each })] as const),
    ...texts.map((each) => [`/query?proof=${encodeURIComponent(each)}`, 'text/plain', 'x'] as const),
  ];
}

test('rotated credentials in base64 do not change the match, whatever their length', async () => {
  const upstream = await serve((request, response) => {
    request.resume().on('end', () => response.end('known'));
  });
  const then = ['then-secret', 'then-other-s3cret', 'th3n-third'];
  const now = ['now-is-another-secret', 'n0w-two-secret', 'now-3rd-secret-x'];
  const protecting = (secrets: readonly string[]) => ({
    declared: secrets.map((value, at) => ({ name: ['secret', 'api key', 'password'][at] as string, value })),
  });
  const send = async (url: string, [target, type, body]: readonly [string, string, string]) =>
    sendRequest(`${url}${target}`, { method: 'POST', headers: { 'content-type': type }, body: [body] });
  const replay = await replayOf(
    upstream,
    async ({ url }) => {
      for (const each of encodedRequests(then)) await send(url, each);
    },
    { gateway: { protection: protecting(then) }, protection: protecting(now) },
  );
  for (const each of encodedRequests(now)) expect([(await send(replay.url, each)).status, each]).toEqual([200, each]);
  expect(replay.told).toEqual([]);
  // Other text beside the same credentials is another request.
  const [, , body = ''] = encodedRequests(now)[0] ?? [];
  const other = body.replace(/[\w+/=]{12,}(?=\r\n--b--)/, Buffer.from(`other:${now[0]}`).toString('base64'));
  expect(other).not.toBe(body);
  expect((await send(replay.url, ['/upload', 'multipart/form-data; boundary=b', other])).status).toBe(502);
});

test('a request without credentials gets the response recorded without credentials', async () => {
  const upstream = await serve(({ headers }, response) => {
    response.writeHead(headers.authorization ? 200 : 401).end(headers.authorization ? 'in' : 'out');
  });
  const matching = { headers: ['authorization'], withoutQuery: [], credentials: ['authorization'] };
  const known = { authorization: 'Bearer then-secret' };
  const use = async ({ url }: { url: string }) => {
    for (const headers of [known, {}, known]) await sendRequest(`${url}/both`, { headers });
    await sendRequest(`${url}/known`, { headers: known });
  };
  const rotated = { authorization: 'Bearer now-secret' };
  const statusOf = async (url: string, headers: Record<string, string>) => (await sendRequest(url, { headers })).status;
  const replay = await replayOf(upstream, use, { gateway: { matching } });
  for (const headers of [{}, rotated, {}, rotated, rotated, {}])
    expect(await statusOf(`${replay.url}/both`, headers)).toBe('authorization' in headers ? 200 : 401);
  // Nothing else was recorded of it.
  expect(await statusOf(`${replay.url}/known`, {})).toBe(200);
  const exact = await replayOf(upstream, use, { gateway: { matching }, credentials: 'exact' });
  expect(await statusOf(`${exact.url}/known`, rotated)).toBe(200);
  const missed = await sendRequest(`${exact.url}/known`);
  expect(JSON.parse(missed.text).says).toContain('header authorization “sent” is missing');
});

test('a Date that provides the as-of date is that of the recording', async () => {
  const upstream = await serve((_, response) => response.end('x'));
  const date = 'Sat, 14 Nov 2026 12:00:00 GMT';
  const replay = await replayOf(upstream, ({ url }) => sendRequest(url), { date });
  expect((await sendRequest(replay.url)).headers.date).toBe(date);
});

test('a missing or incomplete recording is reported before anything is served', async () => {
  const upstream = await serve((_, response) => response.end(randomBytes(100_000)));
  const replay = await replayOf(upstream, ({ url }) => sendRequest(url));
  const dir = dirname(replay.folder);
  expect(() => openRecording(dir, 'other')).toThrow(/holds no recording \(no provenance\.json\): there are test$/);
  expect(() => openRecording(newFolder(), 'other')).toThrow(/there is none in .*; record first$/);
  const [body = ''] = readdirSync(join(replay.folder, 'bodies'));
  const file = join(replay.folder, 'bodies', body);
  expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(body.slice(7));
  writeFileSync(file, 'cut');
  expect(() => openRecording(dir, 'test')).toThrow(
    /has 3 bytes, not 100000; it is the response to GET \/ in .*: restore it, or record again$/,
  );
  rmSync(file);
  expect(() => openRecording(dir, 'test')).toThrow(
    /is missing; it is the response to GET \/ in .*: restore it, or record again$/,
  );
});

test('no module that can send a request is loaded', () => {
  const seen = new Set<string>();
  const bare = new Set<string>();
  const fromHttp = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, clause = '', target = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export) ([^;]*?)\s*from '([^']+)'/gm,
    )) {
      if (clause.startsWith('type ')) continue;
      if (target.startsWith('.')) walk(join(dirname(file), target));
      else bare.add(target);
      if (/^node:https?$/.test(target))
        for (const [, name = ''] of clause.matchAll(/(?<=[{,]\s*)(?!type )(\w+)/g)) fromHttp.add(name);
    }
  };
  walk(join(import.meta.dirname, 'replay.ts'));
  expect([...bare].filter((each) => !each.startsWith('node:'))).toEqual(['zod']);
  // Neither can send a request.
  expect([...fromHttp].sort()).toEqual(['STATUS_CODES', 'createServer']);
  for (const module of ['node:net', 'node:tls', 'node:http2', 'node:dns']) expect(bare).not.toContain(module);
});
