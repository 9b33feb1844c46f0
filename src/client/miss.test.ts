import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveSource } from './live-source.ts';

test('an answer of our replay that it holds nothing is no answer, is not asked again and counts as no refusal', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const marked = request.url === '/miss' ? { 'x-mdwi-miss': 'not-recorded' } : {};
    response.writeHead(request.url === '/ok' ? 200 : 502, {
      ...marked,
      ...(request.url === '/ok' && { 'x-mdwi-miss': '1' }),
    });
    response.end('{"says":"not recorded: GET /miss"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = createLiveSource({ stopAfterRefusals: 2 });
  onTestFinished(async () => {
    await source.close();
    server.close();
  });
  const send = (path: string) => source.send({ method: 'GET', url: `${base}${path}`, headers: [] });
  for (let n = 0; n < 5; n++) {
    const { response, failure, body } = await send('/miss');
    expect(response).toBeUndefined();
    expect(body.bytes).toBe(0);
    expect(failure).toEqual({
      kind: 'notRecorded',
      message: `GET ${base}/miss: no recording holds this request: record it (not recorded: GET /miss)`,
    });
  }
  expect(asked).toBe(5);
  expect((await send('/ok')).response?.status).toBe(200);
  expect((await send('/other')).response?.status).toBe(502);
});
