/** Forwards a response to the client and into the recording. */
import {
  carriesTrailers,
  firstHeader,
  type HeaderLines,
  looksLikeText,
  mediaTypeOf,
  replaceControlCharacters,
  withoutHopByHop,
} from '../../src/exchange/headers.ts';
import {
  headersForClient,
  mayHoldUrls,
  OriginSplitter,
  piecesWithOrigin,
  RECORDED_ORIGIN,
  replaceOrigin,
} from '../../src/recording/format/origin.ts';
import { INLINE_BYTES, type RecordedResponse } from '../../src/recording/format/recorded-exchange.ts';
import { responseRecorderFor } from '../../src/recording/record/response-recorder.ts';
import { DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/hide-in-exchange.ts';
import { sendHead } from '../http/end-connection.ts';
import type { ForwardedRequest, GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import type { UpstreamResponse } from './upstream.ts';

/**
 * The header lines that are forwarded: without a removed coding, and cookies without Domain and Secure, with which a
 * client would not send them to the gateway.
 */
const headersWithout = (coding: string | undefined, lines: HeaderLines): HeaderLines =>
  lines.flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (coding !== undefined && lower === 'content-encoding') return [];
    return [[name, lower === 'set-cookie' ? value.replace(/;\s*(?:domain=[^;]*|secure)(?=;|$)/gi, '') : value]];
  });

/** The head of a response as it is recorded. */
export function recordedHead(
  { protection, upstreamPattern }: GatewayContext,
  { status, reasonPhrase, headers }: Pick<UpstreamResponse, 'status' | 'reasonPhrase' | 'headers'>,
  coding: string | undefined,
  messageContext: MessageContext,
): Omit<RecordedResponse, 'body'> {
  const lines = headersWithout(coding, headers).map(([name, value]): [string, string] => [
    name,
    replaceOrigin(value, upstreamPattern, RECORDED_ORIGIN),
  ]);
  return {
    status,
    reasonPhrase: protection.text(reasonPhrase, messageContext),
    headers: protection.headers(lines, messageContext),
    ...(coding !== undefined && { coding }),
  };
}

/** The context of a body: only that of a success is data of the interface. */
export const bodyContextOf = (
  messageContext: MessageContext,
  { status, headers }: UpstreamResponse,
): MessageContext => ({
  ...messageContext,
  type: mediaTypeOf(headers).type,
  isInterfaceData: (messageContext.isInterfaceData ?? false) && status < 300,
});

async function* prependChunk(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let result = await rest.next(); !result.done; result = await rest.next()) yield result.value;
}

interface ForwardOptions extends ForwardedRequest {
  readonly upstreamResponse: UpstreamResponse;
  /** Called with the reason why the response must not be recorded. */
  readonly onNotRecordable: (why: string) => void;
  /** Called as soon as the head is known, because the body may fail later; called again with trailers. */
  readonly onHead: (head: Omit<RecordedResponse, 'body'>) => void;
}

/**
 * Forwards head and body as they arrive, with origins replaced, and writes them to the sink. A response whose length may
 * change is sent in chunks; a short one is buffered until its new length is known. Rejects where the body is truncated.
 */
