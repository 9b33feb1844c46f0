/** Oddities of responses to unknown paths and methods (section 7). */
import { OPERATIONS } from '../../src/contract/index.ts';
import { stating } from '../deviations/places.ts';
import { empty, jsonResponse, onReply, onReplyTo, page, withStatus } from '../deviations/replies.ts';
import type { Hooks, UnroutedRequest } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { acceptingAnyone, READING_CREDENTIALS } from '../faults/credentials.ts';
import {
  levelsOfOneDimension,
  refusedWithoutInput,
  refusingEmptyStarts,
  WITHOUT_DIMENSION,
  withFormerWindow,
} from '../faults/missing-inputs.ts';
import type { ModelAnswer } from '../model/types.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

/** Replaces the response to an unknown path; `count` numbers the requests. */
const onUnknownPath = (reply: (request: UnroutedRequest, count: number) => DialectResponse) => () => {
  let count = 0;
  return onReplyTo({ kind: 'noSuchPath' }, (_reply, { request }) => reply(request, ++count));
};

/** An unknown path is answered in another way. */
const nowhere = (name: string, what: string, reply: Parameters<typeof onUnknownPath>[0]): Oddity =>
  oddity(`nowhere-${name}`, 'errors', 'all', {
    says: `An unknown path is answered ${what}.`,
    hooks: onUnknownPath(reply),
  });

const APP = '<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>';
/** The dialects with credentials. */
const WITH_CREDENTIALS = ['hypermedia', 'xml', ...READING_CREDENTIALS] as const;

/** The groups whose operations all need credentials: in the dialect `xml`, `testService` of group A needs none. */
const REQUIRING = ['B', 'C', 'D'] as const;

const LOGIN = '<!doctype html><title>Log in</title><form><input type="password" name="password"></form>';

const isUnauthorized = (answer: ModelAnswer): boolean => answer.kind === 'rejected' && answer.reason === 'unauthorized';

/** A request without valid credentials gets a login in place of an error. */
const login = (name: string, basis: 'errors' | 'statuses', what: string, hooks: Hooks): Oddity =>
  oddity(`login-${name}`, basis, 'all', {
    says: `A request without valid credentials is ${what}.`,
    hooks,
    profile: { authRequired: REQUIRING, authVerified: REQUIRING },
    dialects: WITH_CREDENTIALS,
    weakestOutcome: 'undetermined',
  });

/** Sends every error as a refusal in a 200. */
const asSuccess = (body: (status: number) => object) =>
  onReply((reply) => (reply.status < 400 ? reply : jsonResponse(200, body(reply.status))));

/** An undocumented method is answered in another way. */
const wrongMethod = (
  name: string,
  what: string,
  change: Parameters<typeof onReplyTo>[1],
  basis: 'errors' | 'headers' = 'errors',
): Oddity =>
  oddity(`method-wrong-${name}`, basis, 'all', {
    says: `An undocumented method is answered ${what}.`,
    hooks: onReplyTo({ kind: 'wrongMethod' }, change),
  });

