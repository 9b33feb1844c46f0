/** Oddities of responses to unknown paths and methods (section 7). */
import { OPERATIONS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { acceptingAnyone, READING_CREDENTIALS } from '../faults/credentials.ts';
import {
  levelsOfOneDimension,
  refusingEmptyStarts,
  WITHOUT_DIMENSION,
  withFormerWindow,
} from '../faults/missing-inputs.ts';
import type { ModelAnswer } from '../model/types.ts';
import { always, jsonResponse, onKind, onReply } from './hooks.ts';
import type { Oddity, UnroutedRequest } from './types.ts';

/** Replaces the response to an unknown path; `count` numbers the requests. */
const onUnknownPath = (reply: (request: UnroutedRequest, count: number) => DialectResponse) => () => {
  let count = 0;
  return onKind(['noSuchPath'], (_reply, { request }) => reply(request, ++count))();
};

const APP = '<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>';
const page = (status: number, body: string): DialectResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body,
});

/** The dialects with credentials. */
const WITH_CREDENTIALS = ['hypermedia', 'xml', ...READING_CREDENTIALS] as const;

/** The groups whose operations all need credentials: in the dialect `xml`, `testService` of group A needs none. */
const REQUIRING = ['B', 'C', 'D'] as const;

const LOGIN = '<!doctype html><title>Log in</title><form><input type="password" name="password"></form>';

const isUnauthorized = (answer: ModelAnswer): boolean => answer.kind === 'rejected' && answer.reason === 'unauthorized';

/** Replaces the response to a request without valid credentials. */
const onUnauthorized = (make: () => DialectResponse) =>
  onReply((reply, { answer }) => (isUnauthorized(answer) ? make() : reply));

/** Sends every error as a refusal in a 200. */
const asSuccess = (body: (status: number) => object) =>
  onReply((reply) => (reply.status < 400 ? reply : jsonResponse(200, body(reply.status))));

