/** Checks base addresses (section 4: every path is appended to one). */

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