export const ERROR_ODDITIES: readonly Oddity[] = [
  oddity('nowhere-echoes', 'errors', 'all', {
    says: 'An unknown path is answered 404 with the path, the time and an id of the request in the body.',
    hooks: onUnknownPath(({ method, path }, count) =>
      jsonResponse(404, {
        timestamp: new Date(1_700_000_000_000 + count * 1373).toISOString(),
        status: 404,
        error: 'Not Found',
        message: `No endpoint ${method} ${path}.`,
        path,
        requestId: `${count.toString(16).padStart(8, '0')}-7c1e-4b3a-9d2f-${(count * 7919).toString(16).padStart(12, '0')}`,
      }),
    ),
  }),
  nowhere('says-something-else', '404 with a different message each time', (_request, count) =>
    jsonResponse(404, { message: ['Nothing here.', 'Wrong turn?', 'Try again, friend!'][count % 3] }),
  ),
  // Without credentials, documented paths may return the same.
  undeterminedOddity('nowhere-401', 'errors', 'all', {
    says: 'An unknown path is answered 401, as if it were protected.',
    hooks: onUnknownPath(() => jsonResponse(401, { error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer' })),
  }),
  nowhere('403', '403', () => jsonResponse(403, { message: 'Missing Authentication Token' })),
  nowhere('400', '400', () => jsonResponse(400, { error: 'bad request' })),
  nowhere('500', '500', () => jsonResponse(500, { error: 'no handler' })),
  nowhere('501', '501', () => jsonResponse(501, { error: 'not implemented' })),
  nowhere('without-body', '404 without a body', () => empty(404)),
  nowhere('200-page', '200 with the page of a web application', () => page(200, APP)),
  nowhere('200-error', '200 with an error in JSON', ({ path }) =>
    jsonResponse(200, { status: 'error', code: 404, message: `unknown path ${path}` }),
  ),
  oddity('nowhere-redirects', 'statuses', 'all', {
    says: 'An unknown path is redirected to a welcome page.',
    hooks: onUnknownPath(({ path }) =>
      path === '/welcome' ? page(200, APP) : empty(302, { Location: `/welcome?from=${encodeURIComponent(path)}` }),
    ),
  }),
  undeterminedOddity('operation-needs-another-scope', 'errors', 'B', {
    says: 'Dimension/Rows refuses credentials with 403 that the other operations of its group accept.',
    hooks: onReplyTo({ operation: 'dimensionRows' }, withStatus(403)),
    // Legal only without the promise that the credentials cover it.
    profile: { authCovers: null },
  }),
  undeterminedOddity('limit-of-one-operation-403', 'limits', 'B', {
    says: 'Dimension/Rows has a limit of its own and refuses further requests with 403 and Retry-After.',
    hooks: onReplyTo({ operation: 'dimensionRows' }, (reply) => ({
      ...reply,
      status: 403,
      headers: { ...reply.headers, 'Retry-After': '3600' },
    })),
    profile: { authCovers: ['B'] },
  }),
  undeterminedOddity('credentials-expire', 'errors', 'D', {
    says: 'The credentials expire during the run: Brand performance is refused with 401 from its first request on, and then every operation.',
    hooks() {
      let expired = false;
      return {
        finish(reply, { operation }) {
          expired ||= operation?.name === 'brandPerformance';
          return expired && operation?.group === 'D' ? { ...reply, status: 401 } : reply;
        },
      };
    },
    profile: { authCovers: ['D'] },
  }),
  login(
    'page-in-success',
    'errors',
    'answered 200 with a login page',
    onReply((reply, { answer }) => (isUnauthorized(answer) ? page(200, LOGIN) : reply)),
  ),
  login(
    'document-in-success',
    'errors',
    'answered 200 with a JSON document that asks for a login',
    onReply((reply, { answer }) =>
      isUnauthorized(answer) ? jsonResponse(200, { login: 'required', at: '/login' }) : reply,
    ),
  ),
  login(
    'redirect',
    'statuses',
    'redirected to a login page',
    onReply((reply, { answer, request: { path } }) => {
      if (path === '/login') return page(200, LOGIN);
      return isUnauthorized(answer) ? empty(302, { Location: '/login' }) : reply;
    }),
  ),
  oddity('operations-without-credentials', 'errors', 'all', {
    says: 'No operation needs credentials, whatever the profile sends.',
    hooks: acceptingAnyone(() => true),
    // Legal only without the promise that they are required.
    profile: { authRequired: null, authSeparate: null, authVerified: null, authLimited: null },
    dialects: READING_CREDENTIALS,
  }),
  oddity('missing-window-is-4-weeks', 'errors', 'C', {
    says: 'A delta without a window is one of some window.',
    hooks: withFormerWindow,
    // Legal only without the promise that such a request is refused.
    profile: stating(['updateProducts'], { statuses: { missing: null } }),
    dialects: ['reference', 'tabular'],
  }),
  oddity('missing-window-422', 'errors', 'C', {
    says: 'A delta without a window is answered 422, one of the statuses that the profile states.',
    hooks: onReply((reply, { answer }) =>
      answer.kind === 'rejected' && answer.reason === 'missing' && answer.input === 'window'
        ? { ...reply, status: 422 }
        : reply,
    ),
    profile: stating(['updateProducts'], { statuses: { missing: [400, 422] } }),
    dialects: ['reference'],
  }),
  oddity('levels-of-one-dimension', 'catalogues', 'B', {
    says: 'Requests for the levels of a group name no dimension; without their ids they are refused.',
    hooks: levelsOfOneDimension,
    profile: WITHOUT_DIMENSION,
    dialects: ['reference'],
  }),
  oddity('empty-starts-refused', 'errors', 'A', {
    says: 'A POST of group A with an empty body is refused, as the profile states.',
    hooks: refusingEmptyStarts(),
    profile: refusedWithoutInput(
      ...OPERATIONS.filter(({ group, method }) => group === 'A' && method === 'POST').map(({ name }) => name),
    ),
    dialects: ['reference', 'tabular'],
  }),
  wrongMethod('404', '404, like an unknown path', () => jsonResponse(404, { error: 'not found' })),
  wrongMethod('501', '501', withStatus(501)),
  wrongMethod('200-page', '200 with a page that names the documented method', ({ headers }) =>
    page(200, `<p>Use ${String(headers.Allow)}.</p>`),
  ),
  wrongMethod(
    'without-allow',
    '405 without Allow',
    ({ headers: { Allow: _, ...headers }, ...reply }) => ({ ...reply, headers }),
    'headers',
  ),
  // Without the profile nothing tells an error from a success.
  undeterminedOddity('errors-in-success', 'errors', 'all', {
    says: 'Every error is sent as 200 with its kind in the body, as the profile states in refusal.',
    hooks: asSuccess((status) => ({ status: 'ERROR', code: status, items: [] })),
    profile: {
      refusal: [
        { at: '$.code', is: 404, like: 404 },
        { at: '$.code', is: 400, like: 400 },
        { at: '$.status', is: 'ERROR' },
      ],
    },
    // The profiles of the others declare the media type, or credentials.
    dialects: ['reference'],
  }),
  partialOddity('errors-in-success-without-kind', 'errors', 'all', {
    says: 'Every error is sent as 200 with the same body, which says only that the request did not succeed.',
    hooks: asSuccess(() => ({ success: false })),
    profile: { refusal: { at: '$.success', isNot: true }, statuses: { unknown: [200] } },
    // A bare request gets the same response as a path that cannot exist.
    weakestOutcomeUnderEmptyProfile: 'undetermined',
    dialects: ['reference', 'hypermedia'],
  }),
  oddity('errors-in-plain-text', 'errors', 'all', {
    says: 'Every error has a body of one line of plain text.',
    hooks: onReply((reply) =>
      reply.status < 400 ? reply : { status: reply.status, headers: { 'content-type': 'text/plain' }, body: 'ERR\n' },
    ),
  }),
  oddity('parameter-unknown-400', 'errors', 'all', {
    says: 'A request with an undocumented query parameter is answered 400.',
    hooks: () => ({
      before({ query }) {
        const known = ['category', 'categoryId', 'subCategory', 'manufacturer', 'brand', 'weeks', 'jobId', 'mapId'];
        const other = [...query.keys()].find((name) => !known.includes(name));
        return other === undefined ? undefined : jsonResponse(400, { error: `unknown parameter ${other}` });
      },
    }),
    dialects: ['reference'],
  }),
];
