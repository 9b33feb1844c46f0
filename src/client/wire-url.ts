/** URLs as they go out: split by hand, for a URL parser would fold `..` and re-encode what a probe means to send. */

/** Origin and path with query, byte for byte as written; a fragment is never sent. */
export function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const [whole = ''] = url.split('#', 1);
  const host = whole.indexOf('//') + 2;
  const start = whole.slice(host).search(/[/?]/);
  if (start < 0) return { origin: whole, path: '/' };
  const path = whole.slice(host + start);
  return { origin: whole.slice(0, host + start), path: path.startsWith('?') ? `/${path}` : path };
}

const nameOf = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? '';

/** The URL without the query parameters of these names, all else byte for byte as written. */
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
