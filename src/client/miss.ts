/** Answers of our own replay that stand for none: the request was not recorded. */
import type { ResponseHead } from '../exchange/types.ts';

/** Set on such answers, with 502: nothing but our replay sends it, and no other server gains by it more than a 502 would. */
const MISS = 'x-mdwi-miss';
const LONGEST = 64 * 1024;

export const isMiss = ({ status, headers }: ResponseHead): boolean =>
  status === 502 && headers.some(([name]) => name.toLowerCase() === MISS);

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
