import type { HeaderLines } from '../../exchange/header-lines.ts';
import { escapePattern, type Finder, groupOf, type Piece } from './word-finder.ts';

/** Stands in recordings for the upstream’s origin. `.invalid` never resolves (RFC 2606), so nothing can go there. */
export const PLACEHOLDER = 'http://upstream.invalid';

const withoutScheme = (base: string): string => base.replace(/^[^:]*:/, '');
const escaped = (base: string): string => base.replaceAll('/', '\\/');

/** What stands before a scheme-relative reference where it is one; elsewhere `//` as likely begins a comment. */
const BEFORE_RELATIVE = '(?<=["\'<(]|^)';
/** Another host, port or user may begin with the same letters: `http://host.example`, `http://host:8080`. */
const NOT_LONGER = '(?![\\w@-]|\\.\\w|:\\d|%3A\\d|%40)';
/** How far that looks. */
const AHEAD = 4;

/** The forms an origin is written in, and how a base is spelled in each. */
const FORMS: readonly { readonly spell: (base: string) => string; readonly before: string }[] = [
  { spell: (base) => base, before: '' },
  { spell: escaped, before: '' },
  { spell: encodeURIComponent, before: '' },
  { spell: withoutScheme, before: BEFORE_RELATIVE },
  { spell: (base) => escaped(withoutScheme(base)), before: BEFORE_RELATIVE },
];

const IMPLIED_PORTS = [
  ['http:', ':80'],
  ['https:', ':443'],
] as const;

/**
 * All spellings of a base: with and without the port its scheme implies, the longer one first. On that port both schemes
 * count: a service behind a proxy that ends TLS calls itself `http://…`, and no client is to follow that past us.
 */
function spellings(base: string): string[] {
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
  const all = spellings(base);
  const groups = FORMS.map(
    ({ spell, before }) => `${before}(${all.map((each) => escapePattern(spell(each))).join('|')})`,
  );
  return {
    pattern: new RegExp(`(?:${groups.join('|')})${NOT_LONGER}`, 'gi'),
    needles: FORMS.flatMap(({ spell }) => all.map((each) => spell(each).toLowerCase())),
    ahead: AHEAD,
  };
}

const spelled = (group: number, base: string): string => FORMS[group]?.spell(base) ?? '';

/**
 * The text with another base in place of the one sought, in the same form.
 * @example replaceOrigin('<http://api.example/x?page=2>; rel="next"', findOrigin('http://api.example'), PLACEHOLDER)
 */
export function replaceOrigin(text: string, { pattern }: Finder, base: string): string {
  return text.replace(pattern, (_, ...rest) => spelled(groupOf(rest.slice(0, FORMS.length)), base));
}

/** What a `Splitter` cut at an origin, as bytes with this base in its place. */
export function originSpellings(pieces: readonly Piece[], base: string): Uint8Array[] {
  return pieces.map((each) => (typeof each === 'number' ? Buffer.from(spelled(each, base), 'latin1') : each));
}

/**
 * Header lines as a client is to see them: another base in place of an origin, and addresses that begin with `/` within
 * that base’s path, so that whoever follows them stays in its lane.
 * @param base own origin, and the prefix of the lane
 * @example linesFor([['Location', '/jobs/1']], finder, 'http://127.0.0.1:9/~/ci') // [['Location', '/~/ci/jobs/1']]
 */
export function linesFor(lines: HeaderLines, theirs: Finder, base: string): [string, string][] {
  const { pathname } = new URL(base);
  const prefix = pathname === '/' ? '' : pathname;
  return lines.map(([name, value]) => {
    const begins = prefix === '' ? undefined : ROOTED[name.toLowerCase()];
    const within = begins ? value.replace(begins, (before) => `${before}${prefix}`) : value;
    return [name, replaceOrigin(within, theirs, base)];
  });
}

/** What stands before an address that begins with `/`, in the headers that hold one. */
const ROOTED: Record<string, RegExp> = {
  location: /^(?=\/(?!\/))/,
  'content-location': /^(?=\/(?!\/))/,
  link: /<(?=\/(?!\/))/g,
  // A cookie for every path goes with requests of all lanes as it is.
  'set-cookie': /;\s*path=(?=\/[^;\s])/i,
};

/** Whether bodies of this media type are texts in which origins are replaced; undefined where no type is declared. */
export function mayHoldUrls(type: string): boolean | undefined {
  if (type === '') return undefined;
  return /^text\/|[/+](?:json|xml)$|json|javascript|yaml|x-www-form-urlencoded|graphql/.test(type);
}
