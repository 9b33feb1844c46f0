/** Provides the credentials of a source: fixed ones, and tokens that are fetched and renewed. */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import { urlBelow } from '../exchange/url.ts';
import { computedKindOf } from '../profile/auth-schemes.ts';
import { sessionLine } from '../profile/session-login.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { type ClientAuth, type Credentials, credentialsOf, type FixedScheme, type TokenScheme } from './credentials.ts';
import { openSession } from './login.ts';
import { requestAccessToken } from './oauth.ts';
import { type IssuedToken, TokenCache } from './token-cache.ts';

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
