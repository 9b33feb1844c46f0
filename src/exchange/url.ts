/** Base addresses (section 4: every path is appended to one), and hosts and URLs as texts. */

/**
 * The URL of an address in a profile: itself, or a path below the base address.
 * @example urlBelow('http://host/api/', '/token') // 'http://host/api/token'
 */
export const urlBelow = (base: string, address: string): string =>
  address.startsWith('/') ? `${base.replace(/\/+$/, '')}${address}` : address;

/**
 * The part of a command-line word that may be a credential; undefined: there is none. The word may be a URL, valid or not.
 * The part follows `?` or `#`. In a word with `@` it is everything but the scheme: a password may contain any character.
 * @example secretPartOf('http://host/?apikey=s3cret') // '?apikey=s3cret'
 * @example secretPartOf('http://me:s3cret@host') // 'me:s3cret@host'
 */
export function secretPartOf(word: string): string | undefined {
  const part = word.includes('@') ? word.replace(/^[a-z][a-z0-9+.-]*:\/+/i, '') : /[?#].+$/s.exec(word)?.[0];
  return part === '' ? undefined : part;
}

/**
 * A command-line word as an error message may quote it.
 * @example quotable('http://host/?apikey=s3cret') // 'http://host/…'
 */
export function quotable(word: string): string {
  const part = secretPartOf(word);
  return part === undefined ? word : `${word.slice(0, word.length - part.length)}…`;
}

const quoted = (text: string): string => `“${quotable(text)}”`;

/**
 * Checks a base address and returns its origin and path without trailing slashes, so that a path can be appended.
 * Throws an Error of one sentence for an invalid one; the sentence never contains credentials of the address.
 * @example checkBaseUrl('https://host/api/') // 'https://host/api'
 */
export function checkBaseUrl(text: string): string {
  const given = text.trim();
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new Error(`${quoted(given)} is not a URL: give the base address like https://host/prefix`);
  }
  // A URL parser accepts `http:host`, which is a mistake.
  if (!/^https?:\/\/[^/]/i.test(given)) {
    throw new Error(`${quoted(given)} is not an http(s) address: the base address starts with http:// or https://`);
  }
  if (url.username || url.password)
    throw new Error('the base address contains credentials: put them into the profile’s auth');
  if (url.search || url.hash)
    throw new Error(
      `${quoted(given)} contains a query or fragment: paths are appended to the base address, so it ends in its path`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The text without percent-encoding; `otherwise` where it is not encoded correctly. */
export function decodePercent<T>(text: string, otherwise: T): string | T {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise;
  }
}

/** Splits URLs as text: a URL parser would resolve `..` and re-encode characters that a probe has to send unchanged. */

/** Origin and path with query, byte for byte; without the fragment, which is never sent. */
export function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const [whole = ''] = url.split('#', 1);
  const host = whole.indexOf('//') + 2;
  const start = whole.slice(host).search(/[/?]/);
  if (start < 0) return { origin: whole, path: '/' };
  const path = whole.slice(host + start);
  return { origin: whole.slice(0, host + start), path: path.startsWith('?') ? `/${path}` : path };
}

/** Names and addresses of hosts. */
/** A host name or address, with or without a port; `*.` matches one or more labels. */
export const HOST_PATTERN = /^(?:\*\.)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
export const HOST_RULE = 'must be a host name or address, e.g. staging.example or *.test.example:8443';

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|(?:.+\.)?localhost\.?)$/i;

/** Whether a host name or address is the loopback interface. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Whether a pattern names the host of an address: a host with or without a port, or `*.DOMAIN`.
 * @example namesHost('*.example', new URL('https://api.example')) // true
 */
export function namesHost(pattern: string, { hostname, host, port, protocol }: URL): boolean {
  const allowed = pattern.toLowerCase();
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  const candidates = [hostname, withPort];
  return allowed.startsWith('*.')
    ? candidates.some((each) => each.endsWith(allowed.slice(1)))
    : candidates.includes(allowed);
}
