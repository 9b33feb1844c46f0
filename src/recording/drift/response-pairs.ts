/** Pairs the responses of paired requests. */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import type { RequestPair } from './pair-requests.ts';

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
