/** Provides the credentials of a source: fixed ones, and a token that is fetched and renewed. */

import type { Exchange, Failure, WireRequest } from '../exchange/types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { type ClientAuth, type Credentials, credentialsOf } from './credentials.ts';
import { TokenCache } from './oauth.ts';

export interface Keyring {
  /** Whether a new token can be fetched after a 401. */
  readonly renewable: boolean;
  /** The credentials for the next request. @param refused those that the service answered with 401 */
  get(refused?: Credentials): Promise<{ readonly credentials: Credentials } | { readonly failure: Failure }>;
}

const bearerOf = (token: string) => ['authorization', `Bearer ${token}`] as const;

/**
 * Creates the credentials from the schemes of a profile.
 * @param sendToken sends the token request
 * @param onCredential called with each received token
 */
export function createKeyring(
  auth: readonly ClientAuth[],
  sendToken: (request: WireRequest) => Promise<Exchange>,
  onCredential?: (credential: ReceivedCredential) => void,
): Keyring {
  const fixed = credentialsOf(auth.filter((each) => each.scheme !== 'oauth2' && each.scheme !== 'mtls'));
  const grant = auth.find((each) => each.scheme === 'oauth2');
  if (!grant) return { renewable: false, get: async () => ({ credentials: fixed }) };
  const tokens = new TokenCache(grant, sendToken, onCredential);
  return {
    renewable: true,
    async get(refused) {
      const line = refused?.headers.findLast(([name]) => name === 'authorization')?.[1];
      const token = await tokens.get(line?.slice('Bearer '.length));
      if ('failure' in token) return token;
      return { credentials: { ...fixed, headers: [...fixed.headers, bearerOf(token.value)] } };
    },
  };
}
