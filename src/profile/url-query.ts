/** Changes URLs and request targets as text: a URL parser would encode them again. */

const nameOf = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? '';

/** The URL without the query parameters of these names; the rest stays byte for byte. */
export function withoutQuery(url: string, names: readonly string[]): string {
  const [before = '', ...after] = url.split('?');
  if (names.length === 0 || after.length === 0) return url;
  const pairs = after.join('?').split('&');
  const kept = pairs.filter((pair) => !names.includes(nameOf(pair)));
  if (kept.length === pairs.length) return url;
  return kept.length === 0 ? before : `${before}?${kept.join('&')}`;
}

/** The path with further query parameters, percent-encoded. */
export function withQuery(path: string, extra: readonly (readonly [name: string, value: string])[]): string {
  if (extra.length === 0) return path;
  const query = extra.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** A valid URL without the parts that may hold a credential: userinfo, query and fragment. */
export const withoutSecretParts = (url: string): string =>
  url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
