/** Forwards a response to the client and into the recording. */
import type { ServerResponse } from 'node:http';
import type { OperationKey } from '../../src/contract/index.ts';
import type { HeaderLines } from '../../src/exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import {
  carriesTrailers,
  looksLikeText,
  replaceControlCharacters,
  withoutHopByHop,
} from '../../src/exchange/hop-by-hop.ts';
import {
  headersForClient,
  mayHoldUrls,
  PLACEHOLDER_ORIGIN,
  piecesWithOrigin,
  replaceOrigin,
} from '../../src/recording/format/origin.ts';
import { INLINE_BYTES, type RecordedResponse } from '../../src/recording/format/recorded-exchange.ts';
import { StreamSplitter } from '../../src/recording/format/stream-splitter.ts';
import { responseRecorderFor } from '../../src/recording/record/response-recorder.ts';
import { type BodySink, DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/hide-in-exchange.ts';
import { sendHead } from '../http/end-connection.ts';
import type { ClientConnection } from './client-connection.ts';
import type { GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import type { UpstreamResponse } from './upstream.ts';

/** The lines without those of one header. @param excluded its name in lower case */
export const withoutHeader = (lines: HeaderLines, excluded: string): HeaderLines =>
  lines.filter(([name]) => name.toLowerCase() !== excluded);

/** Removes Domain and Secure from cookies: with them, a client would not send the cookie to the gateway. */
export const withoutCookieDomain = (lines: HeaderLines): [string, string][] =>
  lines.map(([name, value]) => [
    name,
    name.toLowerCase() === 'set-cookie' ? value.replace(/;\s*(?:domain=[^;]*|secure)(?=;|$)/gi, '') : value,
  ]);

async function* prependChunk(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}

export interface ForwardOptions {
  readonly context: GatewayContext;
  /** The base address that replaces the upstream’s origin in responses to the client. */
  readonly base: string;
  readonly method: string;
  readonly upstreamResponse: UpstreamResponse;
  readonly response: ServerResponse;
  readonly client: ClientConnection;
  readonly sink: BodySink;
  /** The context in which secrets of the response are hidden. */
  readonly messageContext: MessageContext;
  readonly operation: OperationKey | undefined;
  /** Called with the reason why the response must not be recorded. */
  readonly onRefused: (why: string) => void;
  /** Settles when the request is read to its end: a response to a streaming upload does not end before it. */
  readonly uploadEnd?: () => Promise<void>;
  /** Called with the head to record as soon as it is known: the body may be truncated. */
  readonly onHead: (head: Omit<RecordedResponse, 'body'>) => void;
}

/**
 * Forwards head and body as they arrive, with origins replaced, and writes them to the sink. A response whose length may
 * change is sent in chunks; a short one is buffered until its new length is known. Rejects where the body is truncated.
 */
export async function forwardResponse({
  context,
  base,
  method,
  upstreamResponse,
  response,
  client,
  sink,
  messageContext,
  uploadEnd,
  operation,
  onRefused,
  onHead,
}: ForwardOptions): Promise<void> {
  const { status, reason, headers } = upstreamResponse;
  const withoutBody = method === 'HEAD' || status === 204 || status === 304;
  // The client combines the parts of a 206: their coding and their positions have to stay.
  const isFullBody = !withoutBody && status !== 206;
  const decoded = isFullBody
    ? await decode(upstreamResponse.body, firstHeader(headers, 'content-encoding'))
    : { chunks: upstreamResponse.body };
  const { coding } = decoded;
  const isEncoded = firstHeader(headers, 'content-encoding') !== undefined && coding === undefined;
  let { chunks } = decoded as { chunks: AsyncIterable<Uint8Array> };
  let isText = isFullBody && !isEncoded && mayHoldUrls(mediaTypeOf(headers).type);
  if (isText === undefined) {
    const source = chunks[Symbol.asyncIterator]();
    const first = await source.next();
    isText = !first.done && looksLikeText(first.value);
    if (!first.done) chunks = prependChunk(first.value, source);
  }
  const kept = withoutCookieDomain(coding === undefined ? headers : withoutHeader(headers, 'content-encoding'));
  const head = {
    status,
    reason: context.protection.text(reason, messageContext),
    // Headers come before the body, which may repeat the secrets they issue.
    headers: context.protection.headers(
      kept.map(([name, value]) => [name, replaceOrigin(value, context.upstreamPattern, PLACEHOLDER_ORIGIN)]),
      messageContext,
    ),
    ...(coding !== undefined && { coding }),
  };
  onHead(head);
  const chunked = !withoutBody && carriesTrailers(kept) && response.req.httpVersion === '1.1';
  const clientHeaders = headersForClient(withoutHopByHop(kept, chunked), context.upstreamPattern, base);
  const length = Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY);
  const isResized = isText || coding !== undefined;
  const isBuffered = isResized && length <= INLINE_BYTES && coding === undefined;
  const sendResponseHead = (bytes?: number): void => {
    const lines = isResized
      ? clientHeaders.flatMap(([name, value]): [string, string][] =>
          name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
        )
      : clientHeaders;
    response.sendDate = false;
    const names = new Set(lines.map(([name]) => name.toLowerCase()));
    const flat = [...lines.flat().map(replaceControlCharacters), ...context.cors.linesFor(response.req, names)];
    response.writeHead(status, replaceControlCharacters(reason), flat);
    sendHead(response);
  };
  const buffered: Uint8Array[] = [];
  const { type } = mediaTypeOf(headers);
  const responseRecorder = responseRecorderFor({
    protection: context.protection,
    figures: context.figureScrubber,
    operation,
    head,
    sink,
    messageContext: { ...messageContext, type, data: (messageContext.data ?? false) && status < 300 },
  });
  const sendToClient = async (parts: readonly Uint8Array[]): Promise<void> => {
    if (isBuffered) buffered.push(...parts);
    else await client.write(parts);
  };
  if (!isBuffered) sendResponseHead();
  const splitter = isText ? new StreamSplitter(context.upstreamPattern) : undefined;
  try {
    for await (const chunk of chunks) {
      client.noteUpstreamActivity();
      const pieces = splitter ? splitter.push(chunk) : [chunk];
      // The client receives the chunk while the recording stores it.
      await Promise.all([
        sendToClient(piecesWithOrigin(pieces, base)),
        responseRecorder.push(piecesWithOrigin(pieces, PLACEHOLDER_ORIGIN)),
      ]);
    }
    const last = splitter?.end() ?? [];
    await responseRecorder.push(piecesWithOrigin(last, PLACEHOLDER_ORIGIN));
    await responseRecorder.end(true);
    if (responseRecorder.refused !== undefined) onRefused(responseRecorder.refused);
    await sendToClient(piecesWithOrigin(last, base));
  } catch (error) {
    if (!(error instanceof DiskError)) {
      // The splitter may have held back the beginning of an origin.
      const last = splitter?.end() ?? [];
      await responseRecorder.push(piecesWithOrigin(last, PLACEHOLDER_ORIGIN));
      await responseRecorder.end(false);
      await sendToClient(piecesWithOrigin(last, base)).catch(() => undefined);
    }
    if (isBuffered) {
      sendResponseHead(length);
      for (const part of buffered) response.write(part);
    }
    throw error;
  }
  if (!uploadEnd) client.queuePosition = context.recorder.enqueue();
  if (isBuffered) sendResponseHead(buffered.reduce((sum, each) => sum + each.length, 0));
  for (const part of buffered) response.write(part);
  if (uploadEnd) {
    await uploadEnd();
    client.queuePosition = context.recorder.enqueue();
  }
  const trailers = chunked ? withoutHopByHop(upstreamResponse.trailers()) : [];
  if (trailers.length > 0) {
    onHead({
      ...head,
      trailers: context.protection.headers(
        headersForClient(trailers, context.upstreamPattern, PLACEHOLDER_ORIGIN),
        messageContext,
      ),
    });
    response.addTrailers(
      headersForClient(trailers, context.upstreamPattern, base).map(([name, value]): [string, string] => [
        name,
        replaceControlCharacters(value),
      ]),
    );
  }
  response.end();
}
