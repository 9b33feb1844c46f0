/** Oddities of undocumented paths and methods (sections 4 and 9). */
import { OPERATIONS } from '../../src/contract/index.ts';
import { countingRequests } from '../deviations/changes.ts';
import { jsonResponse } from '../deviations/replies.ts';
import type { Hooks, UnroutedRequest } from '../deviations/types.ts';
import type { DialectResponse } from '../dialects/types.ts';
import type { RoutedRequest, RouteMatch } from '../router.ts';
import { type Oddity, oddity } from './oddity.ts';

/** Rewrites unknown paths and routes them again. */
const rewritePath = (rewrite: (path: string) => string): Hooks => ({
  route(request, route) {
    const match = route(request);
    return match.kind === 'unknownPath' ? route({ ...request, path: rewrite(request.path) }) : match;
  },
});

/** Redirects a request to another path, below the same base path and the same prefix of a profile. */
function redirect(status: number, to: string, { base, path, target }: UnroutedRequest): DialectResponse {
  const end = target.search(/\?|$/);
  const location = `${new URL(base).origin}${target.slice(0, end - path.length)}${to}${target.slice(end)}`;
  return { status, headers: { Location: location }, body: '' };
}

/** Redirects some requests with 307 to a node that answers them below a segment of its own. */
const redirectingTo = (node: string, isRedirected: (request: UnroutedRequest) => boolean): Hooks => ({
  before(request) {
    const { path } = request;
    return !path.startsWith(`${node}/`) && isRedirected(request) ? redirect(307, node + path, request) : undefined;
  },
  route: (request, route) =>
    route(request.path.startsWith(`${node}/`) ? { ...request, path: request.path.slice(node.length) } : request),
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
  oddity('path-in-any-case', 'extras', 'all', {
    says: 'Paths are served in any case.',
    hooks: rewritePath(documented),
  }),
  oddity('path-with-a-slash-more', 'extras', 'all', {
    says: 'Paths with a trailing slash or with doubled slashes are served, too.',
    hooks: rewritePath((path) => path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')),
  }),
  oddity('path-without-version-too', 'extras', 'all', {
    says: 'Versioned groups are also served without the segment v1.',
    hooks: rewritePath((path) => {
      const prefix = VERSIONED.find((each) => path.startsWith(each));
      return prefix ? `${prefix}v1/${path.slice(prefix.length)}` : path;
    }),
  }),
  oddity('path-of-any-version', 'extras', 'all', {
    says: 'The version segment may be any number.',
    hooks: rewritePath((path) => path.replace(/\/v\d+\//, '/v1/')),
  }),
  oddity('path-without-version-redirects', 'statuses', 'all', {
    says: 'A path without its version segment is redirected to the documented path.',
    hooks: {
      before(request) {
        const { path } = request;
        const prefix = VERSIONED.find((each) => path.startsWith(each) && !/^v\d/.test(path.slice(each.length)));
        return prefix === undefined ? undefined : redirect(308, `${prefix}v1/${path.slice(prefix.length)}`, request);
      },
    },
  }),
  oddity('path-redirects-to-shard', 'statuses', 'all', {
    says: 'Every documented path is redirected with 307 to the shard that stores the data.',
    hooks: redirectingTo('/shard-7', ({ path }) => byLowerCase.has(path.toLowerCase())),
  }),
  oddity('every-third-request-redirects', 'statuses', 'all', {
    says: 'Every third request, whatever its path, is redirected with 307 to a node that answers it.',
    hooks: countingRequests((next) => redirectingTo('/node-2', () => next() % 3 === 0)),
  }),
  oddity('group-a-answers-anything', 'extras', 'A', {
    says: 'Every path below /webservices/ is answered 200 with an acknowledgement.',
    hooks: {
      finish: (reply, { request, answer }) =>
        answer.kind === 'noSuchPath' && request.path.startsWith('/webservices/')
          ? jsonResponse(200, { acknowledged: true })
          : reply,
    },
  }),
  oddity('operations-of-its-own', 'extras', 'all', {
    says: 'The server also has a health check and an OpenAPI description.',
    hooks: {
      before: ({ path }) =>
        path === '/health' || path === '/openapi.json' || path === '/webservices/health'
          ? jsonResponse(200, { status: 'UP', openapi: '3.1.0' })
          : undefined,
    },
  }),
  oddity('head-answered', 'extras', 'all', {
    says: 'HEAD is answered for every path with GET.',
    hooks: {
      route: (request, route) => route(request.method === 'HEAD' ? { ...request, method: 'GET' } : request),
    },
  }),
  oddity('options-answered', 'extras', 'all', {
    says: 'OPTIONS is answered 204 for every path and any origin.',
    hooks: {
      before: ({ method }) =>
        method === 'OPTIONS'
          ? {
              status: 204,
              headers: { Allow: 'GET, POST, OPTIONS', 'Access-Control-Allow-Origin': '*' },
              body: '',
            }
          : undefined,
    },
  }),
  oddity('method-of-any-kind', 'extras', 'all', {
    says: 'Every path is served under any method.',
    hooks: { route: anyMethod },
  }),
];
