/** Provides the credentials of a source: fixed ones, and tokens that are fetched and renewed. */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import { urlBelow } from '../exchange/url.ts';
import { computedKindOf } from '../profile/auth-schemes.ts';
import { sessionLine } from '../profile/session-login.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { type ClientAuth, type Credentials, credentialsOf, type FixedScheme, type TokenScheme } from './credentials.ts';
import { openSession } from './login.ts';
import { type IssuedToken, requestAccessToken } from './oauth.ts';

export interface Keyring {
  /** Whether a new token can be fetched after a 401. */
  readonly renewable: boolean;
  /** The credentials for the next request. @param refused those that the service answered with 401 */
  get(refused?: Credentials): Promise<{ readonly credentials: Credentials } | { readonly failure: Failure }>;
}

export interface KeyringOptions {
  /** The base address of logins and token endpoints that are paths. */
  readonly base: string;
  /** Sends a request for a token. @param credentials absent: it is anonymous */
  readonly send: (request: WireRequest, credentials?: Credentials) => Promise<Exchange>;
  /** Called with each received token. */
  readonly onCredential?: (credential: ReceivedCredential) => void;
  /** In place of tokens that are fetched: a recording needs any token. */
  readonly issuedToken?: string | undefined;
}

/** A token counts as expired this long before the server's expiry, so that it does not expire in transit. */
const MARGIN_MS = 5000;

/** A token, fetched on first use and cached until it expires or is refused. Concurrent requests share one fetch. */
class TokenCache {
  readonly #request: () => Promise<IssuedToken>;
  #current: Promise<IssuedToken> | undefined;
  #expires = Number.POSITIVE_INFINITY;

  /** @param request requests a new token */
  constructor(request: () => Promise<IssuedToken>) {
    this.#request = request;
  }

  /** The token for the next request. @param refused one that the service answered with 401: it is not returned again */
  async get(refused?: string): Promise<IssuedToken> {
    const cached = this.#current && (await this.#current);
    const usable = cached && 'value' in cached && cached.value !== refused && Date.now() < this.#expires;
    if (usable) return cached;
    // Of several requests with the same expired token, the first one replaces it while the others wait.
    if (this.#current && (await this.#current) !== cached) return this.get(refused);
    this.#current = this.#fetch();
    return this.#current;
  }

  async #fetch(): Promise<IssuedToken> {
    this.#expires = Number.POSITIVE_INFINITY;
    const issued = await this.#request();
    if ('value' in issued && issued.expiresIn !== undefined && issued.expiresIn > 0)
      this.#expires = Date.now() + issued.expiresIn * 1000 - Math.min(MARGIN_MS, issued.expiresIn * 500);
    return issued;
  }
}

const isTokenScheme = (each: ClientAuth): each is TokenScheme => computedKindOf(each) === 'token';

/** Where requests carry a token. */
function carried(scheme: TokenScheme, token: string): Partial<Credentials> {
  if (scheme.scheme === 'oauth2') return { headers: [['authorization', `Bearer ${token}`]] };
  const line = sessionLine(scheme, token);
  const places = { header: 'headers', query: 'query', cookie: 'cookies', body: 'members' } as const;
  return { [places[scheme.in]]: [line] };
}

/** Creates the credentials from the schemes of a profile. */
export function createKeyring(auth: readonly ClientAuth[], options: KeyringOptions): Keyring {
  const { base, send, issuedToken, onCredential = () => undefined } = options;
  const fixed = credentialsOf(
    auth.filter((each): each is FixedScheme => !isTokenScheme(each) && computedKindOf(each) !== 'certificate'),
  );
  const requestToken = async (scheme: TokenScheme): Promise<IssuedToken> => {
    if (issuedToken !== undefined) return { value: issuedToken };
    if (scheme.scheme === 'oauth2')
      return requestAccessToken({ ...scheme, tokenUrl: urlBelow(base, scheme.tokenUrl) }, send, onCredential);
    // A login of the service itself may need the other credentials, such as the key of an application.
    const isOwn = scheme.request.url.startsWith('/');
    const issued = await openSession(scheme, base, (request) => send(request, isOwn ? fixed : undefined));
    if ('value' in issued) onCredential({ name: scheme.name, value: issued.value });
    return issued;
  };
  const issuers = auth
    .filter(isTokenScheme)
    .map((scheme) => ({ scheme, tokens: new TokenCache(() => requestToken(scheme)) }));
  return {
    renewable: issuers.length > 0 && issuedToken === undefined,
    async get(refused) {
      const credentials = { ...fixed, headers: [...fixed.headers], query: [...fixed.query] };
      const [cookies, members, tokens]: [[string, string][], [string, string][], string[]] = [[], [], []];
      for (const [at, issuer] of issuers.entries()) {
        const token = await issuer.tokens.get(refused?.tokens?.[at]);
        if ('failure' in token) return token;
        const lines = carried(issuer.scheme, token.value);
        credentials.headers.push(...(lines.headers ?? []));
        credentials.query.push(...(lines.query ?? []));
        cookies.push(...((lines.cookies ?? []) as [string, string][]));
        members.push(...((lines.members ?? []) as [string, string][]));
        tokens.push(token.value);
      }
      return { credentials: { ...credentials, cookies, members, tokens } };
    },
  };
}
