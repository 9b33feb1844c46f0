/** An answer on its way to the client and into the recording. */
import type { ServerResponse } from 'node:http';
import type { OperationKey } from '../../src/contract/index.ts';
import type { HeaderLines } from '../../src/exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import { carriesTrailers, endToEnd, looksLikeText, writable } from '../../src/exchange/hop-by-hop.ts';
import {
  linesFor,
  mayHoldUrls,
  PLACEHOLDER,
  piecesWithOrigin,
  replaceOrigin,
} from '../../src/recording/format/origin.ts';
import { INLINE_BYTES, type RecordedResponse } from '../../src/recording/format/recorded-exchange.ts';
import { WordSplitter } from '../../src/recording/format/word-finder.ts';
import { responseRecorderFor } from '../../src/recording/record/response-recorder.ts';
import { type BodySink, DiskError } from '../../src/recording/store/side-file.ts';
import type { MessageContext } from '../../src/secrets/protection.ts';
import { sendHead } from '../http/end-connection.ts';
import type { ClientConnection } from './client-connection.ts';
import type { GatewayContext } from './context.ts';
import { decode } from './decode.ts';
import type { UpstreamResponse } from './upstream.ts';

export const withoutHeader = (lines: HeaderLines, sought: string): HeaderLines =>
  lines.filter(([name]) => name.toLowerCase() !== sought);

/** A cookie for any address: bound to the upstream’s domain or to TLS, a client would not send it back here. */
export const withUnboundCookies = (lines: HeaderLines): [string, string][] =>
  lines.map(([name, value]) => [
    name,
    name.toLowerCase() === 'set-cookie' ? value.replace(/;\s*(?:domain=[^;]*|secure)(?=;|$)/gi, '') : value,
  ]);

async function* behind(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}

export interface ForwardResult {
  readonly gate: GatewayContext;
  /** What the client is to see in place of the upstream’s origin. */
  readonly base: string;
  readonly method: string;
  readonly answer: UpstreamResponse;
  readonly response: ServerResponse;
  readonly leg: ClientConnection;
  readonly sink: BodySink;
  /** What the answer is to whatever hides secrets in it. */
  readonly where: MessageContext;
  readonly operation: OperationKey | undefined;
  /** Told why the answer must not be kept. */
  readonly onRefused: (why: string) => void;
  /** Settles when the request was read to its end: an answer to half an upload ends no sooner. */
  readonly uploaded?: () => Promise<void>;
  /** Told the head to keep as soon as it is known, for a body that breaks off. */
  readonly onHead: (head: Omit<RecordedResponse, 'body'>) => void;
}

/**
 * Passes head and body on as they arrive, with origins replaced, and into the sink. Answers are sent in chunks where the
 * length may change on the way; a short one is held until its new length is known. Rejects where the body breaks off.
 */
export async function forwardResponse({
  gate,
  base,
  method,
  answer,
  response,
  leg,
  sink,
  where,
  uploaded,
  operation,
  onRefused,
  onHead,
}: ForwardResult): Promise<void> {
  const { status, reason, headers } = answer;
  const bare = method === 'HEAD' || status === 204 || status === 304;
  // Parts and their codings and positions are the client’s to put together.
  const whole = !bare && status !== 206;
  const decoded = whole ? await decode(answer.body, firstHeader(headers, 'content-encoding')) : { chunks: answer.body };
  const { coding } = decoded;
  const coded = firstHeader(headers, 'content-encoding') !== undefined && coding === undefined;
  let { chunks } = decoded as { chunks: AsyncIterable<Uint8Array> };
  let text = whole && !coded && mayHoldUrls(mediaTypeOf(headers).type);
  if (text === undefined) {
    const source = chunks[Symbol.asyncIterator]();
    const first = await source.next();
    text = !first.done && looksLikeText(first.value);
    if (!first.done) chunks = behind(first.value, source);
  }
  const kept = withUnboundCookies(coding === undefined ? headers : withoutHeader(headers, 'content-encoding'));
  const head = {
    status,
    reason: gate.protection.text(reason, where),
    // Before the body, which may repeat what they mint.
    headers: gate.protection.headers(
      kept.map(([name, value]) => [name, replaceOrigin(value, gate.theirs, PLACEHOLDER)]),
      where,
    ),
    ...(coding !== undefined && { coding }),
  };
  onHead(head);
  const chunked = !bare && carriesTrailers(kept) && response.req.httpVersion === '1.1';
  const sent = linesFor(endToEnd(kept, chunked), gate.theirs, base);
  const length = Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY);
  const resized = text || coding !== undefined;
  const hold = resized && length <= INLINE_BYTES && coding === undefined;
  const begin = (bytes?: number): void => {
    const lines = resized
      ? sent.flatMap(([name, value]): [string, string][] =>
          name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
        )
      : sent;
    response.sendDate = false;
    const names = new Set(lines.map(([name]) => name.toLowerCase()));
    const flat = [...lines.flat().map(writable), ...gate.cors.linesFor(response.req, names)];
    response.writeHead(status, writable(reason), flat);
    sendHead(response);
  };
  const held: Uint8Array[] = [];
  const { type } = mediaTypeOf(headers);
  const keeper = responseRecorderFor({
    protection: gate.protection,
    figures: gate.figures,
    operation,
    head,
    sink,
    where: { ...where, type, data: (where.data ?? false) && status < 300 },
  });
  const pass = async (parts: readonly Uint8Array[]): Promise<void> => {
    if (hold) held.push(...parts);
    else await leg.write(parts);
  };
  if (!hold) begin();
  const splitter = text ? new WordSplitter(gate.theirs) : undefined;
  try {
    for await (const chunk of chunks) {
      leg.heard();
      const pieces = splitter ? splitter.push(chunk) : [chunk];
      // The client reads while the recording is at work.
      await Promise.all([pass(piecesWithOrigin(pieces, base)), keeper.push(piecesWithOrigin(pieces, PLACEHOLDER))]);
    }
    const last = splitter?.end() ?? [];
    await keeper.push(piecesWithOrigin(last, PLACEHOLDER));
    await keeper.end(true);
    if (keeper.refused !== undefined) onRefused(keeper.refused);
    await pass(piecesWithOrigin(last, base));
  } catch (error) {
    if (!(error instanceof DiskError)) {
      // What was held back as the possible beginning of an origin.
      const last = splitter?.end() ?? [];
      await keeper.push(piecesWithOrigin(last, PLACEHOLDER));
      await keeper.end(false);
      await pass(piecesWithOrigin(last, base)).catch(() => undefined);
    }
    if (hold) {
      begin(length);
      for (const part of held) response.write(part);
    }
    throw error;
  }
  if (!uploaded) leg.turn = gate.recorder.turn();
  if (hold) begin(held.reduce((sum, each) => sum + each.length, 0));
  for (const part of held) response.write(part);
  if (uploaded) {
    await uploaded();
    leg.turn = gate.recorder.turn();
  }
  const trailers = chunked ? endToEnd(answer.trailers()) : [];
  if (trailers.length > 0) {
    onHead({ ...head, trailers: gate.protection.headers(linesFor(trailers, gate.theirs, PLACEHOLDER), where) });
    response.addTrailers(
      linesFor(trailers, gate.theirs, base).map(([name, value]): [string, string] => [name, writable(value)]),
    );
  }
  response.end();
}
