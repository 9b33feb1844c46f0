/**
 * What tells one request from another: method, path, sorted query, canonical body and the headers that carry inputs.
 * Gateway, replay, verify and drift all use this one key. Neither the host nor what credentials say is part of it; where a
 * profile knows credentials, it counts whether they are sent: a service answers those who send none otherwise.
 */
import { createHash } from 'node:crypto';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';

/** What of a request counts, besides what always does. */
export interface Matching {
  /** Names of headers that tell requests apart, in lower case: they carry inputs or credentials. */
  readonly headers: readonly string[];
  /** Names of query parameters that carry credentials. */
  readonly withoutQuery: readonly string[];
  /**
   * Those of `headers` that carry credentials: whether they are sent counts, never what they say. `?name` is a parameter
   * of the query. Absent: none.
   */
  readonly credentials?: readonly string[];
}

/** Stands for a credential in a key. */
const SENT = 'sent';

/** JSON and forms above this size are told apart by their bytes: canonical form would need them whole in memory. */
export const CANONICAL_BYTES = 1024 * 1024;

const UNRESERVED = /[A-Za-z0-9._~-]/;

/** Percent-encoding in one spelling, without losing what it says: `+`, `%20` and ` ` are one, a stray `%` stays. */
function canonicalPart(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', '%20'), 'utf8').toString('latin1');
  return bytes.replace(/%([0-9a-f]{2})|%|[^A-Za-z0-9._~-]/gi, (each, hex?: string) => {
    if (each === '%') return each;
    const letter = hex === undefined ? each : String.fromCharCode(Number.parseInt(hex, 16));
    if (UNRESERVED.test(letter)) return letter;
    return `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/**
 * A query or form in one spelling: pairs sorted by name, those of one name in the order given.
 * @example canonicalQuery('b=2&a=x+y') // 'a=x%20y&b=2'
 */
export function canonicalQuery(query: string, without: readonly string[] = []): string {
  const left = new Set(without.map(canonicalPart));
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const name = canonicalPart(at < 0 ? pair : pair.slice(0, at));
      return [name, at < 0 ? name : `${name}=${canonicalPart(pair.slice(at + 1))}`];
    })
    .filter(([name]) => !left.has(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, pair]) => pair)
    .join('&');
}

/** Path as written and query in one spelling, of a request target or an absolute URL’s part after the origin. */
export function canonicalTarget(target: string, without: readonly string[] = []): string {
  const [whole = ''] = target.split('#', 1);
  const mark = whole.indexOf('?');
  if (mark < 0) return whole;
  const query = canonicalQuery(whole.slice(mark + 1), without);
  return query === '' ? whole.slice(0, mark) : `${whole.slice(0, mark)}?${query}`;
}

/** JSON with sorted members and no white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

const digest = (bytes: Uint8Array | string): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`;

/** A short body stands in the key as it is, so that a person can read what was asked. */
const READABLE = 2048;
const readable = (kind: string, text: string): string =>
  `${kind} ${Buffer.byteLength(text) > READABLE ? digest(text) : text}`;

/**
 * The canonical form of a body, '' for none. JSON (declared, or undeclared and readable as such) is sorted, a form too;
 * of multipart the boundary, which every client draws anew, does not count; all else is told by its bytes.
 * @param contentType the value of the Content-Type header, if any
 */
export function canonicalBody(body: Uint8Array, contentType: string | undefined): string {
  if (body.length === 0) return '';
  const { type } = mediaTypeOf(contentType === undefined ? [] : [['content-type', contentType]]);
  if (body.length <= CANONICAL_BYTES) {
    if (type === 'application/x-www-form-urlencoded')
      return readable('form', canonicalQuery(Buffer.from(body).toString('utf8')));
    if (type === '' || type === 'text/json' || /[/+]json$/.test(type)) {
      try {
        return readable('json', canonicalJson(JSON.parse(Buffer.from(body).toString('utf8'))));
      } catch {
        // No JSON in spite of its name: its bytes tell it apart.
      }
    }
    const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '');
    const drawn = boundary?.[1] ?? boundary?.[2];
    if (type.startsWith('multipart/') && drawn)
      return `multipart ${digest(Buffer.from(Buffer.from(body).toString('latin1').replaceAll(`--${drawn}`, '--boundary'), 'latin1'))}`;
  }
  return `bytes ${digest(body)}`;
}

const isAsked = (target: string, name: string): boolean => {
  const [, query = ''] = (target.split('#', 1)[0] ?? '').split(/\?(.*)/s);
  return query.split('&').some((pair) => canonicalPart(pair.split('=', 1)[0] ?? '') === canonicalPart(name));
};

/**
 * What the headers that count say of a request, a line of its key each.
 * @example inputsOf({ target: '/x', headers: [['Authorization', 'Bearer …']] }, { headers: ['authorization'], … })
 */
export function headerInputsOf(
  { target, headers }: Pick<KeyParts, 'target' | 'headers'>,
  { headers: names, credentials = [] }: Matching,
): [name: string, value: string][] {
  return names.map((name) => {
    const value = name.startsWith('?')
      ? isAsked(target, name.slice(1))
        ? SENT
        : ''
      : (firstHeader(headers, name) ?? '');
    return [name, credentials.includes(name) && value !== '' ? SENT : value];
  });
}

/** A key as it would be without credentials: what is asked with them and without them has one of these. */
export function keyWithoutCredentials(key: string, { headers, credentials = [] }: Matching): string {
  if (credentials.length === 0) return key;
  const [line = '', ...rest] = key.split('\n');
  const inputs = headers.map((name, at) => (credentials.includes(name) ? `${name}: ` : rest[at]));
  return [line, ...inputs, ...rest.slice(headers.length)].join('\n');
}

export interface KeyParts {
  readonly method: string;
  /** Path and query, or an absolute URL at the placeholder origin. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** From `canonicalBody`. */
  readonly body: string;
}

/**
 * The key of a request: one line a part, so that two keys can be compared part by part.
 * @example requestKey({ method: 'GET', target: '/x?b=1&a=2', headers: [], body: '' }, NOTHING_MORE) // 'GET /x?a=2&b=1'
 */
export function requestKey({ method, target, headers, body }: KeyParts, matching: Matching): string {
  const inputs = headerInputsOf({ target, headers }, matching).map(([name, value]) => `${name}: ${value}`);
  const line = `${method} ${canonicalTarget(target, matching.withoutQuery)}`;
  return [line, ...inputs, ...(body === '' ? [] : [body])].join('\n');
}
