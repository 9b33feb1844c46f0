/** Finds the corresponding requests of two recordings. */

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import { requestKey } from '../format/request-key.ts';
import { findLinks, inDependencyOrder, type UnsendableError, withCurrentValues } from './chained-values.ts';
import { requestPartsOf, type ScalarValues, type Sendable, sendableOf, sequenceValuesOf } from './message-values.ts';
import { nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';

export interface RequestPair {
  readonly recorded: RecordedSequence;
  readonly current: RecordedSequence;
}

export interface PairedRequests {
  readonly pairs: readonly RequestPair[];
  /** Requests without a counterpart, and why if known. */
  readonly onlyBefore: readonly { readonly request: RecordedSequence; readonly why: UnsendableError | undefined }[];
  readonly onlyNow: readonly RecordedSequence[];
  /** Current job ids and cursors, and the recorded ones in their place. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The key without the headers that only one side matches by, so that keys of both sides are comparable. */
function commonKey(key: string, matchingHeaders: readonly string[], common: readonly string[]): string {
  if (matchingHeaders.length === common.length) return key;
  const lines = key.split('\n');
  const headers = lines
    .slice(1, 1 + matchingHeaders.length)
    .filter((line) => common.includes(line.slice(0, line.indexOf(': '))));
  return [lines[0], ...headers, ...lines.slice(1 + matchingHeaders.length)].join('\n');
}

/** Pairs requests by key and lane; job ids and cursors may differ. */
export async function pairRequests(recorded: RecordedTraffic, current: RecordedTraffic): Promise<PairedRequests> {
  const common = recorded.about.matching.headers.filter((name) => current.about.matching.headers.includes(name));
  const matching = {
    headers: common,
    withoutQuery: [...recorded.about.matching.withoutQuery, ...current.about.matching.withoutQuery],
    credentials: recorded.about.matching.credentials ?? [],
  };
  const keyOf = (method: string, { body = '', ...sent }: Sendable): string =>
    requestKey({ method, ...sent, body: Buffer.from(body) }, matching);
  const lanes = new Set(current.requests.map((each) => each.lane));
  const [onlyLane] = lanes.size === 1 ? lanes : [];
  const laneKey = (lane: string, key: string): string => `${lane}\n${key}`;
  const currentByKey = new Map(
    current.requests.map((each) => [
      laneKey(each.lane, commonKey(each.key, current.about.matching.headers, common)),
      each,
    ]),
  );
  const links = await findLinks(recorded);
  const counterparts = new Map<RecordedSequence, RecordedSequence>();
  const unsendable = new Map<RecordedSequence, UnsendableError>();
  const renamed = new Map<string, string>();
  const scalars = new Map<RecordedSequence, Promise<readonly ScalarValues[]>>();
  const responsesOf = (from: RecordedSequence): Promise<readonly ScalarValues[]> | undefined => {
    const other = counterparts.get(from);
    if (!other) return undefined;
    const cachedValues = scalars.get(other) ?? sequenceValuesOf(other, current.folder);
    scalars.set(other, cachedValues);
    return cachedValues;
  };
  for (const sequence of inDependencyOrder(recorded.requests, links)) {
    const lane = lanes.has(sequence.lane) ? sequence.lane : (onlyLane ?? sequence.lane);
    const sequenceLinks = links.get(sequence) ?? [];
    const plainKey = commonKey(sequence.key, recorded.about.matching.headers, common);
    const request = await withCurrentValues(sequence, sequenceLinks, responsesOf, current.about.basePath, renamed);
    const isChanged = sequenceLinks.length > 0 && typeof request !== 'string';
    const key = isChanged ? keyOf(sequence.method, request) : plainKey;
    const counterpart = currentByKey.get(laneKey(lane, key)) ?? currentByKey.get(laneKey(lane, plainKey));
    if (counterpart) counterparts.set(sequence, counterpart);
    else if (typeof request === 'string') unsendable.set(sequence, request);
  }
  const matched = new Set(counterparts.values());
  return {
    pairs: [...counterparts].map(([recorded, current]) => ({ recorded, current })),
    onlyBefore: recorded.requests
      .filter((each) => !counterparts.has(each))
      .map((request) => ({ request, why: unsendable.get(request) })),
    onlyNow: current.requests.filter((each) => !matched.has(each)),
    renamed,
  };
}

export interface Unmatched {
  readonly recorded: readonly RecordedResponse[];
  readonly current: readonly RecordedResponse[];
}

/** A form that is equal for requests that differ only in the values of their inputs. */
const formOf = (request: RecordedSequence, inputs: readonly string[]): string =>
  [
    nameOf(request),
    ...[...requestPartsOf(sendableOf(request), inputs).keys()].filter((part) => !part.startsWith('path ')).sort(),
  ].join('\n');

const successes = (requests: readonly RecordedSequence[]): RecordedResponse[] =>
  requests.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ response, failure }) => (response && !failure && response.status < 300 ? [response] : [])),
  );

