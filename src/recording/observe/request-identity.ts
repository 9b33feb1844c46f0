/** The identity of an observed request: the key of what it requests, and the client that sent it. */

import { firstHeader } from '../../exchange/headers.ts';
import type { WireRequest } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import { canonicalBody, canonicalQuery, requestKey } from '../format/request-key.ts';
import { VOLATILE_HEADERS } from '../format/volatile-headers.ts';
import { credentialQuery } from './read-request.ts';

/** Headers that neither identify a client nor change the response. */
const IGNORED_HEADERS = new Set([
  ...VOLATILE_HEADERS,
  'accept-encoding',
  'cache-control',
  'content-length',
  'content-type',
  'dnt',
  'host',
  'if-modified-since',
  'if-none-match',
  'origin',
  'pragma',
  'priority',
  'proxy-connection',
  'referer',
  'te',
  'transfer-encoding',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** Headers with a new value for each request. */
const PER_REQUEST_HEADERS = /^sec-|trace|^x-b3-|request-?id|correlation|span-?id|timestamp|nonce|^x-client-data$/i;

/** @param inputHeaders headers that contain inputs, and so do not identify a client */
export const clientOf = (request: WireRequest, inputHeaders: readonly string[]): string =>
  request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !IGNORED_HEADERS.has(name) && !PER_REQUEST_HEADERS.test(name) && !inputHeaders.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join('\n');

/** Path and query of an absolute URL, byte for byte. */
export const targetIn = (url: string): string => /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] || '/';

/** Headers in the request templates of the profile, in lower case. */
export function templateHeaders(profile: Profile): string[] {
  const names = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}),
  );
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** Returns the function that computes the key of a request under a profile; used for expected and observed ones. */
export function requestKeyOf(profile: Profile): (request: WireRequest) => string {
  const matching = { headers: templateHeaders(profile), withoutQuery: credentialQuery(profile) };
  return ({ method, url, headers, body = new Uint8Array(0) }) =>
    requestKey(
      { method, target: targetIn(url), headers, body: canonicalBody(body, firstHeader(headers, 'content-type')) },
      matching,
    );
}

/** The credentials in a query, which identify a client. */
export const credentialsIn = (url: string, names: readonly string[]): string => {
  if (names.length === 0) return '';
  const query = new URLSearchParams(targetIn(url).split('?').slice(1).join('?'));
  return canonicalQuery(new URLSearchParams([...query].filter(([name]) => names.includes(name))).toString());
};
