/** Recognises the misses of a replay: responses that say that a request is not recorded. */
import type { ResponseHead } from '../exchange/types.ts';

/** The header of a miss; its status is 502. */
const MISS_HEADER = 'x-mdwi-miss';
/** A replay serves on loopback only: on other hosts the header would excuse a server that is down. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;
const MAX_BYTES = 64 * 1024;

export const isReplayMiss = ({ status, headers }: ResponseHead, url: string): boolean =>
  status === 502 &&
  headers.some(([name]) => name.toLowerCase() === MISS_HEADER) &&
  LOOPBACK.test(new URL(url).hostname);

/** Whether a replay could not send the response that it holds, which is our own error. */
export const isReplayFailure = ({ headers }: ResponseHead): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === MISS_HEADER && value === 'replay-failed');

/** Returns the explanation in the body of a miss, e.g. `not recorded: GET /x; …`; undefined where it has none. */
export async function readMiss(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_BYTES) break;
    }
    const { says } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { says?: unknown };
    return typeof says === 'string' ? says : undefined;
  } catch {
    return undefined;
  }
}
