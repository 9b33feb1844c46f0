/** From an exchange of somebody else’s client to one of a recording: origins replaced, credentials hidden, long bodies aside. */

import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import { endToEnd } from '../../exchange/hop-by-hop.ts';
import type { MessageContext, Protection } from '../../secrets/protection.ts';
import type { FigureScrubber } from '../../secrets/scrub/figures.ts';
import { describeRequest, longestHeld, type RecordingContext, secretContextOf } from '../format/describe-request.ts';
import { MAIN_LANE } from '../format/lane-name.ts';
import { findOrigin, mayHoldUrls, PLACEHOLDER, piecesWithOrigin, replaceOrigin } from '../format/origin.ts';
import type { RecordedExchange, StoredBody } from '../format/recorded-exchange.ts';
import { headerInputsOf } from '../format/request-key.ts';
import { WordSplitter } from '../format/word-finder.ts';
import type { Recorder } from '../record/recorder.ts';
import { responseRecorderFor } from '../record/response-recorder.ts';
import type { ConvertedEntry } from './convert-entry.ts';

const CHUNK = 1024 * 1024;
/** A side file’s name ends in its hash. */
const SHA256_DIGITS = 64;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** An exchange with its bodies kept; what is held of it is small. */
export interface StoredEntry {
  readonly exchange: Omit<RecordedExchange, 'order'>;
  readonly canonicalBody: string;
  readonly inputs: Readonly<Record<string, string>>;
}

export interface StoreTarget extends RecordingContext {
  readonly protection: Protection;
  /** Invents figures in place of those of the answers. */
  readonly figures?: FigureScrubber;
  readonly recorder: Recorder;
}

/** Why an exchange must not be kept, in one sentence. */
class Refusal extends Error {}

/** The same, or why it must not be kept. */
export const storeEntry = (
  taken: ConvertedEntry,
  into: StoreTarget,
): Promise<StoredEntry | { readonly refused: string }> =>
  keepAll(taken, into).catch((error: unknown) => {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  });

/** Keeps the bodies of an exchange and makes the rest of it ready to be recorded. `door.base` is the origin it was sent to. */
async function keepAll(taken: ConvertedEntry, into: StoreTarget): Promise<StoredEntry> {
  const { recorder, protection, base, matching, operationOf } = into;
  const operation = operationOf(taken.method, taken.target);
  const theirs = findOrigin(base);
  const there = (text: string): string => replaceOrigin(text, theirs, PLACEHOLDER);
  const { method, target, requestHeaders, requestBody = new Uint8Array(0) } = taken;
  const keep = async (
    bytes: Uint8Array,
    holdsUrls: boolean,
    where: MessageContext,
  ): Promise<StoredBody | undefined> => {
    const sink = recorder.body();
    const { status, responseHeaders } = taken;
    const keeper = responseRecorderFor({
      ...{ protection, sink, where },
      figures: where.side === 'response' ? into.figures : undefined,
      operation,
      head: { status, headers: responseHeaders },
    });
    const splitter = holdsUrls ? new WordSplitter(theirs) : undefined;
    for (const piece of piecesOf(bytes)) {
      const placed = splitter ? piecesWithOrigin(splitter.push(piece), PLACEHOLDER) : [piece];
      await keeper.push(placed);
    }
    const rest = splitter ? piecesWithOrigin(splitter.end(), PLACEHOLDER) : [];
    await keeper.push(rest);
    await keeper.end(true);
    if (keeper.refused !== undefined) {
      await sink.discard();
      throw new Refusal(keeper.refused);
    }
    return sink.end();
  };
  const headers = [...requestHeaders.filter(([name]) => name.toLowerCase() === 'host'), ...endToEnd(requestHeaders)];
  const asks = secretContextOf({ method, target, headers }, into);
  // One too long to be held in canonical form is told by the hash of what is kept.
  const long = requestBody.length > longestHeld(operation, into) ? await keep(requestBody, false, asks) : undefined;
  const told = long && 'file' in long ? { sha256: long.file.slice(-SHA256_DIGITS) } : requestBody;
  const described = describeRequest({ method, target, headers, body: told }, into);
  if (described.refused !== undefined) throw new Refusal(described.refused);
  const body = long ?? (await keepBytes(recorder, described.body ?? requestBody));
  const holdsUrls = taken.status !== 206 && (mayHoldUrls(mediaTypeOf(taken.responseHeaders).type) ?? true);
  const answers: MessageContext = {
    side: 'response',
    data: operation !== undefined && taken.status < 300,
    minted: `${MAIN_LANE} ${method} ${target.split('?', 1)[0]}`,
  };
  // First, for a body may repeat what they mint.
  const lines = protection.headers(
    endToEnd(taken.responseHeaders).map(([name, value]): [string, string] => [name, there(value)]),
    answers,
  );
  const answered = await keep(
    taken.body,
    holdsUrls && firstHeader(taken.responseHeaders, 'content-encoding') === undefined,
    { ...answers, type: mediaTypeOf(taken.responseHeaders).type },
  );
  const exchange: StoredEntry['exchange'] = {
    key: described.key,
    request: { ...described.request, ...(body && { body }) },
    response: {
      status: taken.status,
      reason: protection.text(taken.reason, answers),
      headers: lines,
      ...(answered && { body: answered }),
      ...(taken.coding !== undefined && { coding: taken.coding }),
    },
    ...(operation && { operation }),
  };
  const { url, headers: asked } = described.request;
  const inputs = Object.fromEntries(
    headerInputsOf({ target: url.slice(PLACEHOLDER.length), headers: asked }, matching),
  );
  return { exchange, canonicalBody: described.canonicalBody, inputs };
}

async function keepBytes(recorder: Recorder, bytes: Uint8Array): Promise<StoredBody | undefined> {
  const sink = recorder.body();
  await sink.write([...piecesOf(bytes)]);
  return sink.end();
}

/** Records a kept exchange behind those before it. */
export async function recordEntries(
  { exchange, canonicalBody, inputs }: StoredEntry,
  { recorder, matching }: StoreTarget,
): Promise<void> {
  const turn = recorder.turn();
  await recorder.record(
    {
      lane: MAIN_LANE,
      method: exchange.request.method,
      target: exchange.request.url.slice(PLACEHOLDER.length),
      inputs,
      body: canonicalBody,
      withoutQuery: matching.withoutQuery,
      send: async () => exchange,
    },
    () => turn,
  );
}
