/** Stock Polly replays recordings, as the owner of a node:http client would use it. */
import NodeHttpAdapter from '@pollyjs/adapter-node-http';
import { Polly } from '@pollyjs/core';
import { expect, test } from 'vitest';
import { bodyOf, gatewayTo, sendRequest, serve } from '../../../simulator/gateway/servers.test.support.ts';
import { pollySettings, restoreBodies } from './polly-preset.ts';

const BIG = Buffer.alloc(200_000, Buffer.from(Array.from({ length: 256 }, (_, at) => at)));

test('stock Polly with adapter-node-http and persister-fs serves 8 of 8', async () => {
  let polls = 0;
  let own = '';
  const upstream = await serve(async (asked, response) => {
    const body = await bodyOf(asked);
    const { pathname } = new URL(asked.url ?? '', own);
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    if (pathname === '/api/binary') return void response.writeHead(200, { 'content-type': 'image/png' }).end(BIG);
    if (pathname === '/api/missing')
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no such thing');
    if (pathname === '/api/none') return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (pathname === '/api/status') return void response.end(JSON.stringify({ poll: polls++ }));
    response.end(
      JSON.stringify({
        next: `${own}/api/list?page=2`,
        url: asked.url,
        said: body.toString(),
        long: 'é'.repeat(pathname === '/api/long' ? 50_000 : 1),
      }),
    );
  });
  own = upstream;
  const gateway = await gatewayTo(`${upstream}/api`, {
    protection: { query: ['key'] },
    matching: { headers: ['x-market'], withoutQuery: ['key'] },
  });
  const json = { 'content-type': 'application/json' };
  const asks: [path: string, options: Parameters<typeof sendRequest>[1]][] = [
    ['/list?b=2&a=x+y&key=one', { headers: { 'x-market': 'US' } }],
    ['/list?b=2&a=x+y&key=one', { headers: { 'x-market': 'CA' } }],
    ['/find', { method: 'POST', headers: json, body: ['{"b":1,"a":[2]}'] }],
    ['/binary', {}],
    ['/missing', {}],
    ['/long', {}],
    ['/status', {}],
    ['/status', {}],
  ];
  const live: { status: number; text: string }[] = [];
  for (const [path, options] of asks) live.push(await sendRequest(`${gateway.url}${path}`, options));
  await gateway.close();

  const polly = new Polly('main', {
    ...pollySettings(gateway.folder),
    adapters: [NodeHttpAdapter],
    logLevel: 'silent',
  } as never);
  restoreBodies(polly, gateway.folder);
  try {
    // The same query and body in another encoding, another credential, another host.
    const again = asks.map(([path, options]): (typeof asks)[number] => [
      path.replace('b=2&a=x+y&key=one', 'key=two&a=x%20y&b=2'),
      options?.body ? { ...options, body: ['{"a": [2], "b": 1}'] } : options,
    ]);
    for (const [at, [path, options]] of again.entries()) {
      const seen = await sendRequest(`http://any.host/api${path}`, options);
      expect([seen.status, seen.text]).toEqual([
        live[at]?.status,
        live[at]?.text.replaceAll(gateway.url, 'http://any.host/api'),
      ]);
    }
    await expect(sendRequest('http://any.host/api/unknown')).rejects.toThrow('is not found');
  } finally {
    await polly.stop();
  }
});
