/** Access tokens of the OAuth 2.0 client credentials grant (RFC 6749, 4.4). */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import { withoutSecretParts } from '../exchange/url.ts';
import { headerValueProblem } from '../profile/http-text.ts';
import { type ReceivedCredential, tokensIn } from '../secrets/received.ts';
import { basic } from './basic-auth.ts';

/** `credentialsIn`: whether client id and secret go into an Authorization header (default) or the form. */
export interface ClientCredentials {
  readonly scheme: 'oauth2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly credentialsIn?: 'header' | 'body';
}

export type Token = { readonly value: string } | { readonly failure: Failure };

/** Ends a token's life a little before the server does, so that it does not run out on the way. */
const MARGIN_MS = 5000;

/** RFC 6749, 2.3.1: id and secret are form-encoded before they go into the header. */
const inForm = (text: string): string => new URLSearchParams({ s: text }).toString().slice(2);

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
      ...(inBody ? [] : ([['authorization', basic(inForm(clientId), inForm(clientSecret))]] as const)),
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

/** A token, fetched when first needed and kept until it runs out or is refused. Concurrent requests share one fetch. */
export class TokenCache {
  readonly #scheme: ClientCredentials;
  readonly #send: (request: WireRequest) => Promise<Exchange>;
  readonly #onCredential: (credential: ReceivedCredential) => void;
  #current: Promise<Token> | undefined;
  #expires = Number.POSITIVE_INFINITY;

  /** `onCredential` receives every token of every answer of the token endpoint. */
  constructor(
    scheme: ClientCredentials,
    send: (request: WireRequest) => Promise<Exchange>,
    onCredential: (credential: ReceivedCredential) => void = () => undefined,
  ) {
    this.#scheme = scheme;
    this.#send = send;
    this.#onCredential = onCredential;
  }

  /** The token to send now. `refused` is one that the service answered 401 to: it is not handed out again. */
  async get(refused?: string): Promise<Token> {
    const known = this.#current && (await this.#current);
    const usable = known && 'value' in known && known.value !== refused && Date.now() < this.#expires;
    if (usable) return known;
    // Several may find the same token used up; the first of them replaced it while the others waited.
    if (this.#current && (await this.#current) !== known) return this.get(refused);
    this.#current = this.#fetch();
    return this.#current;
  }

  async #fetch(): Promise<Token> {
    this.#expires = Number.POSITIVE_INFINITY;
    const answer = await this.#send(tokenRequest(this.#scheme));
    if (answer.failure)
      return { failure: { ...answer.failure, message: `no access token: ${answer.failure.message}` } };
    const status = answer.response?.status ?? 0;
    const fields = fieldsOf(new TextDecoder().decode(await answer.body.head()));
    for (const each of tokensIn(fields)) this.#onCredential(each);
    if (status === 200 && typeof fields.access_token === 'string') {
      const seconds = Number(fields.expires_in);
      if (seconds > 0) this.#expires = Date.now() + seconds * 1000 - Math.min(MARGIN_MS, seconds * 500);
      const wrong = headerValueProblem(fields.access_token);
      if (wrong === undefined) return { value: fields.access_token };
      const message = `POST ${this.#scheme.tokenUrl.split('?')[0]}: the access token in the answer ${wrong.replace(/;.*$/, '')}`;
      return { failure: { kind: 'stopped', message } };
    }
    // The body is not quoted: a token endpoint may echo what it was sent.
    const url = withoutSecretParts(this.#scheme.tokenUrl);
    const message = `POST ${url}: no access token in the answer (${status}): check tokenUrl, clientId and clientSecret of the profile’s auth`;
    return { failure: { kind: 'stopped', message } };
  }
}
