/** Parses request targets (RFC 9112, 3.2). */
import type { IncomingMessage } from 'node:http';

/** The target and the authority of a request. */
export interface RequestTarget {
  /** Path and query, byte for byte; `*` for the server itself. */
  readonly target: string;
  /** Host and port; undefined: the request has none, as HTTP/1.0 allows. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^http:\/\/([^/?#]*)(.*)$/is;

/**
 * Parses a request target in origin-form, absolute-form or asterisk-form. The authority of an absolute-form target
 * replaces the Host header. Returns undefined for any other text, and where an HTTP/1.1 request has not exactly one Host header.
 * @example namedBy(request) // GET http://localhost:9000/api/x: { target: '/api/x', authority: 'localhost:9000' }
 */
export function parseTarget({
  url = '',
  method,
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): RequestTarget | undefined {
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
