/** The forms of a request target (RFC 9112, 3.2). */
import type { IncomingMessage } from 'node:http';

/** What a request line and its Host header name. */
export interface Named {
  /** Path and query, byte for byte; `*` for the server itself. */
  readonly target: string;
  /** Host and port; undefined: none is named, as HTTP/1.0 allows. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^http:\/\/([^/?#]*)(.*)$/is;

/**
 * Reads a request target in origin-form, absolute-form or asterisk-form. The authority of an absolute-form target counts
 * instead of the Host header. Returns undefined for any other text, and where HTTP/1.1 has not exactly one Host header.
 * @example namedBy(request) // GET http://localhost:9000/api/x: { target: '/api/x', authority: 'localhost:9000' }
 */
export function namedBy({ url = '', method, rawHeaders, headers, httpVersion }: IncomingMessage): Named | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0')) return undefined;
  if (url.startsWith('/')) return { target: url, authority: headers.host };
  if (url === '*') return method === 'OPTIONS' ? { target: '*', authority: headers.host } : undefined;
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority === undefined) return undefined;
  if (rest === '') return { target: method === 'OPTIONS' ? '*' : '/', authority };
  return { target: rest.startsWith('/') ? rest : `/${rest}`, authority };
}
