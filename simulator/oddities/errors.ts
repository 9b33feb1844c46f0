/** Oddities of what paths and methods that do not exist are answered (section 7). */
import type { Reply } from '../dialects/types.ts';
import { jsonReply, onKind, onReply } from './hooks.ts';
import type { Oddity, UnroutedRequest } from './types.ts';

/** Answers to paths that do not exist; `count` tells the requests apart. */
const nowhere = (answer: (asked: UnroutedRequest, count: number) => Reply) => () => {
  let count = 0;
  return onKind(['noSuchPath'], (_reply, { asked }) => answer(asked, ++count))();
};

const APP = '<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>';
const page = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

export const ERROR_ODDITIES: readonly Oddity[] = [
  {
    name: 'nowhere-echoes',
    reading: 'errors',
    says: 'A path that does not exist is answered 404 with the path, the time and an id of the request.',
    start: nowhere(({ method, path }, count) =>
      jsonReply(404, {
        timestamp: new Date(1_700_000_000_000 + count * 1373).toISOString(),
        status: 404,
        error: 'Not Found',
        message: `No endpoint ${method} ${path}.`,
        path,
        requestId: `${count.toString(16).padStart(8, '0')}-7c1e-4b3a-9d2f-${(count * 7919).toString(16).padStart(12, '0')}`,
      }),
    ),
  },
  {
    name: 'nowhere-says-something-else',
    reading: 'errors',
    says: 'A path that does not exist is answered 404 with another sentence each time.',
    start: nowhere((_asked, count) =>
      jsonReply(404, { message: ['Nothing here.', 'Wrong turn?', 'Try again, friend!'][count % 3] }),
    ),
  },
  {
    name: 'nowhere-401',
    reading: 'errors',
    says: 'A path that does not exist is answered 401: what is not known is protected.',
    start: nowhere(() => jsonReply(401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' })),
    // Without credentials that is what the documented paths may answer too.
    leaves: 'undetermined',
  },
  {
    name: 'nowhere-403',
    reading: 'errors',
    says: 'A path that does not exist is answered 403.',
    start: nowhere(() => jsonReply(403, { message: 'Missing Authentication Token' })),
  },
  {
    name: 'nowhere-400',
    reading: 'errors',
    says: 'A path that does not exist is answered 400.',
    start: nowhere(() => jsonReply(400, { error: 'bad request' })),
  },
  {
    name: 'nowhere-500',
    reading: 'errors',
    says: 'A path that does not exist is answered 500.',
    start: nowhere(() => jsonReply(500, { error: 'no handler' })),
  },
  {
    name: 'nowhere-501',
    reading: 'errors',
    says: 'A path that does not exist is answered 501.',
    start: nowhere(() => jsonReply(501, { error: 'not implemented' })),
  },
  {
    name: 'nowhere-without-body',
    reading: 'errors',
    says: 'A path that does not exist is answered 404 with nothing else.',
    start: nowhere(() => ({ status: 404, headers: {}, body: '' })),
  },
  {
    name: 'nowhere-200-page',
    reading: 'errors',
    says: 'A path that does not exist is answered 200 with the page of a web application.',
    start: nowhere(() => page(200, APP)),
  },
  {
    name: 'nowhere-200-error',
    reading: 'errors',
    says: 'A path that does not exist is answered 200 with an error in JSON.',
    start: nowhere(({ path }) => jsonReply(200, { status: 'error', code: 404, message: `unknown path ${path}` })),
  },
  {
    name: 'nowhere-redirects',
    reading: 'statuses',
    says: 'A path that does not exist is redirected to a page for visitors.',
    start: nowhere(({ path }) =>
      path === '/welcome'
        ? page(200, APP)
        : { status: 302, headers: { Location: `/welcome?from=${encodeURIComponent(path)}` }, body: '' },
    ),
  },
  {
    name: 'method-wrong-404',
    reading: 'errors',
    says: 'A method that is not documented is answered 404, as a path that does not exist is.',
    start: onKind(['wrongMethod'], () => jsonReply(404, { error: 'not found' })),
  },
  {
    name: 'method-wrong-501',
    reading: 'errors',
    says: 'A method that is not documented is answered 501.',
    start: onKind(['wrongMethod'], (reply) => ({ ...reply, status: 501 })),
  },
  {
    name: 'method-wrong-200-page',
    reading: 'errors',
    says: 'A method that is not documented is answered 200 with a page that explains the right one.',
    start: onKind(['wrongMethod'], ({ headers }) => page(200, `<p>Use ${String(headers.Allow)}.</p>`)),
  },
  {
    name: 'method-wrong-without-allow',
    reading: 'headers',
    says: 'A method that is not documented is answered 405 without Allow.',
    start: onKind(['wrongMethod'], ({ headers: { Allow: _, ...headers }, ...reply }) => ({ ...reply, headers })),
  },
  {
    name: 'errors-in-plain-text',
    reading: 'errors',
    says: 'Whatever is not found or refused is answered with one line of plain text.',
    start: onReply((reply) =>
      reply.status < 400 ? reply : { status: reply.status, headers: { 'content-type': 'text/plain' }, body: 'ERR\n' },
    ),
  },
  {
    name: 'parameter-unknown-400',
    reading: 'errors',
    says: 'A request with a query parameter nobody documented is answered 400.',
    start: () => ({
      before({ query }) {
        const known = ['category', 'categoryId', 'subCategory', 'manufacturer', 'brand', 'weeks', 'jobId'];
        const other = [...query.keys()].find((name) => !known.includes(name));
        return other === undefined ? undefined : jsonReply(400, { error: `unknown parameter ${other}` });
      },
    }),
    dialects: ['reference'],
  },
];
