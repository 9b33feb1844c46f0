/** Adds the credentials of a profile to requests, as headers and query parameters (section 5 shows no scheme). */

import type { WireRequest } from '../exchange/types.ts';
import { schemeRow } from '../profile/auth-schemes.ts';
import type { AuthScheme } from '../profile/schema.ts';
import type { ClientCredentials } from './oauth.ts';
import { withQuery } from './wire-url.ts';

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

/** Schemes whose credentials are the same on every request. */
export type FixedScheme = Exclude<AuthScheme, { scheme: 'oauth2' | 'mtls' }>;

export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export const NO_CREDENTIALS: Credentials = { headers: [], query: [] };

/** The credentials that one or several fixed schemes add to a request. */
export function credentialsOf(schemes: readonly FixedScheme[]): Credentials {
  const each = schemes.map((scheme) => schemeRow(scheme).credentials?.(scheme) ?? {});
  return { headers: each.flatMap(({ headers = [] }) => headers), query: each.flatMap(({ query = [] }) => query) };
}

/** Adds credentials to header lines. They replace lines of the same name: two Authorization lines are invalid. */
function replaceLines(lines: WireRequest['headers'], credentials: Credentials): WireRequest['headers'] {
  const names = new Set(credentials.headers.map(([name]) => name.toLowerCase()));
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...credentials.headers];
}

/** Header lines and path as they are sent. */
export function withCredentials(
  request: WireRequest,
  path: string,
  credentials: Credentials,
): { readonly headers: WireRequest['headers']; readonly path: string } {
  return { headers: replaceLines(request.headers, credentials), path: withQuery(path, credentials.query) };
}

/** The request for logs and reports: the values of credential headers are masked. */
export function withMaskedCredentials(request: WireRequest, credentials: Credentials): WireRequest {
  const masked = credentials.headers.map(([name]): [string, string] => [name, '***']);
  return masked.length === 0
    ? request
    : { ...request, headers: replaceLines(request.headers, { headers: masked, query: [] }) };
}
