/** Converts an imported exchange to a recorded one: replaces origins, hides credentials, writes long bodies to side files. */

import { firstHeader, mediaTypeOf, withoutHopByHop } from '../../exchange/headers.ts';
import type { MessageContext, Protection } from '../../secrets/hide-in-exchange.ts';
import type { FigureScrubber } from '../../secrets/scrub/figures.ts';
import {
  describeRequest,
  maxBufferedBytes,
  type RecordingContext,
  secretContextOf,
} from '../format/describe-request.ts';
import { MAIN_LANE } from '../format/names.ts';
import {
  mayHoldUrls,
  OriginSplitter,
  originPattern,
  piecesWithOrigin,
  RECORDED_ORIGIN,
  replaceOrigin,
} from '../format/origin.ts';
import { type RecordedExchange, type StoredBody, sha256Of } from '../format/recorded-exchange.ts';
import type { Recorder } from '../record/recorder.ts';
import { responseRecorderFor } from '../record/response-recorder.ts';
import type { ConvertedEntry } from './convert-entry.ts';

const CHUNK = 1024 * 1024;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** An exchange whose long bodies are in side files, so that it needs little memory. */
export type StoredEntry = Omit<RecordedExchange, 'order'>;

export interface StoreTarget extends RecordingContext {
  readonly protection: Protection;
  /** Replaces the figures of responses by generated ones. */
  readonly figures?: FigureScrubber;
  readonly recorder: Recorder;
}

/** Why an exchange must not be recorded, in one sentence. */
class NotRecordable extends Error {}

/** Stores the bodies of an exchange; or returns why it must not be recorded. */
export const storeEntry = (
  entry: ConvertedEntry,
  into: StoreTarget,
): Promise<StoredEntry | { readonly whyNotRecorded: string }> =>
  storeBodies(entry, into).catch((error: unknown) => {
    if (error instanceof NotRecordable) return { whyNotRecorded: error.message };
    throw error;
  });

/** Stores the bodies of an exchange and prepares the rest for recording. `into.base` is the origin it was sent to. */
async function storeBodies(entry: ConvertedEntry, into: StoreTarget): Promise<StoredEntry> {
  const { recorder, protection, base, operationOf } = into;
  const operation = operationOf(entry.method, entry.target);
  const upstream = originPattern(base);
  const withPlaceholder = (text: string): string => replaceOrigin(text, upstream, RECORDED_ORIGIN);
  const { method, target, requestHeaders, requestBody = new Uint8Array(0) } = entry;
  const store = async (
    bytes: Uint8Array,
    holdsUrls: boolean,
    messageContext: MessageContext,
  ): Promise<StoredBody | undefined> => {
    const sink = recorder.createBodySink();
    const { status, responseHeaders } = entry;
    const responseRecorder = responseRecorderFor({
      ...{ protection, sink, messageContext },
      figures: messageContext.side === 'response' ? into.figures : undefined,
      operation,
      head: { status, headers: responseHeaders },
    });
    const splitter = holdsUrls ? new OriginSplitter(upstream) : undefined;
    for (const piece of piecesOf(bytes)) {
      const replaced = splitter ? piecesWithOrigin(splitter.push(piece), RECORDED_ORIGIN) : [piece];
      await responseRecorder.push(replaced);
    }
    const lastPieces = splitter ? piecesWithOrigin(splitter.end(), RECORDED_ORIGIN) : [];
    await responseRecorder.push(lastPieces);
    await responseRecorder.end({ isComplete: true });
    if (responseRecorder.whyNotRecorded !== undefined) {
      await sink.discard();
      throw new NotRecordable(responseRecorder.whyNotRecorded);
    }
    return sink.end();
  };
  const headers = [
    ...requestHeaders.filter(([name]) => name.toLowerCase() === 'host'),
    ...withoutHopByHop(requestHeaders),
  ];
  const requestContext = secretContextOf({ method, target, headers }, into);
  // A body that is too long for the canonical form is identified by the hash of its side file.
  const longBody =
    requestBody.length > maxBufferedBytes(operation, into)
      ? await store(requestBody, false, requestContext)
      : undefined;
  const keyBody = longBody && 'file' in longBody ? { sha256: sha256Of(longBody) } : requestBody;
  const described = describeRequest({ method, target, headers, body: keyBody }, into);
  if (described.whyNotRecorded !== undefined) throw new NotRecordable(described.whyNotRecorded);
  const body = longBody ?? (await storeBytes(recorder, described.body ?? requestBody));
  const holdsUrls = entry.status !== 206 && (mayHoldUrls(mediaTypeOf(entry.responseHeaders).type) ?? true);
  const responseContext: MessageContext = {
    side: 'response',
    isInterfaceData: operation !== undefined && entry.status < 300,
    issuedBy: `${MAIN_LANE} ${method} ${target.split('?', 1)[0]}`,
  };
  // Headers first: a body may repeat a token that they issue.
  const lines = protection.headers(
    withoutHopByHop(entry.responseHeaders).map(([name, value]): [string, string] => [name, withPlaceholder(value)]),
    responseContext,
  );
  const responseBody = await store(
    entry.body,
    holdsUrls && firstHeader(entry.responseHeaders, 'content-encoding') === undefined,
    { ...responseContext, type: mediaTypeOf(entry.responseHeaders).type },
  );
  return {
    key: described.key,
    request: { ...described.request, ...(body && { body }) },
    response: {
      status: entry.status,
      reasonPhrase: protection.text(entry.reasonPhrase, responseContext),
      headers: lines,
      ...(responseBody && { body: responseBody }),
      ...(entry.coding !== undefined && { coding: entry.coding }),
    },
    ...(operation && { operation }),
  };
}

async function storeBytes(recorder: Recorder, bytes: Uint8Array): Promise<StoredBody | undefined> {
  const sink = recorder.createBodySink();
  await sink.write([...piecesOf(bytes)]);
  return sink.end();
}

/** Records a stored exchange after the previous ones. */
export const recordEntries = (exchange: StoredEntry, { recorder }: StoreTarget): Promise<void> =>
  recorder.record(MAIN_LANE, exchange, recorder.enqueue());
