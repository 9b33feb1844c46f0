/** A session that ends during a run, at a service that says so with 200. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runConformance } from '../commands/run-conformance.ts';
import type { ProfileInput } from '../profile/schema.ts';
import { listen } from '../resources.test.support.ts';

const UPCS = ['012345678905', '036000291452', '042100000177', '021000658831'];

/** Starts a service whose sessions end after a number of requests. */
async function start(requestsPerSession: number) {
  let [logins, left] = [0, 0];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url as string, 'http://any.invalid');
    const respond = (value: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (pathname === '/login') {
      left = requestsPerSession;
      return respond({ sid: `session-${++logins}` });
    }
    if (request.headers['x-session'] !== `session-${logins}` || left-- <= 0) return respond({ error: 'SESSION' });
    if (pathname.endsWith('/allProducts')) return respond({ items: UPCS.map((upc) => ({ upc })) });
    const upc = pathname.split('/').at(-1) as string;
    if (!/\/products\/\d+$/.test(pathname) || !UPCS.includes(upc)) return response.writeHead(404).end();
    return respond({ items: [{ upc, size: 'L' }] });
  });
  return { logins: () => logins, baseUrl: await listen(server) };
}

const LOOK_UP = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';
const profile: ProfileInput = {
  name: 'mine',
  auth: { scheme: 'login', request: { url: '/login' }, token: '$.sid', in: 'header', name: 'X-Session' },
  refusal: [{ at: '$.error', present: true, like: 401 }],
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/allProducts': {
      request: {},
      response: { rows: '$.items', fields: { upc: '@.upc' } },
    },
    [LOOK_UP]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc', characteristics: '@.size' } } },
  },
};

const verdictOf = async (baseUrl: string) => {
  const { results } = await runConformance({ baseUrl, profile, rules: ['C.lookup-listed'] });
  return results
    .map(({ rule, verdict, note }) => ({ rule, verdict, note }))
    .find(({ rule }) => rule === 'C.lookup-listed');
};

test('a session that ends is opened again, and the refused request is sent again', async () => {
  const { baseUrl, logins } = await start(3);
  expect(await verdictOf(baseUrl)).toEqual({ rule: 'C.lookup-listed', verdict: 'pass' });
  expect(logins()).toBeGreaterThan(1);
});

test('a session that is refused at once is opened once more for each request', async () => {
  const { baseUrl, logins } = await start(0);
  expect((await verdictOf(baseUrl))?.verdict).not.toBe('pass');
  expect(logins()).toBeLessThan(20);
});
