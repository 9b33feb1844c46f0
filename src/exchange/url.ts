/** Base addresses (section 4: every path is appended to one). */

/** A valid URL without the parts that may hold a credential: userinfo, query and fragment. */
export const withoutSecretParts = (url: string): string =>
  url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');

/**
 * The part of a word of a command line that may be a credential; undefined where there is none. The word may be a URL,
 * valid or not. It is what follows `?` or `#`; where there is an `@` it is all but the scheme, for a password may hold any
 * character.
 * @example secretPartOf('http://host/?apikey=s3cret') // '?apikey=s3cret'
 * @example secretPartOf('http://me:s3cret@host') // 'me:s3cret@host'
 */
export function secretPartOf(word: string): string | undefined {
  const part = word.includes('@') ? word.replace(/^[a-z][a-z0-9+.-]*:\/+/i, '') : /[?#].+$/s.exec(word)?.[0];
  return part === '' ? undefined : part;
}

/**
 * A word of a command line as a refusal may quote it.
 * @example quotable('http://host/?apikey=s3cret') // 'http://host/…'
 */
export function quotable(word: string): string {
  const part = secretPartOf(word);
  return part === undefined ? word : `${word.slice(0, word.length - part.length)}…`;
}

const quoted = (text: string): string => `“${quotable(text)}”`;

/**
 * Checks a base address at the door and returns it as origin and path without trailing slashes, ready for a path to be
 * appended. Throws an Error of one sentence otherwise; credentials inside the address are never repeated in it.
 * @example checkBaseUrl('https://host/api/') // 'https://host/api'
 */
export function checkBaseUrl(text: string): string {
  const given = text.trim();
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new Error(`${quoted(given)} is no URL: give the base address like https://host/prefix`);
  }
  // `http:host` passes a URL parser, yet nobody means it.
  if (!/^https?:\/\/[^/]/i.test(given)) {
    throw new Error(`${quoted(given)} is no http(s) address: the base address starts with http:// or https://`);
  }
  if (url.username || url.password)
    throw new Error('the base address carries credentials: put them into the profile’s auth');
  if (url.search || url.hash)
    throw new Error(
      `${quoted(given)} carries a query or fragment: paths are appended to the base address, so it ends in its path`,
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * A path of the document appended to a base address, byte for byte: nothing in `path` is folded or re-encoded.
 * Throws like `checkBaseUrl`.
 * @example joinBase('https://host/api/', '/webservices/testService') // 'https://host/api/webservices/testService'
 */
export function joinBase(base: string, path: string): string {
  return `${checkBaseUrl(base)}${path.startsWith('/') ? '' : '/'}${path}`;
}
