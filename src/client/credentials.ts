/** Credentials of a profile, as header fields and query parameters of requests (section 5 shows no scheme). */

import type { WireRequest } from '../exchange/types.ts';
import type { AuthScheme } from '../profile/schema.ts';
import { basic } from './basic-auth.ts';
import type { ClientCredentials } from './oauth.ts';
import { withQuery } from './wire-url.ts';

/** A client certificate: paths of PEM files. `ca` replaces the authorities the system trusts. */
export interface ClientCertificate {
  readonly scheme: 'mtls';
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly passphrase?: string;
}

/** What the client can prove who it is with: the schemes of a profile, and those that need more than a fixed value. */
export type ClientAuth = FixedScheme | ClientCredentials | ClientCertificate;

/** Schemes whose credentials are the same on every request. */
export type FixedScheme = Exclude<AuthScheme, { scheme: 'oauth2' | 'mtls' }>;

export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

export const NO_CREDENTIALS: Credentials = { headers: [], query: [] };

const header = (name: string, value: string): Credentials => ({ headers: [[name, value]], query: [] });

const APPLY: { [S in FixedScheme['scheme']]: (scheme: Extract<FixedScheme, { scheme: S }>) => Credentials } = {
  none: () => NO_CREDENTIALS,
  apiKey: ({ in: place, name, value }) =>
    place === 'header' ? header(name, value) : { headers: [], query: [[name, value]] },
  basic: ({ username, password }) => header('authorization', basic(username, password)),
  bearer: ({ token }) => header('authorization', `Bearer ${token}`),
  headers: ({ headers }) => ({ headers: Object.entries(headers), query: [] }),
};

/** What one or several schemes of fixed values together add to a request. */
export function credentialsOf(schemes: readonly FixedScheme[]): Credentials {
  const each = schemes.map((scheme) => (APPLY[scheme.scheme] as (one: FixedScheme) => Credentials)(scheme));
  return { headers: each.flatMap((one) => one.headers), query: each.flatMap((one) => one.query) };
}

/** Header lines with credentials laid over: a line of the same name gives way, for two Authorization lines are none. */
function overlay(lines: WireRequest['headers'], own: Credentials): WireRequest['headers'] {
  const names = new Set(own.headers.map(([name]) => name.toLowerCase()));
  return [...lines.filter(([name]) => !names.has(name.toLowerCase())), ...own.headers];
}

/** Header lines and path as they go on the wire. */
export function authorised(
  request: WireRequest,
  path: string,
  own: Credentials,
): { readonly headers: WireRequest['headers']; readonly path: string } {
  return { headers: overlay(request.headers, own), path: withQuery(path, own.query) };
}

/** The request as it may be shown: as given, credentials by their header's name only. */
export function redactedAuth(request: WireRequest, own: Credentials): WireRequest {
  const masked = own.headers.map(([name]): [string, string] => [name, '***']);
  return masked.length === 0
    ? request
    : { ...request, headers: overlay(request.headers, { headers: masked, query: [] }) };
}