export const ERROR_ODDITIES: readonly Oddity[] = [
  {
    name: 'nowhere-echoes',
    legalBasis: 'errors',
    says: 'An unknown path is answered 404 with the path, the time and an id of the request in the body.',
    start: onUnknownPath(({ method, path }, count) =>
      jsonResponse(404, {
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
    legalBasis: 'errors',
    says: 'An unknown path is answered 404 with a different message each time.',
    start: onUnknownPath((_request, count) =>
      jsonResponse(404, { message: ['Nothing here.', 'Wrong turn?', 'Try again, friend!'][count % 3] }),
    ),
  },
  {
    name: 'nowhere-401',
    legalBasis: 'errors',
    says: 'An unknown path is answered 401, as if it were protected.',
    start: onUnknownPath(() => jsonResponse(401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' })),
    // Without credentials, documented paths may return the same.
    weakestOutcome: 'undetermined',
  },
  {
    name: 'nowhere-403',
    legalBasis: 'errors',
    says: 'An unknown path is answered 403.',
    start: onUnknownPath(() => jsonResponse(403, { message: 'Missing Authentication Token' })),
  },
  {
    name: 'nowhere-400',
    legalBasis: 'errors',
    says: 'An unknown path is answered 400.',
    start: onUnknownPath(() => jsonResponse(400, { error: 'bad request' })),
  },
  {
    name: 'nowhere-500',
    legalBasis: 'errors',
    says: 'An unknown path is answered 500.',
    start: onUnknownPath(() => jsonResponse(500, { error: 'no handler' })),
  },
  {
    name: 'nowhere-501',
    legalBasis: 'errors',
    says: 'An unknown path is answered 501.',
    start: onUnknownPath(() => jsonResponse(501, { error: 'not implemented' })),
  },
  {
    name: 'nowhere-without-body',
    legalBasis: 'errors',
    says: 'An unknown path is answered 404 without a body.',
    start: onUnknownPath(() => ({ status: 404, headers: {}, body: '' })),
  },
  {
    name: 'nowhere-200-page',
    legalBasis: 'errors',
    says: 'An unknown path is answered 200 with the page of a web application.',
    start: onUnknownPath(() => page(200, APP)),
  },
  {
    name: 'nowhere-200-error',
    legalBasis: 'errors',
    says: 'An unknown path is answered 200 with an error in JSON.',
    start: onUnknownPath(({ path }) =>
      jsonResponse(200, { status: 'error', code: 404, message: `unknown path ${path}` }),
    ),
  },
  {
    name: 'nowhere-redirects',
    legalBasis: 'statuses',
    says: 'An unknown path is redirected to a welcome page.',
    start: onUnknownPath(({ path }) =>
      path === '/welcome'
        ? page(200, APP)
        : { status: 302, headers: { Location: `/welcome?from=${encodeURIComponent(path)}` }, body: '' },
    ),
  },
  {
    name: 'operation-needs-another-scope',
    legalBasis: 'errors',
    groups: ['B'],
    says: 'Dimension/Rows refuses credentials with 403 that the other operations of its group accept.',
    start: onReply((reply, { operation }) => (operation?.name === 'dimensionRows' ? { ...reply, status: 403 } : reply)),
    // Legal only without the promise that the credentials cover it.
    profile: { authCovers: null },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'limit-of-one-operation-403',
    legalBasis: 'limits',
    groups: ['B'],
    says: 'Dimension/Rows has a limit of its own and refuses further requests with 403 and Retry-After.',
    start: onReply((reply, { operation }) =>
      operation?.name === 'dimensionRows'
        ? { ...reply, status: 403, headers: { ...reply.headers, 'Retry-After': '3600' } }
        : reply,
    ),
    profile: { authCovers: ['B'] },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'credentials-expire',
    legalBasis: 'errors',
    groups: ['D'],
    says: 'The credentials expire during the run: Brand performance is refused with 401 from its first request on, and then every operation.',
    start() {
      let expired = false;
      return {
        finish(reply, { operation }) {
          expired ||= operation?.name === 'brandPerformance';
          return expired && operation?.group === 'D' ? { ...reply, status: 401 } : reply;
        },
      };
    },
    profile: { authCovers: ['D'] },
    weakestOutcome: 'undetermined',
  },
  {
    name: 'login-page-in-success',
    legalBasis: 'errors',
    says: 'A request without valid credentials is answered 200 with a login page.',
    start: onUnauthorized(() => page(200, LOGIN)),
    profile: { authRequired: REQUIRING, authVerified: REQUIRING },
    dialects: WITH_CREDENTIALS,
    weakestOutcome: 'undetermined',
  },
  {
    name: 'login-document-in-success',
    legalBasis: 'errors',
    says: 'A request without valid credentials is answered 200 with a JSON document that asks for a login.',
    start: onUnauthorized(() => jsonResponse(200, { login: 'required', at: '/login' })),
    profile: { authRequired: REQUIRING, authVerified: REQUIRING },
    dialects: WITH_CREDENTIALS,
    weakestOutcome: 'undetermined',
  },
  {
    name: 'login-redirect',
    legalBasis: 'statuses',
    says: 'A request without valid credentials is redirected to a login page.',
    start: onReply((reply, { answer, request: { path } }) =>
      path === '/login'
        ? page(200, LOGIN)
        : isUnauthorized(answer)
          ? { status: 302, headers: { Location: '/login' }, body: '' }
          : reply,
    ),
    profile: { authRequired: REQUIRING, authVerified: REQUIRING },
    dialects: WITH_CREDENTIALS,
    weakestOutcome: 'undetermined',
  },
  {
    name: 'operations-without-credentials',
    legalBasis: 'errors',
    says: 'No operation needs credentials, whatever the profile sends.',
    start: always(acceptingAnyone(() => true)),
    // Legal only without the promise that they are required.
    profile: { authRequired: null, authSeparate: null, authVerified: null, authLimited: null },
    dialects: READING_CREDENTIALS,
  },
  {
    name: 'missing-window-is-4-weeks',
    legalBasis: 'errors',
    groups: ['C'],
    says: 'A delta without a window is one of some window.',
    start: () => withFormerWindow(),
    // Legal only without the promise that such a request is refused.
    profile: { operations: { [UPDATE_PRODUCTS]: { statuses: { missing: null } } } },
    dialects: ['reference', 'tabular'],
  },
  {
    name: 'missing-window-422',
    legalBasis: 'errors',
    groups: ['C'],
    says: 'A delta without a window is answered 422, one of the statuses that the profile states.',
    start: onReply((reply, { answer }) =>
      answer.kind === 'rejected' && answer.reason === 'missing' && answer.input === 'window'
        ? { ...reply, status: 422 }
        : reply,
    ),
    profile: { operations: { [UPDATE_PRODUCTS]: { statuses: { missing: [400, 422] } } } },
    dialects: ['reference'],
  },
  {
    name: 'levels-of-one-dimension',
    legalBasis: 'catalogues',
    groups: ['B'],
    says: 'Requests for the levels of a group name no dimension; without their ids they are refused.',
    start: always(levelsOfOneDimension),
    profile: WITHOUT_DIMENSION,
    dialects: ['reference'],
  },
  {
    name: 'empty-starts-refused',
    legalBasis: 'errors',
    groups: ['A'],
    says: 'A POST of group A with an empty body is refused, as the profile states.',
    start: always(refusingEmptyStarts()),
    profile: {
      operations: Object.fromEntries(
        OPERATIONS.filter(({ group, method }) => group === 'A' && method === 'POST').map(({ key }) => [
          key,
          { statuses: { missing: [400] } },
        ]),
      ),
    },
    dialects: ['reference', 'tabular'],
  },
  {
    name: 'method-wrong-404',
    legalBasis: 'errors',
    says: 'An undocumented method is answered 404, like an unknown path.',
    start: onKind(['wrongMethod'], () => jsonResponse(404, { error: 'not found' })),
  },
  {
    name: 'method-wrong-501',
    legalBasis: 'errors',
    says: 'An undocumented method is answered 501.',
    start: onKind(['wrongMethod'], (reply) => ({ ...reply, status: 501 })),
  },
  {
    name: 'method-wrong-200-page',
    legalBasis: 'errors',
    says: 'An undocumented method is answered 200 with a page that names the documented method.',
    start: onKind(['wrongMethod'], ({ headers }) => page(200, `<p>Use ${String(headers.Allow)}.</p>`)),
  },
  {
    name: 'method-wrong-without-allow',
    legalBasis: 'headers',
    says: 'An undocumented method is answered 405 without Allow.',
    start: onKind(['wrongMethod'], ({ headers: { Allow: _, ...headers }, ...reply }) => ({ ...reply, headers })),
  },
  {
    name: 'errors-in-success',
    legalBasis: 'errors',
    says: 'Every error is sent as 200 with its kind in the body, as the profile states in refusal.',
    // Without the profile nothing tells an error from a success.
    weakestOutcome: 'undetermined',
    start: asSuccess((status) => ({ status: 'ERROR', code: status, items: [] })),
    profile: {
      refusal: [
        { at: '$.code', is: 404, like: 404 },
        { at: '$.code', is: 400, like: 400 },
        { at: '$.status', is: 'ERROR' },
      ],
    },
    // The profiles of the others declare the media type, or credentials.
    dialects: ['reference'],
  },
  {
    name: 'errors-in-success-without-kind',
    legalBasis: 'errors',
    says: 'Every error is sent as 200 with the same body, which says only that the request did not succeed.',
    start: asSuccess(() => ({ success: false })),
    profile: { refusal: { at: '$.success', isNot: true }, statuses: { unknown: [200] } },
    weakestOutcome: 'partial',
    // A bare request gets the same response as a path that cannot exist.
    weakestOutcomeUnderEmptyProfile: 'undetermined',
    dialects: ['reference', 'hypermedia'],
  },
  {
    name: 'errors-in-plain-text',
    legalBasis: 'errors',
    says: 'Every error has a body of one line of plain text.',
    start: onReply((reply) =>
      reply.status < 400 ? reply : { status: reply.status, headers: { 'content-type': 'text/plain' }, body: 'ERR\n' },
    ),
  },
  {
    name: 'parameter-unknown-400',
    legalBasis: 'errors',
    says: 'A request with an undocumented query parameter is answered 400.',
    start: () => ({
      before({ query }) {
        const known = ['category', 'categoryId', 'subCategory', 'manufacturer', 'brand', 'weeks', 'jobId', 'mapId'];
        const other = [...query.keys()].find((name) => !known.includes(name));
        return other === undefined ? undefined : jsonResponse(400, { error: `unknown parameter ${other}` });
      },
    }),
    dialects: ['reference'],
  },
];