export async function forwardResponse({
  gateway,
  base,
  upstreamRequest,
  upstreamResponse,
  response,
  client,
  bodySink,
  messageContext,
  waitForUpload,
  operation,
  onNotRecordable,
  onHead,
}: ForwardOptions): Promise<void> {
  const { status, reasonPhrase, headers } = upstreamResponse;
  const hasNoBody = upstreamRequest.method === 'HEAD' || status === 204 || status === 304;
  // The client combines the parts of a 206: content coding and byte offsets must not change.
  const isFullBody = !hasNoBody && status !== 206;
  const decoded = isFullBody
    ? await decode(upstreamResponse.body, firstHeader(headers, 'content-encoding'))
    : { chunks: upstreamResponse.body };
  const { coding } = decoded;
  const isStillEncoded = firstHeader(headers, 'content-encoding') !== undefined && coding === undefined;
  let { chunks } = decoded as { chunks: AsyncIterable<Uint8Array> };
  let mayContainUrls = isFullBody && !isStillEncoded && mayHoldUrls(mediaTypeOf(headers).type);
  if (mayContainUrls === undefined) {
    const source = chunks[Symbol.asyncIterator]();
    const first = await source.next();
    mayContainUrls = !first.done && looksLikeText(first.value);
    if (!first.done) chunks = prependChunk(first.value, source);
  }
  const forwardedHeaders = headersWithout(coding, headers);
  // Headers come before the body, which may repeat the secrets they issue.
  const head = recordedHead(gateway, upstreamResponse, coding, messageContext);
  onHead(head);
  const chunked = !hasNoBody && carriesTrailers(forwardedHeaders) && response.req.httpVersion === '1.1';
  const clientHeaders = headersForClient(withoutHopByHop(forwardedHeaders, chunked), gateway.upstreamPattern, base);
  const length = Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY);
  const isResized = mayContainUrls || coding !== undefined;
  const isBuffered = isResized && length <= INLINE_BYTES && coding === undefined;
  const sendResponseHead = (bytes?: number): void => {
    const lines = isResized
      ? clientHeaders.flatMap(([name, value]): [string, string][] =>
          name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
        )
      : clientHeaders;
    response.sendDate = false;
    const names = new Set(lines.map(([name]) => name.toLowerCase()));
    const flat = [...lines.flat().map(replaceControlCharacters), ...gateway.cors.linesFor(response.req, names)];
    response.writeHead(status, replaceControlCharacters(reasonPhrase), flat);
    sendHead(response);
  };
  const buffered: Uint8Array[] = [];
  const responseRecorder = responseRecorderFor({
    protection: gateway.protection,
    figures: gateway.figureScrubber,
    operation,
    head,
    sink: bodySink,
    messageContext: bodyContextOf(messageContext, upstreamResponse),
  });
  const sendToClient = async (parts: readonly Uint8Array[]): Promise<void> => {
    if (isBuffered) buffered.push(...parts);
    else await client.write(parts);
  };
  if (!isBuffered) sendResponseHead();
  const splitter = mayContainUrls ? new OriginSplitter(gateway.upstreamPattern) : undefined;
  try {
    for await (const chunk of chunks) {
      client.noteUpstreamActivity();
      const pieces = splitter ? splitter.push(chunk) : [chunk];
      // The client receives the chunk while the recording stores it.
      await Promise.all([
        sendToClient(piecesWithOrigin(pieces, base)),
        responseRecorder.push(piecesWithOrigin(pieces, RECORDED_ORIGIN)),
      ]);
    }
    const last = splitter?.end() ?? [];
    await responseRecorder.push(piecesWithOrigin(last, RECORDED_ORIGIN));
    await responseRecorder.end({ isComplete: true });
    if (responseRecorder.whyNotRecorded !== undefined) onNotRecordable(responseRecorder.whyNotRecorded);
    await sendToClient(piecesWithOrigin(last, base));
  } catch (error) {
    if (!(error instanceof DiskError)) {
      // The splitter may have held back the beginning of an origin.
      const last = splitter?.end() ?? [];
      await responseRecorder.push(piecesWithOrigin(last, RECORDED_ORIGIN));
      await responseRecorder.end({ isComplete: false });
      await sendToClient(piecesWithOrigin(last, base)).catch(() => undefined);
    }
    if (isBuffered) {
      sendResponseHead(length);
      for (const part of buffered) response.write(part);
    }
    throw error;
  }
  if (!waitForUpload) client.queuePosition = gateway.recorder.enqueue();
  if (isBuffered) sendResponseHead(buffered.reduce((sum, each) => sum + each.length, 0));
  for (const part of buffered) response.write(part);
  if (waitForUpload) {
    await waitForUpload();
    client.queuePosition = gateway.recorder.enqueue();
  }
  const trailers = chunked ? withoutHopByHop(upstreamResponse.trailers()) : [];
  if (trailers.length > 0) {
    onHead({
      ...head,
      trailers: gateway.protection.headers(
        headersForClient(trailers, gateway.upstreamPattern, RECORDED_ORIGIN),
        messageContext,
      ),
    });
    response.addTrailers(
      headersForClient(trailers, gateway.upstreamPattern, base).map(([name, value]): [string, string] => [
        name,
        replaceControlCharacters(value),
      ]),
    );
  }
  response.end();
}
