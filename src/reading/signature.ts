/**
 * Distinguishes responses without knowledge of the dialect: by status, media type, redirect target and body
 * text, without parts that echo the request or change between requests.
 */
import { firstHeader, mediaTypeOf } from '../exchange/headers.ts';
import type { Exchange } from '../exchange/types.ts';
import { decodedHead } from './decode.ts';

export interface Signature {
  readonly url: string;
  readonly status: number;
  /** The status on the wire, if the response is a refusal in a 2xx. */
  readonly wireStatus?: number;
  readonly type: string;
  readonly location: string;
  readonly body: string;
}

const HEAD_BYTES = 65_536;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const WORD = /[A-Za-z0-9_-]{6,}/g;
const NUMBER = /\d+/g;

/** Masks a word that contains a digit, such as an id; hyphens around it remain. */
function maskToken(word: string): string {
  let [start, end] = [0, word.length];
  while (word[start] === '-') start++;
  while (end > start && word[end - 1] === '-') end--;
  return end - start >= 6 && /\d/.test(word) ? `${word.slice(0, start)}#${word.slice(end)}` : word;
}

/** Every encoding in which a server may echo a piece of the path. */
function encodings(piece: string): string[] {
  let decoded = piece;
  try {
    decoded = decodeURIComponent(piece);
  } catch {
    // An undecodable piece is echoed unchanged.
  }
  const forms = new Set<string>();
  for (const each of new Set([piece, decoded])) {
    const slashes = each.includes('/') ? ['\\/', '&#x2F;', '&#47;'].map((slash) => each.replaceAll('/', slash)) : [];
    for (const form of [each, encodeURIComponent(each), ...slashes]) {
      forms.add(form);
      forms.add(form.toLowerCase());
      forms.add(form.toUpperCase());
    }
  }
  return [...forms].filter((form) => form.length > 2);
}

/** Every piece of a request's URL that a response may echo, whole and in part. */
function splitPieces(url: string): string[] {
  const { href, pathname } = new URL(url);
  const segments = pathname.split('/').filter(Boolean);
  const tails = segments.map((_, at) => segments.slice(at).join('/'));
  return [href, pathname, ...tails, ...segments].flatMap(encodings);
}

// Cached: many rules compare a response, and splitting its URL is slower than comparing.
const pieces = new WeakMap<Signature, readonly string[]>();

function piecesOf(signature: Signature): readonly string[] {
  const split = pieces.get(signature) ?? splitPieces(signature.url);
  pieces.set(signature, split);
  return split;
}

/** The last result of `comparable` by the first response: several rules compare it with the same others. */
const lastCompared = new WeakMap<Signature, { readonly of: readonly Signature[]; readonly masked: Signature[] }>();

/**
 * Makes responses comparable: the URL pieces of all their requests are masked in each of them, because a word of one path may
 * occur in every response; values that change between requests are masked too.
 */
export function comparable(signatures: readonly Signature[]): Signature[] {
  const [first] = signatures;
  const last = first && lastCompared.get(first);
  if (last?.of.length === signatures.length && last.of.every((each, at) => each === signatures[at])) return last.masked;
  // Longest first, so that a path is masked before its segments.
  const echoed = [...new Set(signatures.flatMap(piecesOf))].sort((x, y) => y.length - x.length);
  const mask = (text: string): string => {
    if (text === '') return '';
    let masked = text;
    for (const piece of echoed) masked = masked.replaceAll(piece, '§');
    return masked.replace(UUID, '#').replace(WORD, maskToken).replace(NUMBER, '#').replace(/\s+/g, ' ');
  };
  const masked = signatures.map((each) => ({ ...each, location: mask(each.location), body: mask(each.body) }));
  if (first) lastCompared.set(first, { of: signatures, masked });
  return masked;
}

/** The signature of a response, or undefined without a response. Reads at most 64 KiB of the body. */
export async function signatureOf(exchange: Exchange): Promise<Signature | undefined> {
  const { response, request } = exchange;
  if (!response) return undefined;
  return {
    url: request.url,
    status: response.status,
    ...(response.refusal && { wireStatus: response.refusal.wireStatus }),
    type: mediaTypeOf(response.headers).type,
    location: firstHeader(response.headers, 'location') ?? '',
    body: new TextDecoder().decode(await decodedHead(response, exchange.body, HEAD_BYTES)),
  };
}

/** The features in which two comparable responses differ. */
export function differences(a: Signature, b: Signature): ('status' | 'type' | 'location' | 'body')[] {
  const hasEqualStatus = (a.wireStatus ?? a.status) === (b.wireStatus ?? b.status);
  return (['status', 'type', 'location', 'body'] as const).filter((feature) =>
    feature === 'status' ? !hasEqualStatus : a[feature] !== b[feature],
  );
}
