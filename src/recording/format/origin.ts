/** Origins in recordings: found in any encoding, and replaced in texts, header lines and streamed bodies. */
import type { HeaderLines } from '../../exchange/headers.ts';
import { MultiSearch } from '../../secrets/multi-search.ts';
import { escapeRegExp } from '../../text-patterns.ts';

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

/** An origin, or an origin with a path, in its encodings, as bytes read as Latin-1: found in ASCII and its supersets. */
export interface OriginPattern {
  /** Global, one group per encoding. */
  readonly pattern: RegExp;
  /** All strings that may be found, in lower case. A chunk may end within one of them. */
  readonly needles: readonly string[];
  /** Finds the needles, in any letter case. */
  readonly search: MultiSearch<unknown>;
}

/** The index of the matching group, from 0. */
const groupOf = (groups: readonly unknown[]): number => groups.findIndex((each) => each !== undefined);

const MAX_PATTERNS = 1000;
/** By base address: to compile a pattern costs more than all else for a short request. */
const patterns = new Map<string, OriginPattern>();

/**
 * Finds an origin, or an origin with a path (`http://127.0.0.1:9/~/lane`), in any letter case.
 * @param base without a slash at its end
 */
export function originPattern(base: string): OriginPattern {
  const pattern = patterns.get(base) ?? compilePattern(base);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(base, pattern);
  return pattern;
}

function compilePattern(base: string): OriginPattern {
  const all = withAndWithoutPort(base);
  const groups = ORIGIN_ENCODINGS.map(
    ({ encode, before }) => `${before}(${all.map((each) => escapeRegExp(encode(each))).join('|')})`,
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
  };
}

const encodedAs = (group: number, base: string): string => ORIGIN_ENCODINGS[group]?.encode(base) ?? '';

/**
 * Replaces the found base by another one, in the same encoding.
 * @example replaceOrigin('<http://api.example/x?page=2>; rel="next"', originPattern('http://api.example'), RECORDED_ORIGIN)
 */
export function replaceOrigin(text: string, { pattern }: OriginPattern, base: string): string {
  return text.replace(pattern, (_, ...rest) => encodedAs(groupOf(rest.slice(0, ORIGIN_ENCODINGS.length)), base));
}

/** Unchanged bytes, or the number (from 0) of the encoding of an origin. */
type BytesOrOrigin = Uint8Array | number;

/** The parts of a `OriginSplitter` as bytes, each found origin replaced by this base. */
export function piecesWithOrigin(pieces: readonly BytesOrOrigin[], base: string): Uint8Array[] {
  return pieces.map((each) => (typeof each === 'number' ? Buffer.from(encodedAs(each, base), 'latin1') : each));
}

/**
 * Header lines for a client: the origin is replaced by another base, and absolute-path references (`/jobs/1`) get the path of that
 * base, so that a client that follows them stays in its lane.
 * @param base own origin, and the prefix of the lane
 * @example headersForClient([['Location', '/jobs/1']], finder, 'http://127.0.0.1:9/~/ci') // [['Location', '/~/ci/jobs/1']]
 */
export function headersForClient(lines: HeaderLines, upstream: OriginPattern, base: string): [string, string][] {
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

/**
 * Splits a body at the origins found in it. Holds back only the beginning of a possible match at the end of a chunk, so that a slow body is forwarded without delay, and never copies a chunk without a match.
 */
export class OriginSplitter {
  readonly #finder: OriginPattern;
  readonly #longest: number;
  #heldBack: Buffer = Buffer.alloc(0);
  /** The character before the held bytes, for patterns with lookbehind. */
  #previousCharacter = '';

  constructor(finder: OriginPattern) {
    this.#finder = finder;
    this.#longest = finder.search.longest + AHEAD;
  }

  push(chunk: Uint8Array): BytesOrOrigin[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#cut(this.#heldBack.length === 0 ? bytes : Buffer.concat([this.#heldBack, bytes]), false);
  }

  /** The bytes that were held back. */
  end(): BytesOrOrigin[] {
    return this.#cut(this.#heldBack, true);
  }

  #cut(bytes: Buffer, isLast: boolean): BytesOrOrigin[] {
    const pieces: BytesOrOrigin[] = [];
    let done = 0;
    let heldBackFrom: number | undefined;
    const next = (from: number) => this.#finder.search.find(bytes, from, bytes.length)?.start;
    for (let at = next(0); at !== undefined && heldBackFrom === undefined; ) {
      const match = this.#matchAt(bytes, at);
      const end = at + (match?.[0].length ?? 1);
      if (match && !isLast && end + AHEAD > bytes.length) heldBackFrom = at;
      else if (match) {
        if (at > done) pieces.push(bytes.subarray(done, at));
        pieces.push(groupOf(match.slice(1)));
        done = end;
      }
      at = next(end);
    }
    heldBackFrom ??= isLast ? bytes.length : this.#cutOff(bytes, done);
    if (heldBackFrom > done) pieces.push(bytes.subarray(done, heldBackFrom));
    if (heldBackFrom > 0) this.#previousCharacter = bytes.toString('latin1', heldBackFrom - 1, heldBackFrom);
    this.#heldBack = Buffer.from(bytes.subarray(heldBackFrom));
    return pieces;
  }

  /** The match of the pattern that begins at a position. */
  #matchAt(bytes: Buffer, at: number): RegExpExecArray | undefined {
    const before = at === 0 ? this.#previousCharacter : bytes.toString('latin1', at - 1, at);
    const { pattern } = this.#finder;
    pattern.lastIndex = before.length;
    const match = pattern.exec(before + bytes.toString('latin1', at, at + this.#longest));
    return match?.index === before.length ? match : undefined;
  }

  /** The offset at which a string may begin that continues in the next chunk. */
  #cutOff(bytes: Buffer, from: number): number {
    const start = Math.max(from, bytes.length - this.#longest);
    const tail = bytes.toString('latin1', start).toLowerCase();
    for (let at = 0; at < tail.length; at++) {
      const rest = tail.slice(at);
      if (this.#finder.needles.some((needle) => needle.startsWith(rest))) return start + at;
    }
    return bytes.length;
  }
}
