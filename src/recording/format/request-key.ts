/**
 * The key of a request: method, path, sorted query, canonical body and the headers that carry inputs. Gateway, replay,
 * verify and drift all use it. Neither the host nor the values of credentials are part of it. If the profile declares
 * credentials, the key includes whether they are sent, because a service responds differently without them.
 */
import { createHash } from 'node:crypto';
import { boundaryOf, firstHeader, type HeaderLines, mediaTypeOf } from '../../exchange/headers.ts';
import type { Provenance } from './schema.ts';

/** Further parts of a request that its key includes. */
export type Matching = Provenance['matching'];

/** Replaces a credential in a key. */
const CREDENTIAL_SENT = 'sent';

/** JSON and forms above this size are compared by their bytes: the canonical form needs the whole body in memory. */
export const CANONICAL_BYTES = 1024 * 1024;

const UNRESERVED = /[A-Za-z0-9._~-]/;

/** Normalised percent-encoding: `+`, `%20` and ` ` become `%20`, a stray `%` is not changed. */
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
 * A normalised query or form: pairs sorted by name, pairs with the same name in their original order.
 * @example canonicalQuery('b=2&a=x+y') // 'a=x%20y&b=2'
 */
export function canonicalQuery(query: string, without: readonly string[] = []): string {
  const excluded = new Set(without.map(canonicalPart));
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const name = canonicalPart(at < 0 ? pair : pair.slice(0, at));
      return [name, at < 0 ? name : `${name}=${canonicalPart(pair.slice(at + 1))}`];
    })
    .filter(([name]) => !excluded.has(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, pair]) => pair)
    .join('&');
}

/** The unchanged path and the normalised query of a request target, or of an absolute URL after its origin. */
export function canonicalTarget(target: string, without: readonly string[] = []): string {
  const [withoutFragment = ''] = target.split('#', 1);
  const mark = withoutFragment.indexOf('?');
  if (mark < 0) return withoutFragment;
  const query = canonicalQuery(withoutFragment.slice(mark + 1), without);
  return query === '' ? withoutFragment.slice(0, mark) : `${withoutFragment.slice(0, mark)}?${query}`;
}

/** JSON with sorted members and no white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`;
}

const digest = (bytes: Uint8Array | string): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`;

/** The canonical form of bytes that are known by their hash only. */
export const hashedForm = (sha256: string): string => `bytes sha256-${sha256}`;

/** A body up to this many bytes is part of the key as text, so that the key is readable. */
const MAX_READABLE_BYTES = 2048;
const readable = (kind: string, text: string): string =>
  `${kind} ${Buffer.byteLength(text) > MAX_READABLE_BYTES ? digest(text) : text}`;

/**
 * The canonical form of a body, '' for none. The members of JSON (declared, or undeclared and parseable) and the pairs of
 * a form are sorted; the random boundary of multipart does not count; any other body is compared by its bytes.
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
        // Not JSON despite its media type: compared by its bytes.
      }
    }
    const delimiter = boundaryOf(contentType);
    if (type.startsWith('multipart/') && delimiter)
      return `multipart ${digest(Buffer.from(Buffer.from(body).toString('latin1').replaceAll(`--${delimiter}`, '--boundary'), 'latin1'))}`;
  }
  return `bytes ${digest(body)}`;
}

const hasParameter = (target: string, name: string): boolean => {
  const [, query = ''] = (target.split('#', 1)[0] ?? '').split(/\?(.*)/s);
  return query.split('&').some((pair) => canonicalPart(pair.split('=', 1)[0] ?? '') === canonicalPart(name));
};

/**
 * The headers that are part of the key, with their values: one line of the key each.
 * @example headerInputsOf({ target: '/x', headers: [['Authorization', 'Bearer …']] }, { headers: ['authorization'], … })
 */
export function headerInputsOf(
  { target, headers }: Pick<KeyParts, 'target' | 'headers'>,
  { headers: names, credentials = [] }: Matching,
): [name: string, value: string][] {
  return names.map((name) => {
    const value = name.startsWith('?')
      ? hasParameter(target, name.slice(1))
        ? CREDENTIAL_SENT
        : ''
      : (firstHeader(headers, name) ?? '');
    return [name, credentials.includes(name) && value !== '' ? CREDENTIAL_SENT : value];
  });
}

/** The key without credentials. It is equal for the same request with and without credentials. */
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
  /** The bytes, or their canonical form. */
  readonly body: Uint8Array | string;
}

/**
 * The key of a request: one line per part, so that two keys can be compared part by part.
 * @example requestKey({ method: 'GET', target: '/x?b=1&a=2', headers: [], body: '' }, { headers: [], withoutQuery: [] }) // 'GET /x?a=2&b=1'
 */
export function requestKey({ method, target, headers, body }: KeyParts, matching: Matching): string {
  const inputs = headerInputsOf({ target, headers }, matching).map(([name, value]) => `${name}: ${value}`);
  const line = `${method} ${canonicalTarget(target, matching.withoutQuery)}`;
  const canonical = typeof body === 'string' ? body : canonicalBody(body, firstHeader(headers, 'content-type'));
  return [line, ...inputs, ...(canonical === '' ? [] : [canonical])].join('\n');
}
