import type { HeaderLines } from '../exchange/header-lines.ts';
import { looksGenerated } from './credential-heuristics.ts';
import { normalisedName, secretKindOf, secretKindOfHeader } from './credential-names.ts';

/** A credential that was received. `name` says what it is, never what it holds: `refresh_token`, `cookie sid`. */
export interface ReceivedCredential {
  readonly name: string;
  readonly value: string;
}

/** Answers of token endpoints are shallow. */
const DEEPEST = 8;

/** Every credential in a parsed answer of a token endpoint, found by the names of members. */
export function tokensIn(value: unknown, name = '', depth = 0): ReceivedCredential[] {
  if (typeof value === 'string') return value !== '' && secretKindOf(name) !== undefined ? [{ name, value }] : [];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, each]) => tokensIn(each, Array.isArray(value) ? name : key, depth + 1));
}

/** Names of cookies that identify a session or a user. */
const SESSION_NAME = /sess|sid$|auth|csrf|xsrf|login|ticket|remember/;
const SHORTEST_RANDOM = 12;
/** In bits per character; words of a language repeat their letters more. */
const LEAST_ENTROPY = 3;
const LEAST_CASE_CHANGES = 4;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}

/** Whether a value looks random: long, and letters mixed with digits, or small letters with capitals. */
const looksRandom = (value: string): boolean =>
  looksGenerated(value) &&
  value.length >= SHORTEST_RANDOM &&
  entropyOf(value) >= LEAST_ENTROPY &&
  ((/\d/.test(value) && /[a-z]/i.test(value)) || (value.match(/[a-z][A-Z]/g) ?? []).length >= LEAST_CASE_CHANGES);

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * The credentials in the value of a Set-Cookie line: a cookie with the name of a session needs a value that looks like no
 * word, number or date; any other one a value that looks random. Parts of a value that look random count, too.
 * @example credentialsInCookie('sid=a1b2c3d4e5f6; Path=/') // [{ name: 'cookie sid', value: 'a1b2c3d4e5f6' }]
 * @example credentialsInCookie('market=US') // []
 */
export function credentialsInCookie(line: string): ReceivedCredential[] {
  const [, name = '', quoted = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? [];
  const given = quoted.trim().replace(/^"(.*)"$/, '$1');
  const isSession = secretKindOf(name.trim()) !== undefined || SESSION_NAME.test(normalisedName(name));
  const decoded = percentDecoded(given);
  const whole = [given, decoded].filter((each) => (isSession ? looksGenerated(each) : looksRandom(each)));
  const parts = decoded.split(/[^\w-]+/).filter(looksRandom);
  return [...new Set([...whole, ...parts])].map((value) => ({ name: `cookie ${name.trim()}`, value }));
}

/** The credentials that the cookies of an answer hold. */
export const credentialsInCookies = (headers: HeaderLines): ReceivedCredential[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? credentialsInCookie(value) : []));

/** Schemes of an Authorization line, behind which the credential stands. */
const SCHEME = /^(?:basic|bearer|digest|negotiate|token|apikey)\s+/i;

/** The credentials that a client sent in header lines, as traffic of others shows them: `Authorization`, cookies, keys. */
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
