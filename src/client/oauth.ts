/** Access tokens of OAuth 2.0: the client credentials grant and the password grant (RFC 6749, 4.3 and 4.4). */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import { basic, headerValueProblem } from '../profile/http-text.ts';
import type { AuthScheme } from '../profile/schema.ts';
import { withoutSecretParts } from '../profile/url-query.ts';
import { type ReceivedCredential, tokensIn } from '../secrets/received.ts';

/** An issued token, or why there is none. `expiresIn`: its lifetime in seconds; absent: until it is refused. */
export type IssuedToken = { readonly value: string; readonly expiresIn?: number } | { readonly failure: Failure };

/** The options of a token request. */
export type OAuthGrant = Omit<Extract<AuthScheme, { scheme: 'oauth2' }>, 'grant' | 'credentialsIn'> &
  Partial<Pick<Extract<AuthScheme, { scheme: 'oauth2' }>, 'grant' | 'credentialsIn'>>;

/** RFC 6749, 2.3.1: id and secret are form-encoded before they are written into the header. */
const formEncoded = (text: string): string => new URLSearchParams({ s: text }).toString().slice(2);

function tokenRequest(scheme: OAuthGrant): WireRequest {
  const {
    tokenUrl: url,
    clientId,
    clientSecret,
    scope,
    credentialsIn = 'header',
    username = '',
    password = '',
  } = scheme;
  const inBody = credentialsIn === 'body';
  const form = new URLSearchParams({
    ...(scheme.grant === 'password'
      ? { grant_type: 'password', username, password }
      : { grant_type: 'client_credentials' }),
    ...(scope !== undefined && { scope }),
    ...scheme.parameters,
    ...(inBody && { client_id: clientId, client_secret: clientSecret }),
  });
  return {
    method: 'POST',
    url,
    headers: [
      ['accept', 'application/json'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ...(inBody ? [] : ([['authorization', basic(formEncoded(clientId), formEncoded(clientSecret))]] as const)),
    ],
    body: new TextEncoder().encode(form.toString()),
    follow: false,
  };
}

function fieldsOf(text: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Requests an access token.
 * @param onCredential called with every token in the response
 */
export async function requestAccessToken(
  scheme: OAuthGrant,
  send: (request: WireRequest) => Promise<Exchange>,
  onCredential: (credential: ReceivedCredential) => void,
): Promise<IssuedToken> {
  const exchange = await send(tokenRequest(scheme));
  if (exchange.failure)
    return { failure: { ...exchange.failure, message: `no access token: ${exchange.failure.message}` } };
  const status = exchange.response?.status ?? 0;
  const fields = fieldsOf(new TextDecoder().decode(await exchange.body.firstBytes()));
  for (const each of tokensIn(fields)) onCredential(each);
  const url = withoutSecretParts(scheme.tokenUrl);
  if (status === 200 && typeof fields.access_token === 'string') {
    const wrong = headerValueProblem(fields.access_token);
    if (wrong === undefined) return { value: fields.access_token, expiresIn: Number(fields.expires_in) };
    const message = `POST ${url}: the access token in the response ${wrong.replace(/;.*$/, '')}`;
    return { failure: { kind: 'stopped', message } };
  }
  // The body is not quoted: a token endpoint may echo the request.
  const message = `POST ${url}: no access token in the response (${status}): check tokenUrl, clientId and clientSecret of the profile’s auth`;
  return { failure: { kind: 'stopped', message } };
}
