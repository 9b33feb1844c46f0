/** Reads one response body under a profile's bindings, row by row as it arrives. */
import type { Field } from '../contract/index.ts';
import { mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { FieldBinding, ResponseProfile } from '../profile/schema.ts';
import { compileSelector, type Selector, type SelectorSource } from '../profile/selector.ts';
import { addDigests, bindFields, Digest, toRow, toValues } from './cells.ts';
import { DecodeError, decodeBody } from './decode.ts';
import { decodeStrictly, JsonSplitter, parseStrictly, SplitError } from './json-splitter.ts';
import { sketch } from './sketch.ts';
import type { Observation, ReadingProblem, RowSink } from './types.ts';

export interface ReadingPlan {
  readonly media?: ResponseProfile['media'];
  readonly rows?: SelectorSource;
  readonly fields: { readonly [F in Field]?: FieldBinding };
  /** Where the cursor or URL of the next page stands. */
  readonly next?: SelectorSource;
  /** Default 4 MiB. */
  readonly maxRowBytes?: number;
  /** The longest body that is read whole, when its rows cannot be streamed; default 64 MiB. */
  readonly maxWholeBytes?: number;
}

type Media = NonNullable<ResponseProfile['media']>;

function mediaOf(plan: ReadingPlan, head: ResponseHead): Media | undefined {
  if (plan.media) return plan.media;
  const { type } = mediaTypeOf(head.headers);
  if (/^application\/(x-)?(ndjson|jsonl|json-lines|jsonlines)$|^application\/(json-seq|stream\+json)$/.test(type))
    return 'ndjson';
  if (/^(application|text)\/(x-)?json$|\+json$/.test(type)) return 'json';
  if (/^text\//.test(type)) return 'text';
  return undefined;
}

/** What collects the chunks of one body and gives its document (with the streamed rows left out) at the end. */
interface Reader {
  push(chunk: Uint8Array): void;
  end(): { readonly document: unknown; readonly streamed: boolean };
}

function wholeReader(limit: number, parse: (bytes: Uint8Array) => unknown): Reader {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > limit)
        throw new SplitError(
          'tooLarge',
          `the body is longer than ${limit} bytes and its rows cannot be streamed: give rows as a path of names ending in [*]`,
        );
      parts.push(chunk.slice());
    },
    end: () => ({ document: parse(Buffer.concat(parts)), streamed: false }),
  };
}

function splitReader(
  path: readonly string[],
  onElements: (nodes: readonly unknown[]) => void,
  plan: ReadingPlan,
): Reader {
  const limits = { maxRowBytes: plan.maxRowBytes ?? 4 << 20, maxSkeletonBytes: plan.maxWholeBytes ?? 64 << 20 };
  const splitter = new JsonSplitter(path, onElements, limits);
  return { push: (chunk) => splitter.push(chunk), end: () => ({ document: splitter.end(), streamed: splitter.found }) };
}

/** RFC 7464 puts one before each text. */
const RECORD_SEPARATOR = '\u001e';

/** Lines of JSON: each is a row, whatever the rows selector of an array would be. */
function lineReader(onElements: (nodes: readonly unknown[]) => void, limit: number): Reader {
  let carry = new Uint8Array(0);
  const line = (bytes: Uint8Array) => {
    const text = decodeStrictly(bytes).replace(RECORD_SEPARATOR, '').trim();
    if (text !== '') onElements([parseStrictly(text, 'a line of the body')]);
  };
  return {
    push(chunk) {
      let buffer = chunk;
      if (carry.length > 0) buffer = Buffer.concat([carry, chunk]);
      let start = 0;
      for (let end = buffer.indexOf(0x0a); end >= 0; end = buffer.indexOf(0x0a, start)) {
        line(buffer.subarray(start, end));
        start = end + 1;
      }
      carry = buffer.slice(start);
      if (carry.length > limit) throw new SplitError('tooLarge', `one line is longer than ${limit} bytes`);
    },
    end() {
      line(carry);
      return { document: [], streamed: true };
    },
  };
}

/**
 * Reads a body to its end or to its first problem. Never throws for what the body holds. Rows go to `onRow` in order,
 * counted from `startIndex` (rows of earlier pages).
 */
