import type { HeaderLines } from '../../exchange/header-lines.ts';
import { escapePattern, type Finder, groupOf, type Piece } from './word-finder.ts';

/** Replaces the upstream’s origin in recordings. `.invalid` never resolves (RFC 2606), so no request can reach it. */
export const PLACEHOLDER = 'http://upstream.invalid';

const withoutScheme = (base: string): string => base.replace(/^[^:]*:/, '');
const escaped = (base: string): string => base.replaceAll('/', '\\/');

/** The characters before a scheme-relative reference. Elsewhere `//` may begin a comment. */
const BEFORE_RELATIVE = '(?<=["\'<(]|^)';
/** Excludes longer hosts, other ports and user names: `http://host.example`, `http://host:8080`. */
const NOT_LONGER = '(?![\\w@-]|\\.\\w|:\\d|%3A\\d|%40)';
/** How many characters that lookahead needs. */
const AHEAD = 4;

/** The encodings of an origin, and how a base is encoded in each. */
const FORMS: readonly { readonly encode: (base: string) => string; readonly before: string }[] = [
  { encode: (base) => base, before: '' },
  { encode: escaped, before: '' },
  { encode: encodeURIComponent, before: '' },
  { encode: withoutScheme, before: BEFORE_RELATIVE },
  { encode: (base) => escaped(withoutScheme(base)), before: BEFORE_RELATIVE },
];

const IMPLIED_PORTS = [
  ['http:', ':80'],
  ['https:', ':443'],
] as const;

/**
 * All forms of a base: with and without the default port of its scheme, the longer one first. With the default port both
 * schemes count: a service behind a TLS-terminating proxy names itself `http://…`, and a client must not follow that URL
 * past the gateway.
 */
function formsOf(base: string): string[] {
  const { hostname, port, origin } = new URL(base);
  const path = base.slice(base.indexOf('//') + 2).replace(/^[^/]*/, '');
  if (port !== '') return [`${origin}${path}`];
  return IMPLIED_PORTS.flatMap(([scheme, implied]) => [
    `${scheme}//${hostname}${implied}${path}`,
    `${scheme}//${hostname}${path}`,
  ]);
}

/**
 * Finds an origin, or an origin with a path (`http://127.0.0.1:9/~/lane`), in any letter case.
 * @param base without a slash at its end
 */
export function findOrigin(base: string): Finder {
  const all = formsOf(base);
  const groups = FORMS.map(
    ({ encode, before }) => `${before}(${all.map((each) => escapePattern(encode(each))).join('|')})`,
  );
  return {
    pattern: new RegExp(`(?:${groups.join('|')})${NOT_LONGER}`, 'gi'),
    needles: FORMS.flatMap(({ encode }) => all.map((each) => encode(each).toLowerCase())),
    lookahead: AHEAD,
  };
}

const encodedAs = (group: number, base: string): string => FORMS[group]?.encode(base) ?? '';

/**
 * Replaces the found base by another one, in the same encoding.
 * @example replaceOrigin('<http://api.example/x?page=2>; rel="next"', findOrigin('http://api.example'), PLACEHOLDER)
 */
export function replaceOrigin(text: string, { pattern }: Finder, base: string): string {
  return text.replace(pattern, (_, ...rest) => encodedAs(groupOf(rest.slice(0, FORMS.length)), base));
}

/** The pieces of a `WordSplitter` as bytes, each found origin replaced by this base. */
export function piecesWithOrigin(pieces: readonly Piece[], base: string): Uint8Array[] {
  return pieces.map((each) => (typeof each === 'number' ? Buffer.from(encodedAs(each, base), 'latin1') : each));
}

/**
 * Header lines for a client: the origin is replaced by another base, and URLs that begin with `/` get that base’s path, so
 * that a client that follows them stays in its lane.
 * @param base own origin, and the prefix of the lane
 * @example linesFor([['Location', '/jobs/1']], finder, 'http://127.0.0.1:9/~/ci') // [['Location', '/~/ci/jobs/1']]
 */
export function linesFor(lines: HeaderLines, upstream: Finder, base: string): [string, string][] {
  const { pathname } = new URL(base);
  const prefix = pathname === '/' ? '' : pathname;
  return lines.map(([name, value]) => {
    const rooted = prefix === '' ? undefined : ROOTED[name.toLowerCase()];
    const prefixed = rooted ? value.replace(rooted, (before) => `${before}${prefix}`) : value;
    return [name, replaceOrigin(prefixed, upstream, base)];
  });
}

/** The headers that hold a URL, and the text before a URL that begins with `/`. */
const ROOTED: Record<string, RegExp> = {
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
