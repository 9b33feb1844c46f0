/**
 * What tells one answer from another when nothing is known of the dialect: status, media type, redirect target and body
 * text, with everything removed that merely echoes the request or changes from call to call.
 */
import type { CapturedBody, Exchange, ResponseHead } from '../exchange/types.ts';
import { decodeBody } from './decode.ts';
import { ReadingError } from './problem.ts';

export interface Signature {
  readonly status: number;
  readonly type: string;
  readonly location: string;
  readonly body: string;
}

const HEAD_BYTES = 65_536;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TOKEN = /\b(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{6,}\b/g;
const NUMBER = /\d+/g;

/** Every spelling in which a server may echo a piece of the path. */
function spellings(piece: string): string[] {
  let decoded = piece;
  try {
    decoded = decodeURIComponent(piece);
  } catch {
    // An undecodable piece is echoed as it is.
  }
  const forms = new Set<string>();
  for (const each of [piece, decoded]) {
    for (const form of [
      each,
      encodeURIComponent(each),
      each.replaceAll('/', '\\/'),
      each.replaceAll('/', '&#x2F;'),
      each.replaceAll('/', '&#47;'),
    ]) {
      forms.add(form);
      forms.add(form.toLowerCase());
      forms.add(form.toUpperCase());
    }
  }
  return [...forms].filter((form) => form.length > 2);
}

function mask(text: string, url: URL): string {
  const path = url.pathname;
  const segments = path.split('/').filter(Boolean);
  // Longest first, so that the path goes before its segments and tails before their parts.
  const tails = segments.map((_, at) => segments.slice(at).join('/'));
  const pieces = [url.href, path, ...tails, ...segments].flatMap(spellings).sort((x, y) => y.length - x.length);
  let masked = text;
  for (const piece of new Set(pieces)) masked = masked.replaceAll(piece, '§');
  return masked.replace(UUID, '#').replace(TOKEN, '#').replace(NUMBER, '#').replace(/\s+/g, ' ');
}

/** The first bytes of a body, with content codings undone as far as they can be. */
async function decodedHead(head: ResponseHead, body: CapturedBody): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of decodeBody(head, body.chunks(), Number.POSITIVE_INFINITY)) {
      parts.push(chunk);
      bytes += chunk.length;
      if (bytes >= HEAD_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    return body.head(HEAD_BYTES);
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** The signature of an answer, or undefined when none came. Reads at most 64 KiB of the body. */
export async function signatureOf(exchange: Exchange): Promise<Signature | undefined> {
  const { response, request } = exchange;
  if (!response) return undefined;
  const url = new URL(request.url);
  const header = (name: string) => response.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  const text = new TextDecoder().decode(await decodedHead(response, exchange.body));
  return {
    status: response.status,
    type: header('content-type').toLowerCase().split(';')[0]?.trim() ?? '',
    location: mask(header('location'), url),
    body: mask(text, url),
  };
}

/** The features in which two answers differ. */
export function differences(a: Signature, b: Signature): (keyof Signature)[] {
  return (['status', 'type', 'location', 'body'] as const).filter((feature) => a[feature] !== b[feature]);
}