export async function readBody(
  plan: ReadingPlan,
  head: ResponseHead,
  chunks: AsyncIterable<Uint8Array>,
  onRow: RowSink,
  startIndex = 0,
): Promise<Observation> {
  const { perRow, once } = bindFields(plan.fields);
  const rowsAt: Selector | undefined = plan.rows === undefined ? undefined : compileSelector(plan.rows);
  const digest = new Digest();
  let rows = 0;
  const deliver = (nodes: readonly unknown[]): void => {
    for (const node of nodes) {
      const row = toRow(perRow, node, head);
      digest.add(row);
      onRow(row, startIndex + rows++);
    }
  };
  const done = (found: Partial<Observation>, problem?: ReadingProblem): Observation => ({
    rows,
    complete: problem === undefined,
    values: {},
    digest: digest.text,
    ...found,
    ...(problem && { problem }),
  });

  const media = mediaOf(plan, head);
  const whole = plan.maxWholeBytes ?? 64 << 20;
  const readers: Record<Media, () => Reader> = {
    json: () =>
      rowsAt?.stream
        ? splitReader(rowsAt.stream, deliver, plan)
        : wholeReader(whole, (bytes) => parseStrictly(decodeStrictly(bytes), 'the body')),
    ndjson: () => lineReader(deliver, plan.maxRowBytes ?? 4 << 20),
    text: () => wholeReader(whole, decodeStrictly),
  };
  try {
    const pieces: AsyncIterable<Uint8Array> = decodeBody(head, chunks);
    if (!media) {
      const { type } = mediaTypeOf(head.headers);
      return done(
        {},
        {
          kind: 'media',
          message: `the answer is of media type ${type || '(none)'}, which the profile does not name: set response.media`,
        },
      );
    }
    const reader = readers[media]();
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      reader.push(piece);
    }
    if (bytes === 0 && (head.status === 204 || head.status === 205)) return done({});
    const { document, streamed } = reader.end();
    const values = toValues(once, document, head);
    digest.add(values);
    if (rowsAt && !streamed) {
      const nodes = rowsAt.select(document, head);
      if (nodes.length === 0 && !isEmptyList(rowsAt, document, head)) {
        return done(
          { values },
          {
            kind: 'rowsNotFound',
            message: `rows at ${rowsAt.source} found nothing; the body holds ${sketch(document)}`,
          },
        );
      }
      deliver(nodes);
    }
    const next = plan.next === undefined ? undefined : compileSelector(plan.next).select(document, head)[0];
    const hasNext = next !== undefined && next !== null && next !== '' && next !== false;
    return done({ values, ...(hasNext && { next: String(next) }) });
  } catch (error) {
    return done({}, problemOf(error));
  }
}

/** Nothing selected is an empty list when what would hold the rows is there: an empty array, object or null. */
function isEmptyList(rowsAt: Selector, document: unknown, head: ResponseHead): boolean {
  if (!rowsAt.source.includes('*')) return rowsAt.source.includes('?') && rowsAt.holderExists(document);
  if (!rowsAt.stream) return rowsAt.holderExists(document);
  const holder =
    rowsAt.stream.length === 0
      ? [document]
      : compileSelector(`$${rowsAt.stream.map((name) => `[${JSON.stringify(name)}]`).join('')}`).select(document, head);
  return (
    holder.length > 0 && (holder[0] === null || (typeof holder[0] === 'object' && Object.keys(holder[0]).length === 0))
  );
}

function problemOf(error: unknown): ReadingProblem {
  if (error instanceof SplitError) return { kind: error.kind, message: error.message };
  if (error instanceof DecodeError) return { kind: 'encoding', message: error.message };
  if (error instanceof RangeError) return { kind: 'tooLarge', message: 'the body is nested too deeply to be read' };
  throw error;
}

/** Joins the observations of a list's pages into one; its values are those of the first page that has them. */
export function mergeObservations(pages: readonly Observation[], complete: boolean): Observation {
  const problem = pages.find((page) => page.problem)?.problem;
  return {
    rows: pages.reduce((sum, page) => sum + page.rows, 0),
    complete: complete && problem === undefined,
    values: Object.assign({}, ...[...pages].reverse().map((page) => page.values)),
    digest: addDigests(pages.map((page) => page.digest)),
    ...(problem && { problem }),
  };
}
