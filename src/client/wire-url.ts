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
