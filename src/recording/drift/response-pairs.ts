/** The answers of paired requests, side by side. */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import type { RequestPair } from './pair-requests.ts';

export type ResponsePair = readonly [was: RecordedExchange, is: RecordedExchange];

/** What tells a client to come back, or to prove itself anew. */
const COME_BACK = [401, 408, 425, 429, 502, 503, 504];

/** The answers a client came to: where it was told to come back and did, what it got then. */
function cameTo(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  const settled = exchanges.filter(({ response }) => response && !COME_BACK.includes(response.status));
  return settled.length > 0 ? settled : exchanges;
}

/** Where one side was asked more often, its last answers stand beside the other’s last. */
export function responsePairsOf({ was, is }: RequestPair): ResponsePair[] {
  const [before, now] = [cameTo(was.exchanges), cameTo(is.exchanges)];
  const last = <T>(list: readonly T[], at: number): T => list[Math.min(at, list.length - 1)] as T;
  return Array.from({ length: Math.max(before.length, now.length) }, (_, at) => [last(before, at), last(now, at)]);
}

/** Whether a request was turned away, or not answered at all, that was answered before. */
export function isNewlyRefused({ was, is }: RequestPair): boolean {
  const refused = ({ response }: RecordedExchange): boolean =>
    !response || response.status === 403 || COME_BACK.includes(response.status);
  return cameTo(is.exchanges).every(refused) && !cameTo(was.exchanges).every(refused);
}

/** What tells bodies apart: the name of a side file is its hash. */
export const bodyId = ({ body }: RecordedResponse): string => (body ? ('file' in body ? body.file : body.text) : '');

export const hasResponseBody = ({ body }: RecordedResponse): boolean =>
  body !== undefined && ('text' in body ? body.text !== '' : body.bytes > 0);

/** Whether nothing at all is different, so that nothing need be read. */
export function isSame([was, is]: ResponsePair): boolean {
  const [before, now] = [was.response, is.response];
  if (was.failure?.kind !== is.failure?.kind || !before || !now) return !before && !now && !was.failure === !is.failure;
  return (
    before.status === now.status &&
    bodyId(before) === bodyId(now) &&
    JSON.stringify([before.headers, before.coding]) === JSON.stringify([now.headers, now.coding])
  );
}

const MARK = [0xef, 0xbb, 0xbf];

/** Whether a body begins with a byte-order mark. @param folder of the recording */
export function hasMark(folder: string, { body }: RecordedResponse): boolean {
  if (!body) return false;
  if ('text' in body) return body.text.startsWith('\ufeff');
  const file = openSync(join(folder, body.file), 'r');
  try {
    const bytes = Buffer.alloc(MARK.length);
    readSync(file, bytes);
    return MARK.every((each, at) => bytes[at] === each);
  } finally {
    closeSync(file);
  }
}
