import type { HeaderLines } from '../../exchange/headers.ts';
import { MultiSearch } from '../../secrets/multi-search.ts';
import { type BytesOrMatch, escapePattern, groupOf, type StreamPattern } from './stream-splitter.ts';

/** Replaces the upstream’s origin in recordings. `.invalid` never resolves (RFC 2606), so no request can reach it. */
export const RECORDED_ORIGIN = 'http://upstream.invalid';

const withoutScheme = (base: string): string => base.replace(/^[^:]*:/, '');
const escaped = (base: string): string => base.replaceAll('/', '\\/');

/** The characters before a scheme-relative reference. Elsewhere `//` may begin a comment. */
const BEFORE_RELATIVE = '(?<=["\'<(]|^)';
/** Excludes longer hosts, other ports and user names: `http://host.example`, `http://host:8080`. */
const NOT_LONGER = '(?![\\w@-]|\\.\\w|:\\d|%3A\\d|%40)';
/** How many characters that lookahead needs. */
const AHEAD = 4;

/** The encodings of an origin, and how a base is encoded in each. */
const ORIGIN_ENCODINGS: readonly { readonly encode: (base: string) => string; readonly before: string }[] = [
  { encode: (base) => base, before: '' },
  { encode: escaped, before: '' },
  { encode: encodeURIComponent, before: '' },
  { encode: withoutScheme, before: BEFORE_RELATIVE },
  { encode: (base) => escaped(withoutScheme(base)), before: BEFORE_RELATIVE },
];

const DEFAULT_PORTS = [
  ['http:', ':80'],
  ['https:', ':443'],
] as const;

/**
 * The base with and without the default port of its scheme, the longer one first. A base without an explicit port is
 * returned with both schemes: a service behind a TLS-terminating proxy may write its own URLs with `http:`, and a client
 * that follows such a URL must reach the gateway, too.
 */
function withAndWithoutPort(base: string): string[] {
  const { hostname, port, origin } = new URL(base);
  const path = base.slice(base.indexOf('//') + 2).replace(/^[^/]*/, '');
  if (port !== '') return [`${origin}${path}`];
  return DEFAULT_PORTS.flatMap(([scheme, defaultPort]) => [
    `${scheme}//${hostname}${defaultPort}${path}`,
    `${scheme}//${hostname}${path}`,
  ]);
}

const MAX_PATTERNS = 1000;
/** By base address: to compile a pattern costs more than all else for a short request. */
const patterns = new Map<string, StreamPattern>();

/**
 * Finds an origin, or an origin with a path (`http://127.0.0.1:9/~/lane`), in any letter case.
 * @param base without a slash at its end
 */
export function originPattern(base: string): StreamPattern {
  const pattern = patterns.get(base) ?? compilePattern(base);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(base, pattern);
  return pattern;
}

function compilePattern(base: string): StreamPattern {
  const all = withAndWithoutPort(base);
  const groups = ORIGIN_ENCODINGS.map(
    ({ encode, before }) => `${before}(${all.map((each) => escapePattern(encode(each))).join('|')})`,
  );
  const needles = ORIGIN_ENCODINGS.flatMap(({ encode }) => all.map((each) => encode(each).toLowerCase()));
  let search: MultiSearch<unknown> | undefined;
  return {
    pattern: new RegExp(`(?:${groups.join('|')})${NOT_LONGER}`, 'gi'),
    needles,
    get search() {
      search ??= needles.reduce((all, each) => all.add(Buffer.from(each), true), new MultiSearch<unknown>(true));
      return search;
    },
    lookahead: AHEAD,
  };
}

const encodedAs = (group: number, base: string): string => ORIGIN_ENCODINGS[group]?.encode(base) ?? '';

/**
 * Replaces the found base by another one, in the same encoding.
 * @example replaceOrigin('<http://api.example/x?page=2>; rel="next"', originPattern('http://api.example'), RECORDED_ORIGIN)
 */
export function replaceOrigin(text: string, { pattern }: StreamPattern, base: string): string {
  return text.replace(pattern, (_, ...rest) => encodedAs(groupOf(rest.slice(0, ORIGIN_ENCODINGS.length)), base));
}

/** The parts of a `OriginSplitter` as bytes, each found origin replaced by this base. */
export function piecesWithOrigin(pieces: readonly BytesOrMatch[], base: string): Uint8Array[] {
  return pieces.map((each) => (typeof each === 'number' ? Buffer.from(encodedAs(each, base), 'latin1') : each));
}

/**
 * Header lines for a client: the origin is replaced by another base, and absolute-path references (`/jobs/1`) get the path of that
 * base, so that a client that follows them stays in its lane.
 * @param base own origin, and the prefix of the lane
 * @example headersForClient([['Location', '/jobs/1']], finder, 'http://127.0.0.1:9/~/ci') // [['Location', '/~/ci/jobs/1']]
 */
export function headersForClient(lines: HeaderLines, upstream: StreamPattern, base: string): [string, string][] {
  const { pathname } = new URL(base);
  const prefix = pathname === '/' ? '' : pathname;
  return lines.map(([name, value]) => {
    const absolutePath = prefix === '' ? undefined : ABSOLUTE_PATHS[name.toLowerCase()];
    const prefixed = absolutePath ? value.replace(absolutePath, (before) => `${before}${prefix}`) : value;
    return [name, replaceOrigin(prefixed, upstream, base)];
  });
}

/** For each header with a URL: where an absolute-path reference (RFC 3986, section 4.2), such as `/jobs/1`, begins. */
const ABSOLUTE_PATHS: Record<string, RegExp> = {
  location: /^(?=\/(?!\/))/,
  'content-location': /^(?=\/(?!\/))/,
  link: /<(?=\/(?!\/))/g,
  // A cookie with `Path=/` is sent with requests of all lanes, so it is not changed.
  'set-cookie': /;\s*path=(?=\/[^;\s])/i,
};

/** Whether origins are replaced in bodies of this media type; undefined if no type is declared. */
export function mayHoldUrls(type: string): boolean | undefined {
  if (type === '') return undefined;
  return /^text\/|[/+](?:json|xml)$|json|javascript|yaml|x-www-form-urlencoded|graphql/.test(type);
}
