/** Adds the credentials of a profile to requests, as headers and query parameters (section 5 shows no scheme). */

import { mediaTypeOf } from '../exchange/headers.ts';
import type { WireRequest } from '../exchange/types.ts';
import { type ComputedScheme, computedKindOf, placesOf, schemeRow } from '../profile/auth-schemes.ts';
import { type SignedRequest, signatureParts } from '../profile/hmac/sign.ts';
import { TIMESTAMP_FORMATS } from '../profile/hmac/timestamps.ts';
import type { AuthScheme } from '../profile/schema.ts';
import { withQuery } from '../profile/url-query.ts';
import type { OAuthGrant } from './oauth.ts';

/** A client certificate: paths of PEM files. `ca` replaces the certificate authorities of the system. */
export interface ClientCertificate {
  readonly scheme: 'mtls';
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
  readonly passphrase?: string;
}

/** The authentication schemes of a client. */
export type ClientAuth = FixedScheme | TokenScheme | ClientCertificate;

/** Schemes with a token that the client gets. */
export type TokenScheme = OAuthGrant | Exclude<ComputedScheme<'token'>, { scheme: 'oauth2' }>;

/** Schemes that need no request of their own. */
export type FixedScheme = Exclude<AuthScheme, ComputedScheme<'token' | 'certificate'>>;
type SignatureScheme = ComputedScheme<'signature'>;

export interface Credentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Cookies, which are added to those of the request. */
  readonly cookies?: readonly (readonly [name: string, value: string])[];
  /** Members of JSON and form bodies; a request with another body, or none, does not carry them. */
  readonly members?: readonly (readonly [name: string, value: string])[];
  /** The tokens among these credentials. */
  readonly tokens?: readonly string[];
  /** Schemes that sign each request, after all other credentials are added. */
  readonly signatures?: readonly SignatureScheme[];
}

export const NO_CREDENTIALS: Credentials = { headers: [], query: [] };

/** The credentials that one or several fixed schemes add to a request. */
export function credentialsOf(schemes: readonly FixedScheme[]): Credentials {
  const each = schemes.map((scheme) => schemeRow(scheme).credentials?.(scheme) ?? {});
  return {
    headers: each.flatMap(({ headers = [] }) => headers),
    query: each.flatMap(({ query = [] }) => query),
    signatures: schemes.filter((each): each is SignatureScheme => computedKindOf(each) === 'signature'),
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

/** The header lines with cookies added to those of the request. */
function addCookies(lines: WireRequest['headers'], cookies: Credentials['cookies'] = []): WireRequest['headers'] {
  if (cookies.length === 0) return lines;
  const isCookie = ([name]: readonly [string, string]) => name.toLowerCase() === 'cookie';
  const pairs = [
    ...lines.filter(isCookie).map(([, value]) => value),
    ...cookies.map(([name, value]) => `${name}=${value}`),
  ];
  return [...lines.filter((line) => !isCookie(line)), ['cookie', pairs.join('; ')]];
}

/** The body with further members: of a JSON object, or of a form. */
function addMembers({ body, headers }: WireRequest, members: Credentials['members'] = []): Uint8Array | undefined {
  if (members.length === 0 || !body) return body;
  const { type } = mediaTypeOf(headers);
  const text = new TextDecoder().decode(body);
  if (type === 'application/x-www-form-urlencoded')
    return new TextEncoder().encode(withQuery(`?${text}`, members).replace(/^\?&?/, ''));
  if (!/[/+]json$/.test(type) || !text.trimStart().startsWith('{')) return body;
  return new TextEncoder().encode(JSON.stringify({ ...JSON.parse(text), ...Object.fromEntries(members) }));
}

/** How each scheme signs a request now. */
const SIGN: {
  readonly [S in SignatureScheme as S['scheme']]: (
    scheme: S,
    request: SignedRequest,
  ) => ReturnType<typeof signatureParts>;
} = {
  hmac(scheme, request) {
    const timestamp = TIMESTAMP_FORMATS[scheme.timestamp].write(Date.now());
    return signatureParts(scheme, request, { timestamp, nonce: crypto.randomUUID() });
  },
};

/** Header lines, path and body as they are sent. @param host the host that a signature covers */
export function withCredentials(
  request: WireRequest,
  { host, path }: { readonly host: string; readonly path: string },
  { headers: added, query, cookies, members, signatures = [] }: Credentials,
): Pick<WireRequest, 'headers' | 'body'> & { readonly path: string } {
  const body = addMembers(request, members);
  let [headers, target] = [addCookies(replaceLines(request.headers, added), cookies), withQuery(path, query)];
  for (const scheme of signatures) {
    const signed = { method: request.method, target, host, headers, body: body ?? new Uint8Array(0) };
    // The compiler does not relate the row to the scheme once there are several.
    const parts = SIGN[scheme.scheme](scheme as never, signed);
    [headers, target] = [replaceLines(headers, parts.headers), withQuery(target, parts.query)];
  }
  return { headers, path: target, ...(body && { body }) };
}

/** The request for logs and reports: the values of credential headers are masked. */
export function withMaskedCredentials(request: WireRequest, credentials: Credentials): WireRequest {
  const signed = credentials.signatures?.flatMap((scheme) => placesOf(scheme).headers) ?? [];
  const cookie = credentials.cookies?.length ? ['cookie'] : [];
  const masked = [...credentials.headers.map(([name]) => name), ...cookie, ...signed].map(
    (name) => [name, '***'] as const,
  );
  return masked.length === 0 ? request : { ...request, headers: replaceLines(request.headers, masked) };
}
