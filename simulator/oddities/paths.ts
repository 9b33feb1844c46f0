/** Oddities of undocumented paths and methods (sections 4 and 9). */
import { OPERATIONS } from '../../src/contract/index.ts';
import type { RoutedRequest, RouteMatch } from '../router.ts';
import { always, countingRequests, jsonResponse } from './hooks.ts';
import type { Oddity } from './types.ts';

/** Rewrites unknown paths and routes them again. */
const rewritePath = (rewrite: (request: RoutedRequest) => RoutedRequest) =>
  always({
    route(request, route) {
      const match = route(request);
      return match.kind === 'unknownPath' ? route(rewrite(request)) : match;
    },
  });

const byLowerCase = new Map(OPERATIONS.map(({ path }) => [path.toLowerCase(), path]));
const LOOKUP = '/platformapi/prodref/v1/products/';

/** The documented path for a path in any case. */
function documented(path: string): string {
  const lower = path.toLowerCase();
  return lower.startsWith(LOOKUP)
    ? `/PLATFORMAPI/prodRef/v1/products/${path.slice(LOOKUP.length)}`
    : (byLowerCase.get(lower) ?? path);
}

/** Serves a path under any method. */
const anyMethod = (request: RoutedRequest, route: (request: RoutedRequest) => RouteMatch): RouteMatch => {
  const match = route(request);
  return match.kind === 'wrongMethod' ? route({ ...request, method: match.allow[0] ?? request.method }) : match;
};

const VERSIONED = ['/data-access/', '/PLATFORMAPI/prodRef/', '/RetailMeasurement/'];

export const PATH_ODDITIES: readonly Oddity[] = [
  {
    name: 'path-in-any-case',
    legalBasis: 'extras',
    says: 'Paths are served in any case.',
    start: rewritePath((request) => ({ ...request, path: documented(request.path) })),
  },
  {
    name: 'path-with-a-slash-more',
    legalBasis: 'extras',
    says: 'Paths with a trailing slash or with doubled slashes are served, too.',
    start: rewritePath((request) => ({
      ...request,
      path: request.path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, ''),
    })),
  },
  {
    name: 'path-without-version-too',
    legalBasis: 'extras',
    says: 'Versioned groups are also served without the segment v1.',
    start: rewritePath((request) => {
      const prefix = VERSIONED.find((each) => request.path.startsWith(each));
      return prefix ? { ...request, path: `${prefix}v1/${request.path.slice(prefix.length)}` } : request;
    }),
  },
  {
    name: 'path-of-any-version',
    legalBasis: 'extras',
    says: 'The version segment may be any number.',
    start: rewritePath((request) => ({ ...request, path: request.path.replace(/\/v\d+\//, '/v1/') })),
  },
  {
    name: 'path-without-version-redirects',
    legalBasis: 'statuses',
    says: 'A path without its version segment is redirected to the documented path.',
    start: always({
      before({ path, base }) {
        const prefix = VERSIONED.find((each) => path.startsWith(each) && !/^v\d/.test(path.slice(each.length)));
        return prefix === undefined
          ? undefined
          : { status: 308, headers: { Location: `${base}${prefix}v1/${path.slice(prefix.length)}` }, body: '' };
      },
    }),
  },
  {
    name: 'path-redirects-to-shard',
    legalBasis: 'statuses',
    says: 'Every documented path is redirected with 307 to the shard that stores the data.',
    start: always({
      before({ path, base, query }) {
        const known = !path.startsWith('/shard-7/') && byLowerCase.has(path.toLowerCase());
        const search = query.size > 0 ? `?${query}` : '';
        return known ? { status: 307, headers: { Location: `${base}/shard-7${path}${search}` }, body: '' } : undefined;
      },
      route: (request, route) =>
        request.path.startsWith('/shard-7/')
          ? route({ ...request, path: request.path.slice('/shard-7'.length) })
          : route(request),
    }),
  },
  {
    name: 'every-third-request-redirects',
    legalBasis: 'statuses',
    says: 'Every third request, whatever its path, is redirected with 307 to a node that answers it.',
    start: countingRequests((next) => ({
      before({ path, base, query }) {
        if (path.startsWith('/node-2/') || next() % 3 !== 0) return undefined;
        const search = query.size > 0 ? `?${query}` : '';
        return { status: 307, headers: { Location: `${base}/node-2${path}${search}` }, body: '' };
      },
      route: (request, route) =>
        route(
          request.path.startsWith('/node-2/') ? { ...request, path: request.path.slice('/node-2'.length) } : request,
        ),
    })),
  },
  {
    name: 'group-a-answers-anything',
    legalBasis: 'extras',
    groups: ['A'],
    says: 'Every path below /webservices/ is answered 200 with an acknowledgement.',
    start: always({
      finish: (reply, { request, answer }) =>
        answer.kind === 'noSuchPath' && request.path.startsWith('/webservices/')
          ? jsonResponse(200, { acknowledged: true })
          : reply,
    }),
  },
  {
    name: 'operations-of-its-own',
    legalBasis: 'extras',
    says: 'The server also has a health check and an OpenAPI description.',
    start: always({
      before: ({ path }) =>
        path === '/health' || path === '/openapi.json' || path === '/webservices/health'
          ? jsonResponse(200, { status: 'UP', openapi: '3.1.0' })
          : undefined,
    }),
  },
  {
    name: 'head-answered',
    legalBasis: 'extras',
    says: 'HEAD is answered for every path with GET.',
    start: always({
      route: (request, route) => route(request.method === 'HEAD' ? { ...request, method: 'GET' } : request),
    }),
  },
  {
    name: 'options-answered',
    legalBasis: 'extras',
    says: 'OPTIONS is answered 204 for every path and any origin.',
    start: always({
      before: ({ method }) =>
        method === 'OPTIONS'
          ? {
              status: 204,
              headers: { Allow: 'GET, POST, OPTIONS', 'Access-Control-Allow-Origin': '*' },
              body: '',
            }
          : undefined,
    }),
  },
  {
    name: 'method-of-any-kind',
    legalBasis: 'extras',
    says: 'Every path is served under any method.',
    start: always({ route: anyMethod }),
  },
];
