/** From a request as a client sent it to one as it is kept and looked up: gateway and replay both go this way. */
import type { OperationKey } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { MessageContext, Protection } from '../../secrets/protection.ts';
import { scrubUpload, takesUploads } from '../../secrets/scrub/uploads.ts';
import { LONGEST_SCRUBBED } from '../../secrets/scrub/value-spans.ts';
import { findOrigin, mayHoldUrls, PLACEHOLDER, replaceOrigin } from './origin.ts';
import type { RecordedRequest } from './recorded-exchange.ts';
import { CANONICAL_BYTES, canonicalBody, type Matching, requestKey } from './request-key.ts';

/** What the serving process knows when a request comes in. */
export interface RecordingContext {
  /** The base address the client used: own origin and lane prefix. */
  readonly base: string;
  readonly protection: Pick<Protection, 'headers' | 'url' | 'bytes'>;
  readonly matching: Matching;
  operationOf(method: string, target: string): OperationKey | undefined;
  /** Whether invented files take the place of uploaded ones. */
  readonly scrubsUploads?: boolean;
}

export interface ClientRequest {
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
  /** Why the request must not be kept, in one sentence: its files could not be replaced. */
  readonly refused?: string;
}

/** Headers of ours never leave this machine, nor do they get into recordings. */
export const isOwnHeader = (name: string): boolean => /^x-mdwi-/i.test(name);

/** What a request is to whatever hides secrets in it. */
export const secretContextOf = (
  { method, target, headers }: Omit<ClientRequest, 'body'>,
  { operationOf }: Pick<RecordingContext, 'operationOf'>,
): MessageContext => ({
  side: 'request',
  type: mediaTypeOf(headers).type,
  data: operationOf(method, target) !== undefined,
});

/** How much of a body is held: what is to be replaced by an invented file has to be seen whole. */
export const longestHeld = (
  operation: OperationKey | undefined,
  { scrubsUploads }: Pick<RecordingContext, 'scrubsUploads'>,
) => (scrubsUploads && takesUploads(operation) ? LONGEST_SCRUBBED : CANONICAL_BYTES);

function scrubbed(
  operation: OperationKey | undefined,
  body: ClientRequest['body'],
  contentType: string | undefined,
): { readonly body: ClientRequest['body']; readonly refused?: string } {
  if (!takesUploads(operation)) return { body };
  if ('sha256' in body)
    return {
      body,
      refused: `an upload to ${operation} is longer than ${LONGEST_SCRUBBED} bytes; record without --scrub uploads`,
    };
  const invented = scrubUpload(operation, Buffer.from(body), contentType);
  return 'refused' in invented ? { body, refused: invented.refused } : { body: invented.bytes };
}

/** Whether a body is of a text in which origins are replaced; multipart and binary bodies stay as they are. */
export const isText = (headers: HeaderLines): boolean => mayHoldUrls(mediaTypeOf(headers).type) ?? false;

/**
 * The request with the client’s base replaced by the placeholder origin, secrets hidden, and its key.
 * @example describeRequest({ method: 'GET', target: '/x?b=1&a=2', headers: [], body: new Uint8Array() }, door).key
 */
export function describeRequest(
  { method, target, headers, body }: ClientRequest,
  door: RecordingContext,
): DescribedRequest {
  const own = findOrigin(door.base);
  const host = door.base.replace(/^[^:]*:\/\//, '').replace(/\/.*$/s, '');
  const there = (text: string): string => replaceOrigin(text, own, PLACEHOLDER);
  const where = secretContextOf({ method, target, headers }, door);
  const lines = headers
    .filter(([name]) => !isOwnHeader(name))
    .map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === 'host' && value === host ? new URL(PLACEHOLDER).host : there(value),
    ]);
  // Headers first: what they say is a credential may stand in the address, too.
  const hidden = door.protection.headers(lines, where);
  const request = { method, url: `${PLACEHOLDER}${door.protection.url(there(target), where)}`, headers: hidden };
  const contentType = firstHeader(headers, 'content-type');
  const uploaded = door.scrubsUploads ? scrubbed(door.operationOf(method, target), body, contentType) : { body };
  const sent = uploaded.body;
  const kept =
    'sha256' in sent
      ? undefined
      : door.protection.bytes(
          isText(headers) ? Buffer.from(there(Buffer.from(sent).toString('latin1')), 'latin1') : Buffer.from(sent),
          where,
        );
  const canonical = kept ? canonicalBody(kept, contentType) : `bytes sha256-${(sent as { sha256: string }).sha256}`;
  const key = requestKey(
    { method, target: request.url.slice(PLACEHOLDER.length), headers: request.headers, body: canonical },
    door.matching,
  );
  return {
    key,
    canonicalBody: canonical,
    request,
    ...(kept && { body: kept }),
    ...(uploaded.refused !== undefined && { refused: uploaded.refused }),
  };
}
