/** Adds the credentials of a profile to requests, as headers and query parameters (section 5 shows no scheme). */

import type { WireRequest } from '../exchange/types.ts';
import { placesOf, schemeRow } from '../profile/auth-schemes.ts';
import { type HmacScheme, signatureParts } from '../profile/hmac/sign.ts';
import { TIMESTAMP_FORMATS } from '../profile/hmac/timestamps.ts';
import type { AuthScheme } from '../profile/schema.ts';
import { withQuery } from '../profile/url-query.ts';
import type { ClientCredentials } from './oauth.ts';

/** A client certificate: paths of PEM files. `ca` replaces the certificate authorities of the system. */
export interface ClientCertificate {
  readonly scheme: 'mtls';
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly passphrase?: string;
}

/** The authentication schemes of a client. */
export type ClientAuth = FixedScheme | ClientCredentials | ClientCertificate;

/** Schemes that need no request of their own. */
export type FixedScheme = Exclude<AuthScheme, { scheme: 'oauth2' | 'mtls' }>;

export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Schemes that sign each request, after all other credentials are added. */
  readonly signatures?: readonly HmacScheme[];
}

export const NO_CREDENTIALS: Credentials = { headers: [], query: [] };

/** The credentials that one or several fixed schemes add to a request. */
export function credentialsOf(schemes: readonly FixedScheme[]): Credentials {
  const each = schemes.map((scheme) => schemeRow(scheme).credentials?.(scheme) ?? {});
  return {
    headers: each.flatMap(({ headers = [] }) => headers),
    query: each.flatMap(({ query = [] }) => query),
    signatures: schemes.filter(({ scheme }) => scheme === 'hmac') as HmacScheme[],
  };
}

/** The query parameters that carry credentials. */
export const queryNamesOf = ({ query, signatures = [] }: Credentials): string[] => [
  ...query.map(([name]) => name),
  ...signatures.flatMap((scheme) => placesOf(scheme).query),
];

/** Adds credentials to header lines. They replace lines of the same name: two Authorization lines are invalid. */
function replaceLines(lines: WireRequest['headers'], added: WireRequest['headers']): WireRequest['headers'] {
  const names = new Set(added.map(([name]) => name.toLowerCase()));
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...added];
}

/** Header lines and path as they are sent. @param host the host that a signature covers */
export function withCredentials(
  request: WireRequest,
  { host, path }: { readonly host: string; readonly path: string },
  { headers: added, query, signatures = [] }: Credentials,
): { readonly headers: WireRequest['headers']; readonly path: string } {
  const { method, body = new Uint8Array(0) } = request;
  let [headers, target] = [replaceLines(request.headers, added), withQuery(path, query)];
  for (const scheme of signatures) {
    const timestamp = TIMESTAMP_FORMATS[scheme.timestamp].write(Date.now());
    const inputs = { timestamp, nonce: crypto.randomUUID() };
    const parts = signatureParts(scheme, { method, target, host, headers, body }, inputs);
    [headers, target] = [replaceLines(headers, parts.headers), withQuery(target, parts.query)];
  }
  return { headers, path: target };
}

/** The request for logs and reports: the values of credential headers are masked. */
export function withMaskedCredentials(request: WireRequest, credentials: Credentials): WireRequest {
  const signed = credentials.signatures?.flatMap((scheme) => placesOf(scheme).headers) ?? [];
  const masked = [...credentials.headers.map(([name]) => name), ...signed].map((name) => [name, '***'] as const);
  return masked.length === 0 ? request : { ...request, headers: replaceLines(request.headers, masked) };
}
