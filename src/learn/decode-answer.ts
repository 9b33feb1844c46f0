/** Decodes a response into a document as selectors see it. */
import { type OperationKey, operationOf } from '../contract/index.ts';
import { firstHeader } from '../exchange/headers.ts';
import type { Exchange, ResponseHead } from '../exchange/types.ts';
import { csvFormOf } from '../profile/csv-form.ts';
import type { ResponseProfile } from '../profile/schema.ts';
import { compileSelector } from '../profile/selector.ts';
import { decodeBody } from '../reading/decode.ts';
import { type Media, mediaOf } from '../reading/media.ts';
import { parsePartialJson } from '../reading/partial-json.ts';
import { BodyError } from '../reading/problem.ts';
import type { CsvForm } from '../reading/reader-types.ts';
import { READERS } from '../reading/readers.ts';
import { findRefusalIn, type SeenRefusal } from './refusals.ts';

export const MAX_DECODED_BYTES = 16 * 1024 * 1024;
const WHOLE = compileSelector('$');

/** What a response says. */
export interface DecodedAnswer {
  readonly head: ResponseHead;
  /** A 2xx that is no refusal. */
  readonly isSuccess: boolean;
  /** What shows that a 2xx is a refusal. */
  readonly refusal?: SeenRefusal | undefined;
  readonly media?: Media | undefined;
  /** How a CSV body is written, where it differs from the default. */
  readonly csv?: CsvForm | undefined;
  /** As selectors see it; undefined if the body cannot be decoded. */
  readonly document?: unknown;
  /** The cells of CSV lines that are no rows. */
  readonly lines?: readonly (readonly string[])[] | undefined;
  /** The first characters of the body. */
  readonly text: string;
  /** The body is longer than what is read of it. */
  readonly isPartial?: true | undefined;
}

/**
 * Decodes the body of a response, and finds a refusal with a 2xx.
 *
 * @param declared how the start says that the operation responds
 */
export async function decodeAnswer(
  { response, body, failure }: Exchange,
  operation: OperationKey,
  declared?: ResponseProfile,
): Promise<DecodedAnswer> {
  const head = response as ResponseHead;
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decodeBody(head, body.chunks(), MAX_DECODED_BYTES)) parts.push(part);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
  }
  const bytes = Buffer.concat(parts);
  const text = bytes.toString('utf8', 0, 4096);
  const isSuccess = head.status >= 200 && head.status < 300;
  const media = isSuccess && declared?.media !== undefined ? declared.media : mediaOfBody(head, text);
  const isPartial = failure?.kind === 'tooLarge' || undefined;
  const base = { head, isSuccess, media, text, ...(isPartial && { isPartial }) };
  if (bytes.length === 0 || !media || media === 'binary') return base;
  if (isPartial && media === 'json') return { ...base, document: parsePartialJson(bytes.toString('utf8')) };
  const csv =
    media === 'csv'
      ? (declared?.csv ??
        csvFormOf(bytes.toString('utf8', 0, 65_536), firstHeader(head.headers, 'content-type') ?? '', true))
      : undefined;
  const read = READERS[media]({
    rowsSelector: undefined,
    otherSelectors: [WHOLE],
    head,
    csv,
    maxRowBytes: MAX_DECODED_BYTES,
    maxWholeBytes: MAX_DECODED_BYTES,
    onRows: () => undefined,
  });
  try {
    read.push(isPartial ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes);
    const { document, lines } = read.end();
    const mayHaveState = operationOf(operation).kind === 'jobStatus';
    const refusal = isSuccess ? findRefusalIn(document, mayHaveState) : undefined;
    return {
      ...base,
      isSuccess: isSuccess && !refusal,
      csv,
      document,
      ...(lines && { lines }),
      ...(refusal && { refusal }),
    };
  } catch (error) {
    if (error instanceof BodyError) return base;
    throw error;
  }
}

/** The format by Content-Type, or by the first characters where it states none that is read. */
function mediaOfBody(head: ResponseHead, text: string): Media | undefined {
  const stated = mediaOf(undefined, head);
  if (stated && stated !== 'text' && !(stated === 'csv' && /^\s*\{\s*"/.test(text))) return stated;
  if (/^\s*[[{]/.test(text)) return /\}\s*\n\s*\{/.test(text) ? 'ndjson' : 'json';
  if (/^\uFEFF?\s*<[?\w]/.test(text)) return 'xml';
  return stated;
}
