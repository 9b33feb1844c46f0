/** Oddities of paths and methods beside the documented ones (sections 4 and 9). */
import { OPERATIONS } from '../../src/contract/index.ts';
import type { RoutedRequest as Path, RouteMatch } from '../router.ts';
import { always, jsonReply } from './hooks.ts';
import type { Oddity } from './types.ts';

/** A path that leads nowhere by itself is tried under another spelling. */
const alsoAs = (respell: (asked: Path) => Path) =>
  always({
    route(asked, route) {
      const match = route(asked);
      return match.is === 'nowhere' ? route(respell(asked)) : match;
    },
  });

const byLowerCase = new Map(OPERATIONS.map(({ path }) => [path.toLowerCase(), path]));
const LOOKUP = '/platformapi/prodref/v1/products/';

/** The documented spelling of a path written in any case. */
function documented(path: string): string {
  const lower = path.toLowerCase();
  return lower.startsWith(LOOKUP)
    ? `/PLATFORMAPI/prodRef/v1/products/${path.slice(LOOKUP.length)}`
    : (byLowerCase.get(lower) ?? path);
}

/** The same path under any method. */
const anyMethod = (asked: Path, route: (asked: Path) => RouteMatch): RouteMatch => {
  const match = route(asked);
  return match.is === 'wrongMethod' ? route({ ...asked, method: match.allow[0] ?? asked.method }) : match;
};

const VERSIONED = ['/data-access/', '/PLATFORMAPI/prodRef/', '/RetailMeasurement/'];

export const PATH_ODDITIES: readonly Oddity[] = [
  {
    name: 'path-in-any-case',
    reading: 'extras',
    says: 'Paths are served in any case.',
    start: alsoAs((asked) => ({ ...asked, path: documented(asked.path) })),
  },
  {
    name: 'path-with-a-slash-more',
    reading: 'extras',
    says: 'Paths are served with a slash at their end, and with doubled slashes, too.',
    start: alsoAs((asked) => ({ ...asked, path: asked.path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '') })),
  },
  {
    name: 'path-without-version-too',
    reading: 'extras',
    says: 'Versioned groups are served without the segment v1 as well.',
    start: alsoAs((asked) => {
      const prefix = VERSIONED.find((each) => asked.path.startsWith(each));
      return prefix ? { ...asked, path: `${prefix}v1/${asked.path.slice(prefix.length)}` } : asked;
    }),
  },
  {
    name: 'path-of-any-version',
    reading: 'extras',
    says: 'The version segment may be any number.',
    start: alsoAs((asked) => ({ ...asked, path: asked.path.replace(/\/v\d+\//, '/v1/') })),
  },
  {
    name: 'path-without-version-redirects',
    reading: 'statuses',
    says: 'A path without its version segment is redirected to the documented one.',
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
    reading: 'statuses',
    says: 'Every documented path is answered 307 with the place of the shard that holds the data.',
    start: always({
      before({ path, base, query }) {
        const known = !path.startsWith('/shard-7/') && byLowerCase.has(path.toLowerCase());
        const search = query.size > 0 ? `?${query}` : '';
        return known ? { status: 307, headers: { Location: `${base}/shard-7${path}${search}` }, body: '' } : undefined;
      },
      route: (asked, route) =>
        asked.path.startsWith('/shard-7/')
          ? route({ ...asked, path: asked.path.slice('/shard-7'.length) })
          : route(asked),
    }),
  },
  {
    name: 'group-a-answers-anything',
    reading: 'extras',
    groups: ['A'],
    says: 'Below /webservices/ every path is answered 200 with an acknowledgement.',
    start: always({
      finish: (reply, { asked, answer }) =>
        answer.kind === 'noSuchPath' && asked.path.startsWith('/webservices/')
          ? jsonReply(200, { acknowledged: true })
          : reply,
    }),
  },
  {
    name: 'operations-of-its-own',
    reading: 'extras',
    says: 'There are a health check and a description of the interface beside the documented operations.',
    start: always({
      before: ({ path }) =>
        path === '/health' || path === '/openapi.json' || path === '/webservices/health'
          ? jsonReply(200, { status: 'UP', openapi: '3.1.0' })
          : undefined,
    }),
  },
  {
    name: 'head-answered',
    reading: 'extras',
    says: 'HEAD is answered wherever GET is.',
    start: always({ route: (asked, route) => route(asked.method === 'HEAD' ? { ...asked, method: 'GET' } : asked) }),
  },
  {
    name: 'options-answered',
    reading: 'extras',
    says: 'OPTIONS is answered 204 at every path, for browsers of any origin.',
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
    reading: 'extras',
    says: 'Every path is served under any method.',
    start: always({ route: anyMethod }),
  },
];