/** Successful responses to requests without a counterpart but with the same form on both sides, by request name. */
export function unmatchedOf(
  { onlyBefore, onlyNow }: PairedRequests,
  recorded: RecordedTraffic,
  current: RecordedTraffic,
): Map<string, Unmatched> {
  const unpaired = onlyBefore.map(({ request }) => request);
  const before = Map.groupBy(unpaired, (each) => formOf(each, recorded.about.matching.headers));
  const now = Map.groupBy(onlyNow, (each) => formOf(each, current.about.matching.headers));
  const unmatched = new Map<string, Unmatched>();
  for (const [form, requests] of before) {
    const others = now.get(form);
    if (!others) continue;
    const name = nameOf(requests[0] as RecordedSequence);
    const known = unmatched.get(name);
    unmatched.set(name, {
      recorded: [...(known?.recorded ?? []), ...successes(requests)],
      current: [...(known?.current ?? []), ...successes(others)],
    });
  }
  return unmatched;
}

export type ResponsePair = readonly [recorded: RecordedExchange, current: RecordedExchange];

/** Statuses after which a client retries or authenticates again. */
const RETRYABLE = [401, 408, 425, 429, 502, 503, 504];

/** The final responses: without those after which the client retried. */
function finalExchanges(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  const final = exchanges.filter(({ response }) => response && !RETRYABLE.includes(response.status));
  return final.length > 0 ? final : exchanges;
}

/** The pairs of responses. If one side has more, its further responses are paired with the other side’s last. */
export function responsePairsOf({ recorded, current }: RequestPair): ResponsePair[] {
  const [before, now] = [finalExchanges(recorded.exchanges), finalExchanges(current.exchanges)];
  const atOrLast = <T>(list: readonly T[], at: number): T => list[Math.min(at, list.length - 1)] as T;
  return Array.from({ length: Math.max(before.length, now.length) }, (_, at) => [
    atOrLast(before, at),
    atOrLast(now, at),
  ]);
}

/** Whether a request that succeeded before is now refused or gets no response. */
export function isNewlyRefused({ recorded, current }: RequestPair): boolean {
  const refused = ({ response }: RecordedExchange): boolean =>
    !response || response.status === 403 || RETRYABLE.includes(response.status);
  return finalExchanges(current.exchanges).every(refused) && !finalExchanges(recorded.exchanges).every(refused);
}

/** Identifies a body: its text, or the name of its side file, which is a hash. */
export const bodyId = ({ body }: RecordedResponse): string => (body ? ('file' in body ? body.file : body.text) : '');

export const hasResponseBody = ({ body }: RecordedResponse): boolean =>
  body !== undefined && ('text' in body ? body.text !== '' : body.bytes > 0);

/** Whether both responses are equal, so that their bodies need not be read. */
export function isSame([recorded, current]: ResponsePair): boolean {
  const [before, now] = [recorded.response, current.response];
  if (recorded.failure?.kind !== current.failure?.kind || !before || !now)
    return !before && !now && !recorded.failure === !current.failure;
  return (
    before.status === now.status &&
    bodyId(before) === bodyId(now) &&
    JSON.stringify([before.headers, before.coding]) === JSON.stringify([now.headers, now.coding])
  );
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Whether a body begins with a byte-order mark. @param folder of the recording */
export function hasByteOrderMark(folder: string, { body }: RecordedResponse): boolean {
  if (!body) return false;
  if ('text' in body) return body.text.startsWith('\ufeff');
  const file = openSync(join(folder, body.file), 'r');
  try {
    const bytes = Buffer.alloc(BYTE_ORDER_MARK.length);
    readSync(file, bytes);
    return BYTE_ORDER_MARK.every((each, at) => bytes[at] === each);
  } finally {
    closeSync(file);
  }
}
