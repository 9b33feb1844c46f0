/** Decodes content codings (RFC 9110, section 8.4.1) and charsets. */
import { codingsOf, isKnownCoding, removeCoding } from '../content-codings.ts';
import { allHeaders, mediaTypeOf } from '../exchange/headers.ts';
import type { CapturedBody, ResponseHead } from '../exchange/types.ts';
import { BodyError, errorLine } from './problem.ts';

/**
 * The body as UTF-8 bytes without a byte-order mark, or as raw bytes if it is not text. Iterating throws a BodyError if the body is truncated, a coding
 * or the charset is unknown or violated, or the decoded body exceeds `maxBytes`.
 *
 * @param chunks the body as received
 * @param maxBytes the limit of the decoded body, against decompression bombs
 */
export async function* decodeBody(
  head: ResponseHead,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  isText = true,
): AsyncGenerator<Uint8Array> {
  const codings = allHeaders(head.headers, 'content-encoding').flatMap(codingsOf);
  const plain = codings.reduceRight<AsyncIterable<Uint8Array>>(decompress, reportTruncation(chunks));
  let bytes = 0;
  for await (const chunk of isText ? asUtf8(plain, mediaTypeOf(head.headers).charset) : plain) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyError('tooLarge', `the decoded body is longer than ${maxBytes} bytes`);
    yield chunk;
  }
}

async function* reportTruncation(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw new BodyError('truncated', `the body broke off: ${errorLine(error)}`);
  }
}

async function* decompress(chunks: AsyncIterable<Uint8Array>, coding: string): AsyncGenerator<Uint8Array> {
  if (!isKnownCoding(coding))
    throw new BodyError('encoding', `the body has the unknown content coding “${coding.slice(0, 40)}”`);
  try {
    yield* removeCoding(chunks, coding);
  } catch (error) {
    if (error instanceof BodyError) throw error;
    const isTruncated = /unexpected end/i.test((error as Error).message);
    if (isTruncated) throw new BodyError('truncated', `the body ends within its ${coding} coding`);
    throw new BodyError('encoding', `the body is not valid ${coding}: ${errorLine(error)}`);
  }
}

/** A byte-order mark overrides the header: it is written deliberately. */
function byteOrderMark([a, b, c]: Uint8Array): { readonly charset: string; readonly length: number } | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return { charset: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe) return { charset: 'utf-16le', length: 2 };
  return a === 0xfe && b === 0xff ? { charset: 'utf-16be', length: 2 } : undefined;
}

/** The encoding in an XML declaration; no other format begins like one. */
function xmlCharset(first: Uint8Array): string | undefined {
  const text = Buffer.from(first.subarray(0, 128)).toString('latin1');
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(text)?.[1];
}

/** The bytes that determine the charset: a byte-order mark, or an XML declaration, which other formats do not contain. */
const MARK_BYTES = 5;
const XML_DECLARATION_BYTES = 128;

async function* asUtf8(chunks: AsyncIterable<Uint8Array>, declared: string | undefined): AsyncGenerator<Uint8Array> {
  /** The first bytes, until they determine the charset. */
  let begin: Uint8Array | undefined = new Uint8Array(0);
  let recode: ((chunk?: Uint8Array) => Uint8Array) | undefined;
  const withoutMark = (first: Uint8Array): Uint8Array => {
    const mark = byteOrderMark(first);
    const charset = mark?.charset ?? declared ?? xmlCharset(first) ?? 'utf-8';
    // Every reader validates UTF-8 itself while parsing.
    if (!/^(utf-?8|us-ascii)$/i.test(charset)) recode = recoderOf(charset);
    return mark ? first.subarray(mark.length) : first;
  };
  for await (const chunk of chunks) {
    let text = chunk;
    if (begin) {
      begin = begin.length === 0 ? chunk : Buffer.concat([begin, chunk]);
      if (begin.length < MARK_BYTES || (begin.length < XML_DECLARATION_BYTES && isXml(begin))) continue;
      text = withoutMark(begin);
      begin = undefined;
    }
    yield recode ? recode(text) : text;
  }
  if (begin) {
    const text = withoutMark(begin);
    if (text.length > 0) yield recode ? recode(text) : text;
  }
  if (recode) yield recode();
}

const isXml = (first: Uint8Array): boolean => Buffer.from(first.subarray(0, 5)).toString('latin1') === '<?xml';

/** Converts chunks of a charset to UTF-8; a call without a chunk flushes. */
function recoderOf(charset: string): (chunk?: Uint8Array) => Uint8Array {
  const decoder = decoderOf(charset);
  const encoder = new TextEncoder();
  return (chunk) => {
    try {
      return encoder.encode(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new BodyError('encoding', `the body is not valid ${charset}`);
    }
  };
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new BodyError('encoding', `the body has the unknown charset “${charset.slice(0, 40)}”`);
  }
}

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
