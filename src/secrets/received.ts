import type { HeaderLines } from '../exchange/headers.ts';
import { decodePercent } from '../exchange/url.ts';
import { looksGenerated } from './credential-heuristics.ts';
import { normalisedName, secretKindOf, secretKindOfHeader } from './credential-names.ts';

/** A credential that was received. `name` is its kind, without its value: `refresh_token`, `cookie sid`. */
export interface ReceivedCredential {
  readonly name: string;
  readonly value: string;
}

/** Responses of token endpoints are shallow. */
const MAX_DEPTH = 8;

/** Every credential in a parsed response of a token endpoint, found by the names of members. */
export function tokensIn(value: unknown, name = '', depth = 0): ReceivedCredential[] {
  if (typeof value === 'string') return value !== '' && secretKindOf(name) !== undefined ? [{ name, value }] : [];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, each]) => tokensIn(each, Array.isArray(value) ? name : key, depth + 1));
}

/** Names of cookies that identify a session or a user. */
const SESSION_NAME = /sess|sid$|auth|csrf|xsrf|login|ticket|remember/;
const SHORTEST_RANDOM = 12;
/** In bits per character; words of a language have less. */
const MIN_ENTROPY = 3;
const MIN_CASE_CHANGES = 4;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** Whether a value looks random: long, and a mix of letters and digits, or of lower and upper case. */
const looksRandom = (value: string): boolean =>
  looksGenerated(value) &&
  value.length >= SHORTEST_RANDOM &&
  entropyOf(value) >= MIN_ENTROPY &&
  ((/\d/.test(value) && /[a-z]/i.test(value)) || (value.match(/[a-z][A-Z]/g) ?? []).length >= MIN_CASE_CHANGES);

/**
 * The credentials in the value of a Set-Cookie line. The value of a cookie with the name of a session is a credential
 * unless it is a word, a number or a date; the value of any other cookie only if it looks random, and so are its parts.
 * @example credentialsInCookie('sid=a1b2c3d4e5f6; Path=/') // [{ name: 'cookie sid', value: 'a1b2c3d4e5f6' }]
 * @example credentialsInCookie('market=US') // []
 */
export function credentialsInCookie(line: string): ReceivedCredential[] {
  const [, name = '', quoted = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? [];
  const raw = quoted.trim().replace(/^"(.*)"$/, '$1');
  const isSession = secretKindOf(name.trim()) !== undefined || SESSION_NAME.test(normalisedName(name));
  const decoded = decodePercent(raw, raw);
  const wholeValues = [raw, decoded].filter((each) => (isSession ? looksGenerated(each) : looksRandom(each)));
  const parts = decoded.split(/[^\w-]+/).filter(looksRandom);
  return [...new Set([...wholeValues, ...parts])].map((value) => ({ name: `cookie ${name.trim()}`, value }));
}

/** The credentials in the cookies of a response. */
export const credentialsInCookies = (headers: HeaderLines): ReceivedCredential[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? credentialsInCookie(value) : []));

/** The schemes of an Authorization line; the credential follows. */
const SCHEME = /^(?:basic|bearer|digest|negotiate|token|apikey)\s+/i;

/** The credentials in the header lines of a request, e.g. of imported traffic: `Authorization`, cookies, keys. */
export const credentialsSent = (headers: HeaderLines): ReceivedCredential[] =>
  headers.flatMap(([name, value]) => {
    if (name.toLowerCase() === 'cookie') return value.split(';').flatMap(credentialsInCookie);
    if (secretKindOfHeader(name) === undefined) return [];
    const credential = value.replace(SCHEME, '');
    const isBasic = /^basic\s/i.test(value);
    const password = isBasic
      ? Buffer.from(credential, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '')
      : '';
    return [credential, password].filter((each) => each !== '').map((each) => ({ name, value: each }));
  });
