/** Converts a client request to the form that is recorded and looked up. Gateway and replay both use it. */
import type { OperationKey } from '../../contract/index.ts';
import { firstHeader, type HeaderLines, mediaTypeOf } from '../../exchange/headers.ts';
import type { MessageContext, Protection } from '../../secrets/hide-in-exchange.ts';
import { scrubUpload, takesUploads } from '../../secrets/scrub/uploads.ts';
import { LONGEST_SCRUBBED } from '../../secrets/scrub/value-spans.ts';
import { mayHoldUrls, originPattern, RECORDED_ORIGIN, replaceOrigin } from './origin.ts';
import type { RecordedRequest } from './recorded-exchange.ts';
import { CANONICAL_BYTES, canonicalBody, hashedForm, type Matching, requestKey } from './request-key.ts';

/** The settings of the gateway or replay server that receives the request. */
export interface RecordingContext {
  /** The base address the client used: own origin and lane prefix. */
  readonly base: string;
  readonly protection: Pick<Protection, 'headers' | 'url' | 'bytes'>;
  readonly matching: Matching;
  operationOf(method: string, target: string): OperationKey | undefined;
  /** Whether uploaded files are replaced by generated ones. */
  readonly scrubsUploads?: boolean;
}

export interface ClientRequest {
  readonly method: string;
  /** Path and query after the lane prefix. */
  readonly target: string;
  readonly headers: HeaderLines;
  /** The whole body, up to CANONICAL_BYTES; for a longer body the SHA-256 of its protected bytes, as hex. */
  readonly body: Uint8Array | { readonly sha256: string };
}

export interface DescribedRequest {
  readonly key: string;
  readonly canonicalBody: string;
  readonly request: Omit<RecordedRequest, 'body'>;
  /** The body with origins replaced and secrets hidden; undefined if only its hash is known. */
  readonly body?: Uint8Array;
  /** Why the request must not be recorded, in one sentence: its files could not be replaced. */
  readonly whyNotRecorded?: string;
}

/** `x-mdwi-*` headers are never forwarded or recorded. */
export const isOwnHeader = (name: string): boolean => /^x-mdwi-/i.test(name);

/** The context in which secrets of a request are hidden. */
export const secretContextOf = (
  { method, target, headers }: Omit<ClientRequest, 'body'>,
  { operationOf }: Pick<RecordingContext, 'operationOf'>,
): MessageContext => ({
  side: 'request',
  type: mediaTypeOf(headers).type,
  isInterfaceData: operationOf(method, target) !== undefined,
});

/** How many bytes of a body are buffered. An upload that is replaced by a generated file is buffered whole. */
export const maxBufferedBytes = (
  operation: OperationKey | undefined,
  { scrubsUploads }: Pick<RecordingContext, 'scrubsUploads'>,
) => (scrubsUploads && takesUploads(operation) ? LONGEST_SCRUBBED : CANONICAL_BYTES);

function scrubBody(
  operation: OperationKey | undefined,
  body: ClientRequest['body'],
  contentType: string | undefined,
): { readonly body: ClientRequest['body']; readonly whyNotRecorded?: string } {
  if (!takesUploads(operation)) return { body };
  if ('sha256' in body)
    return {
      body,
      whyNotRecorded: `an upload to ${operation} is longer than ${LONGEST_SCRUBBED} bytes; record without --scrub uploads`,
    };
  const generated = scrubUpload(operation, Buffer.from(body), contentType);
  return 'whyNotRecorded' in generated ? { body, whyNotRecorded: generated.whyNotRecorded } : { body: generated.bytes };
}

const RECORDED_HOST = new URL(RECORDED_ORIGIN).host;

/** Whether origins are replaced in the body. Multipart and binary bodies are not changed. */
export const isText = (headers: HeaderLines): boolean => mayHoldUrls(mediaTypeOf(headers).type) ?? false;

/**
 * The request with the client’s base replaced by the placeholder origin, secrets hidden, and its key.
 * @example describeRequest({ method: 'GET', target: '/x?b=1&a=2', headers: [], body: new Uint8Array() }, context).key
 */
export function describeRequest(
  { method, target, headers, body }: ClientRequest,
  context: RecordingContext,
): DescribedRequest {
  const pattern = originPattern(context.base);
  const host = context.base.replace(/^[^:]*:\/\//, '').replace(/\/.*$/s, '');
  const withPlaceholder = (text: string): string => replaceOrigin(text, pattern, RECORDED_ORIGIN);
  const secretContext = secretContextOf({ method, target, headers }, context);
  const lines = headers
    .filter(([name]) => !isOwnHeader(name))
    .map(([name, value]): [string, string] => [
      name,
      name.toLowerCase() === 'host' && value === host ? RECORDED_HOST : withPlaceholder(value),
    ]);
  // Headers first: a credential found in a header may occur in the URL, too.
  const hidden = context.protection.headers(lines, secretContext);
  const request = {
    method,
    url: `${RECORDED_ORIGIN}${context.protection.url(withPlaceholder(target), secretContext)}`,
    headers: hidden,
  };
  const contentType = firstHeader(headers, 'content-type');
  const uploaded = context.scrubsUploads ? scrubBody(context.operationOf(method, target), body, contentType) : { body };
  const sent = uploaded.body;
  const protectedBody =
    'sha256' in sent
      ? undefined
      : context.protection.bytes(
          isText(headers)
            ? Buffer.from(withPlaceholder(Buffer.from(sent).toString('latin1')), 'latin1')
            : Buffer.from(sent),
          secretContext,
        );
  const canonical = protectedBody
    ? canonicalBody(protectedBody, contentType)
    : hashedForm((sent as { sha256: string }).sha256);
  const key = requestKey(
    { method, target: request.url.slice(RECORDED_ORIGIN.length), headers: request.headers, body: canonical },
    context.matching,
  );
  return {
    key,
    canonicalBody: canonical,
    request,
    ...(protectedBody && { body: protectedBody }),
    ...(uploaded.whyNotRecorded !== undefined && { whyNotRecorded: uploaded.whyNotRecorded }),
  };
}
