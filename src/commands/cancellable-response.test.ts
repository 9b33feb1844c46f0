import { createRequire } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { cancellableResponse } from './msw-handlers.ts';

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
