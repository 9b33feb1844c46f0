/** The beginning of a body, for showing or comparing responses. */
import type { CapturedBody, ResponseHead } from '../exchange/types.ts';
import { decodeBody } from './decode.ts';
import { BodyError } from './problem.ts';

/**
 * The first `limit` bytes of a body, with content codings and charset decoded (no section names either). A body that cannot be
 * decoded is returned as received.
 *
 * @example new TextDecoder().decode(await decodedHead(response, exchange.body, 600))
 */
export async function decodedHead(head: ResponseHead, body: CapturedBody, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decodeBody(head, body.chunks(), Number.POSITIVE_INFINITY)) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes >= limit) break;
    }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return body.firstBytes(limit);
  }
  return Buffer.concat(parts).subarray(0, limit);
}
