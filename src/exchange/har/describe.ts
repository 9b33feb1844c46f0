/** From a request as a client sent it to one as it is kept and looked up: gateway and replay both go this way. */
import { firstHeader, mediaTypeOf } from '../headers.ts';
import { canonicalBody, type Matching, requestKey } from './key.ts';
import { findOrigin, mayHoldUrls, PLACEHOLDER, replaceOrigin } from './origin.ts';
import type { Protector } from './protect.ts';
import type { HeaderLines, RecordedRequest } from './types.ts';

/** What the serving process knows when a request comes in. */
export interface Door {
  /** The base address the client used: own origin and lane prefix. */
  readonly base: string;
  readonly protector: Protector;
  readonly matching: Matching;
}

export interface AskedRequest {
  readonly method: string;
  /** Path and query behind the lane prefix. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** The whole body, up to CANONICAL_BYTES; of a longer one the SHA-256 of its protected bytes, as hex. */
  readonly body: Uint8Array | { readonly sha256: string };
}

export interface DescribedRequest {
  readonly key: string;
  readonly canonicalBody: string;
  readonly request: Omit<RecordedRequest, 'body'>;
  /** The body with origins replaced and secrets hidden; undefined for one known by its hash only. */
  readonly body?: Uint8Array;
}

/** Headers of ours never leave this machine, nor do they get into recordings. */
export const isOwnHeader = (name: string): boolean => /^x-mdwi-/i.test(name);

function hideInBytes(protector: Protector, bytes: Uint8Array): Uint8Array {
  const push = protector.stream();
  return Buffer.concat([...push(bytes), ...push()]);
}

/** Whether a body is of a text in which origins are replaced; multipart and binary bodies stay as they are. */
export const isText = (headers: HeaderLines): boolean => mayHoldUrls(mediaTypeOf(headers).type) ?? false;

/**
 * The request with the client’s base replaced by the placeholder origin, secrets hidden, and its key.
 * @example describeRequest({ method: 'GET', target: '/x?b=1&a=2', headers: [], body: new Uint8Array() }, door).key
 */
export function describeRequest({ method, target, headers, body }: AskedRequest, door: Door): DescribedRequest {
  const own = findOrigin(door.base);
  const host = door.base.replace(/^[^:]*:\/\//, '').replace(/\/.*$/s, '');
  const there = (text: string): string => replaceOrigin(text, own, PLACEHOLDER);
  const request = door.protector.request({
    method,
    url: `${PLACEHOLDER}${there(target)}`,
    headers: headers
      .filter(([name]) => !isOwnHeader(name))
      .map(([name, value]): [string, string] => [
        name,
        name.toLowerCase() === 'host' && value === host ? new URL(PLACEHOLDER).host : there(value),
      ]),
  });
  const kept =
    'sha256' in body
      ? undefined
      : hideInBytes(
          door.protector,
          isText(headers) ? Buffer.from(there(Buffer.from(body).toString('latin1')), 'latin1') : body,
        );
  const contentType = firstHeader(headers, 'content-type');
  const canonical = kept ? canonicalBody(kept, contentType) : `bytes sha256-${(body as { sha256: string }).sha256}`;
  const key = requestKey(
    { method, target: request.url.slice(PLACEHOLDER.length), headers: request.headers, body: canonical },
    door.matching,
  );
  return { key, canonicalBody: canonical, request, ...(kept && { body: kept }) };
}
