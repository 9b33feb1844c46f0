/** Base addresses (section 4: every path is appended to one). */

const quoted = (text: string): string => `“${text.replace(/\/\/[^/@]*@/, '//***@')}”`;

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
