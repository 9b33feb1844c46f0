import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayTo, sendRequest, serve } from '../../simulator/gateway/servers.test.support.ts';
import { randomBytes } from '../seeded-random.test.support.ts';
import { handlersFor } from './msw-handlers.ts';
import { createReplay, startReplayServer } from './start-replay.ts';

const LARGE = randomBytes(100_000);

/** Records what a service with every kind of response sends; its base path is `/v2`. */
async function record(): Promise<{ readonly recording: string; readonly recordingsDir: string }> {
  let count = 0;
  const upstream = await serve((request, response) => {
    const path = request.url?.replace('/v2', '');
    if (path === '/link') response.end(`{"next":"http://${request.headers.host}/v2/link?page=2"}`);
    else if (path === '/large') response.setHeader('content-type', 'application/octet-stream').end(LARGE);
    else if (path === '/coded') response.setHeader('content-encoding', 'gzip').end(gzipSync('coded'));
    else if (path === '/none') response.writeHead(204).end();
    else if (path === '/reset') response.destroy();
    else if (path === '/posted') request.pipe(response);
    else response.end(`${++count}`);
  });
  const gateway = await gatewayTo(upstream, { about: { suite: 'test', source: 'live', profile: 'empty' } });
  for (const path of ['link', 'large', 'coded', 'none', 'reset', 'count', 'count'])
    await sendRequest(`${gateway.url}/v2/${path}`).catch(() => undefined);
  await sendRequest(`${gateway.url}/v2/posted`, { method: 'POST', body: ['a body'] });
  await sendRequest(`${gateway.urlOf('ci')}/v2/count`);
  await gateway.close();
  return { recording: 'test', recordingsDir: dirname(gateway.folder) };
}

test('a replay without a port responds as its server does: links, side files, lanes, misses, failures', async () => {
  const options = await record();
  const replay = await createReplay({ ...options, origin: 'https://api.example' });
  await using server = await startReplayServer(options);
  expect(replay.url).toBe('https://api.example');
  for (const { url, urlOf, fetch } of [replay, server]) {
    const get = (path: string, base = url) => fetch(new Request(`${base}/v2/${path}`));
    expect(await (await get('link')).json()).toEqual({ next: `${url}/v2/link?page=2` });
    expect(Buffer.from(await (await get('large')).arrayBuffer()).equals(LARGE)).toBe(true);
    expect(await (await get('coded')).text()).toBe('coded');
    expect((await get('none')).status).toBe(204);
    const posted = await fetch(new Request(`${url}/v2/posted`, { method: 'POST', body: 'a body' }));
    expect(await posted.text()).toBe('a body');
    await expect(get('reset')).rejects.toThrow(TypeError);
    expect([await (await get('count')).text(), await (await get('count')).text()]).toEqual(['1', '2']);
    expect(await (await get('count', urlOf('ci'))).text()).toBe('3');
    const miss = await get('never');
    expect([miss.status, miss.headers.get('x-mdwi-miss')]).toEqual([502, 'not-recorded']);
    expect(await miss.json()).toHaveProperty('nearest');
  }
  expect([replay.missCount(), server.missCount()]).toEqual([1, 1]);
});

test('msw serves a recording', async () => {
  const replay = await createReplay({ ...(await record()), origin: 'https://api.example' });
  const server = setupServer(...handlersFor(replay));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  const textOf = async (url: string) => (await fetch(url)).text();
  expect(await textOf('https://api.example/v2/coded')).toBe('coded');
  expect(await textOf(`${replay.urlOf('ci')}/v2/count`)).toBe('3');
  expect((await fetch('https://api.example/v2/never')).status).toBe(502);
  await expect(fetch('https://api.example/v2/reset')).rejects.toThrow(TypeError);
});

test('the origin has no path, and a recording that does not exist is named', async () => {
  await expect(createReplay({ recording: 'reference', origin: 'https://api.example/v2' })).rejects.toThrow(
    'origin "https://api.example/v2": an origin is needed',
  );
  await expect(createReplay({ recording: 'absent', recordingsDir: join('no', 'folder') })).rejects.toThrow('absent');
});
