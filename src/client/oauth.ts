/** Access tokens of the OAuth 2.0 client credentials grant (RFC 6749, 4.4). */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import { withoutSecretParts } from '../exchange/url.ts';
import { basic } from '../profile/basic-auth.ts';
import { headerValueProblem } from '../profile/http-text.ts';
import { type ReceivedCredential, tokensIn } from '../secrets/received.ts';

/** The grant’s options. `credentialsIn`: whether client id and secret are sent in an Authorization header (default) or in the form. */
export interface ClientCredentials {
  readonly scheme: 'oauth2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly credentialsIn?: 'header' | 'body';
}

export type Token = { readonly value: string } | { readonly failure: Failure };

/** A token counts as expired this long before the server's expiry, so that it does not expire in transit. */
const MARGIN_MS = 5000;

/** RFC 6749, 2.3.1: id and secret are form-encoded before they are written into the header. */
const formEncoded = (text: string): string => new URLSearchParams({ s: text }).toString().slice(2);

function tokenRequest(scheme: ClientCredentials): WireRequest {
  const { tokenUrl: url, clientId, clientSecret, scope, credentialsIn = 'header' } = scheme;
  const inBody = credentialsIn === 'body';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
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

/** A token, fetched on first use and cached until it expires or is refused. Concurrent requests share one fetch. */
export class TokenCache {
  readonly #scheme: ClientCredentials;
  readonly #send: (request: WireRequest) => Promise<Exchange>;
  readonly #onCredential: (credential: ReceivedCredential) => void;
  #current: Promise<Token> | undefined;
  #expires = Number.POSITIVE_INFINITY;

  /** @param onCredential called with every token in a response of the token endpoint */
  constructor(
    scheme: ClientCredentials,
    send: (request: WireRequest) => Promise<Exchange>,
    onCredential: (credential: ReceivedCredential) => void = () => undefined,
  ) {
    this.#scheme = scheme;
    this.#send = send;
    this.#onCredential = onCredential;
  }

  /** The token for the next request. @param refused one that the service answered with 401: it is not returned again */
  async get(refused?: string): Promise<Token> {
    const cached = this.#current && (await this.#current);
    const usable = cached && 'value' in cached && cached.value !== refused && Date.now() < this.#expires;
    if (usable) return cached;
    // Of several requests with the same expired token, the first one replaces it while the others wait.
    if (this.#current && (await this.#current) !== cached) return this.get(refused);
    this.#current = this.#fetch();
    return this.#current;
  }

  async #fetch(): Promise<Token> {
    this.#expires = Number.POSITIVE_INFINITY;
    const exchange = await this.#send(tokenRequest(this.#scheme));
    if (exchange.failure)
      return { failure: { ...exchange.failure, message: `no access token: ${exchange.failure.message}` } };
    const status = exchange.response?.status ?? 0;
    const fields = fieldsOf(new TextDecoder().decode(await exchange.body.firstBytes()));
    for (const each of tokensIn(fields)) this.#onCredential(each);
    if (status === 200 && typeof fields.access_token === 'string') {
      const seconds = Number(fields.expires_in);
      if (seconds > 0) this.#expires = Date.now() + seconds * 1000 - Math.min(MARGIN_MS, seconds * 500);
      const wrong = headerValueProblem(fields.access_token);
      if (wrong === undefined) return { value: fields.access_token };
      const message = `POST ${this.#scheme.tokenUrl.split('?')[0]}: the access token in the response ${wrong.replace(/;.*$/, '')}`;
      return { failure: { kind: 'stopped', message } };
    }
    // The body is not quoted: a token endpoint may echo the request.
    const url = withoutSecretParts(this.#scheme.tokenUrl);
    const message = `POST ${url}: no access token in the response (${status}): check tokenUrl, clientId and clientSecret of the profile’s auth`;
    return { failure: { kind: 'stopped', message } };
  }
}
