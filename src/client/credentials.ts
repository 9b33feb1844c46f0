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
function overlay(lines: WireRequest['headers'], own: Credentials): WireRequest['headers'] {
  const names = new Set(own.headers.map(([name]) => name.toLowerCase()));
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...own.headers];
}

/** Header lines and path as they are sent. */
export function authorised(
  request: WireRequest,
  path: string,
  own: Credentials,
): { readonly headers: WireRequest['headers']; readonly path: string } {
  return { headers: overlay(request.headers, own), path: withQuery(path, own.query) };
}

/** The request for logs and reports: the values of credential headers are masked. */
export function redactedAuth(request: WireRequest, own: Credentials): WireRequest {
  const masked = own.headers.map(([name]): [string, string] => [name, '***']);
  return masked.length === 0
    ? request
    : { ...request, headers: overlay(request.headers, { headers: masked, query: [] }) };
}
