/** Finds whether a 2xx response is a refusal, by the conditions of a profile. */
import type { ResponseHead } from '../exchange/types.ts';
import { PatternLimitError } from '../profile/pattern/index.ts';
import type { RefusalCondition } from '../profile/schema.ts';
import { compileSelector, type Selector, type StatusAndHeaders } from '../profile/selector.ts';
import { textOfElement } from './element-text.ts';
import { type Media, mediaOf } from './media.ts';
import { isNodeError } from './problem.ts';
import { READERS } from './readers.ts';
import type { Refusal } from './types.ts';

export interface BoundRefusal {
  readonly selector: Selector;
  readonly condition: RefusalCondition;
}

export const bindRefusals = (conditions: readonly RefusalCondition[]): readonly BoundRefusal[] =>
  conditions.map((condition) => ({ selector: compileSelector(condition.at), condition }));

/** Null and blank texts are no values. */
const hasValue = (node: unknown): boolean =>
  node !== undefined && node !== null && !(typeof node === 'string' && node.trim() === '');

/** An empty list or object: a list of errors without errors, or a list of rows without rows, which is no refusal either. */
const isEmpty = (node: unknown): boolean => typeof node === 'object' && Object.keys(node ?? {}).length === 0;

function applies({ selector, condition }: BoundRefusal, document: unknown, head: StatusAndHeaders): string | undefined {
  const { is, isNot, present } = condition;
  const found = selector
    .select(document, head)
    .map((node) => textOfElement(node) ?? node)
    .filter(hasValue);
  const isOneOf = (listed: readonly unknown[]) =>
    found.find((node) => listed.some((each) => String(each) === String(node)));
  if (present === true) return found.some((node) => !isEmpty(node)) ? `${selector.source} is present` : undefined;
  if (present === false) return found.length === 0 ? `${selector.source} is absent` : undefined;
  if (is) {
    const node = isOneOf(is);
    return node === undefined ? undefined : `${selector.source} is ${JSON.stringify(node)}`;
  }
  if (!isNot || found.length === 0 || isOneOf(isNot) !== undefined) return undefined;
  return `${selector.source} is not ${isNot.map((each) => JSON.stringify(each)).join(' or ')}`;
}

/** The first condition that applies to a document and its head; undefined if it is no refusal. */
export function findRefusal(
  refusals: readonly BoundRefusal[],
  document: unknown,
  head: StatusAndHeaders,
): Refusal | undefined {
  for (const each of refusals) {
    const because = applies(each, document, head);
    const { like } = each.condition;
    if (because !== undefined) return { because, ...(like !== undefined && { like }) };
  }
  return undefined;
}

/** How a document of a format begins that errors are written in. */
const BEGINNINGS = { json: /^\s*\{\s*["}]/, xml: /^\uFEFF?\s*<[?\w]/ } as const;
const FORMATS = Object.keys(BEGINNINGS) as (keyof typeof BEGINNINGS)[];
const BEGINNING_BYTES = 64;
const MAX_ERROR_BYTES = 64 * 1024;

/** The other format that a body may have, by its Content-Type and its beginning. A line of NDJSON begins like JSON. */
const otherFormatOf = (media: Media, head: ResponseHead, beginning: Buffer) =>
  FORMATS.find(
    (format) =>
      format !== media &&
      !(format === 'json' && media === 'ndjson') &&
      (mediaOf(undefined, head) ?? format) === format &&
      BEGINNINGS[format].test(beginning.toString('utf8', 0, BEGINNING_BYTES)),
  );

/**
 * Opens a body: an error in a 2xx is often JSON or XML where the profile declares another format for the rows. A short body
 * that begins so is held back until its end; if it is no refusal, its chunks are passed on as they are.
 *
 * @param media the format that the profile declares
 */
export async function openBody(
  chunks: AsyncIterable<Uint8Array>,
  media: Media,
  head: ResponseHead,
  refusals: readonly BoundRefusal[],
): Promise<{ readonly chunks: AsyncIterable<Uint8Array>; readonly refusal?: Refusal | undefined }> {
  if (refusals.length === 0) return { chunks };
  const source = chunks[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  for (;;) {
    const next = await source.next();
    if (!next.done) held = Buffer.concat([held, next.value]);
    const format = otherFormatOf(media, head, held);
    const mayBegin = held.length < BEGINNING_BYTES && !next.done;
    if (next.done && format) return { chunks: joined(held), refusal: refusalIn(held, format, head, refusals) };
    if (next.done || held.length > MAX_ERROR_BYTES || !(format || mayBegin)) return { chunks: joined(held, source) };
  }
}

async function* joined(held: Buffer, rest?: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield held;
    for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) yield next.value;
  } finally {
    await rest?.return?.();
  }
}

/** The refusal that a whole body is in a format; undefined if it is none, or not of this format. */
function refusalIn(
  body: Buffer,
  format: keyof typeof BEGINNINGS,
  head: ResponseHead,
  refusals: readonly BoundRefusal[],
): Refusal | undefined {
  const limits = { maxRowBytes: MAX_ERROR_BYTES, maxWholeBytes: MAX_ERROR_BYTES };
  const otherSelectors = refusals.map(({ selector }) => selector);
  try {
    const reader = READERS[format]({
      rowsSelector: undefined,
      otherSelectors,
      head,
      ...limits,
      onRows: () => undefined,
    });
    reader.push(body);
    return findRefusal(refusals, reader.end().document, head);
  } catch (error) {
    if (error instanceof PatternLimitError || isNodeError(error)) throw error;
    return undefined;
  }
}
