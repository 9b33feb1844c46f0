/** The credentials of a source: fixed ones, and a token that is fetched and renewed. */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { type ClientAuth, type Credentials, credentialsOf } from './credentials.ts';
import { TokenCache } from './oauth.ts';

export interface Keyring {
  /** Whether a 401 may be answered by a new token. */
  readonly renewable: boolean;
  /** The credentials to send now; `refused` are those a 401 came back for. */
  get(refused?: Credentials): Promise<{ readonly own: Credentials } | { readonly failure: Failure }>;
}

const bearerOf = (token: string) => ['authorization', `Bearer ${token}`] as const;

/** Opens a profile's schemes. `sendToken` sends the request for a token; `onCredential` receives each token that comes back. */
export function createKeyring(
  auth: readonly ClientAuth[],
  sendToken: (request: WireRequest) => Promise<Exchange>,
  onCredential?: (credential: ReceivedCredential) => void,
): Keyring {
  const fixed = credentialsOf(auth.filter((each) => each.scheme !== 'oauth2' && each.scheme !== 'mtls'));
  const grant = auth.find((each) => each.scheme === 'oauth2');
  if (!grant) return { renewable: false, get: async () => ({ own: fixed }) };
  const tokens = new TokenCache(grant, sendToken, onCredential);
  return {
    renewable: true,
    async get(refused) {
      const line = refused?.headers.findLast(([name]) => name === 'authorization')?.[1];
      const token = await tokens.get(line?.slice('Bearer '.length));
      if ('failure' in token) return token;
      return { own: { headers: [...fixed.headers, bearerOf(token.value)], query: fixed.query } };
    },
  };
}
