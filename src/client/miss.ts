/** Answers of our own replay that stand for none: the request was not recorded. */
import type { ResponseHead } from '../exchange/types.ts';

/** Set on such answers, with 502. */
const MISS = 'x-mdwi-miss';
/** Where a replay serves: from elsewhere the header would excuse a server that is down. */
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;
const LONGEST = 64 * 1024;

export const isReplayMiss = ({ status, headers }: ResponseHead, url: string): boolean =>
  status === 502 && headers.some(([name]) => name.toLowerCase() === MISS) && LOOPBACK.test(new URL(url).hostname);

/** What the replay says of it, e.g. `not recorded: GET /x; nearest is …`; undefined where it says nothing readable. */
export async function readMiss(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes > LONGEST) break;
    }
    const { says } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { says?: unknown };
    return typeof says === 'string' ? says : undefined;
  } catch {
    return undefined;
  }
}
