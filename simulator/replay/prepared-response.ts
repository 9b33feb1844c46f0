/** A recorded answer as it goes out. */
import { closeSync, readFileSync, readSync } from 'node:fs';
import type { HeaderLines } from '../../src/exchange/header-lines.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import { carriesTrailers, endToEnd, looksLikeText, writable } from '../../src/exchange/hop-by-hop.ts';
import {
  findOrigin,
  linesFor,
  mayHoldUrls,
  originSpellings,
  PLACEHOLDER,
  replaceOrigin,
} from '../../src/recording/format/origin.ts';
import {
  INLINE_BYTES,
  type InterimAnswer,
  type RecordedResponse,
} from '../../src/recording/format/recorded-exchange.ts';
import { WordSplitter } from '../../src/recording/format/word-finder.ts';
import type { RecordedAnswer } from '../../src/recording/store/open-recording.ts';
import { openSideFile, type SideFile } from '../../src/recording/store/read-side-file.ts';

/** How an answer ends: complete, with the connection, or never, until the client gives up. */
export type End = 'complete' | 'closed' | 'reset' | 'silent';

function endOf(failure: RecordedAnswer['failure']): End {
  if (failure === undefined) return 'complete';
  if (failure.kind === 'timeout') return 'silent';
  return failure.reset ? 'reset' : 'closed';
}

export interface PreparedResponse {
  /** What is said before the head. */
  readonly interim: readonly InterimAnswer[];
  /** Absent: no answer came at all. */
  readonly head?: {
    readonly status: number;
    readonly reason: string;
    /** Names and values in turn, as recorded. */
    readonly lines: readonly string[];
    /** Names in lower case. */
    readonly names: ReadonlySet<string>;
  };
  /** Small bodies as they are sent. */
  readonly bytes?: Buffer;
  /** A side file; `text`: with origins to put in. */
  readonly file?: { readonly folder: string; readonly body: SideFile; readonly text: boolean };
  /** What is said behind a body in chunks. */
  readonly trailers: readonly [name: string, value: string][];
  readonly end: End;
}

const placeholder = findOrigin(PLACEHOLDER);

/** Whether the origin is replaced in it, as the gateway did when it was recorded (`pass.ts`). */
function holdsOrigin({ status, headers }: RecordedResponse, first: () => Uint8Array): boolean {
  if (status === 206 || firstHeader(headers, 'content-encoding') !== undefined) return false;
  return mayHoldUrls(mediaTypeOf(headers).type) ?? looksLikeText(first());
}

function firstBytes(fd: number): Uint8Array {
  const bytes = Buffer.alloc(512);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
}

/** Header lines with the length that is sent, where one was announced; undefined: unknown, so the body comes in chunks. */
const resized = (lines: HeaderLines, bytes: number | undefined): HeaderLines =>
  lines.flatMap(([name, value]) =>
    name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
  );

/** Whether the gateway knew the length of what it sent (`pass.ts`): of texts and coded bodies only where they were short. */
function knewLength({ headers, coding }: RecordedResponse, text: boolean): boolean {
  if (coding !== undefined) return false;
  return !text || Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY) <= INLINE_BYTES;
}

/** The length that stands in the head: what is sent, or of a body that breaks off more than that. */
const announced = (lines: HeaderLines, sent: number, end: End): number =>
  end === 'complete' ? sent : Math.max(Number(firstHeader(lines, 'content-length')), sent + 1);

export interface PrepareOptions {
  /** Of the recording. */
  readonly folder: string;
  /** What clients see in place of the service’s origin: own origin and lane prefix. */
  readonly base: string;
  /** Of the request. */
  readonly method: string;
  /** Stands in every `Date` header. */
  readonly date?: string;
}

/** What of an answer does not depend on its body. */
interface Beginning {
  readonly rest: Omit<PreparedResponse, 'head' | 'bytes' | 'file'>;
  readonly lines: HeaderLines;
  readonly response: RecordedResponse;
}

const headWith = ({ status, reason }: RecordedResponse, kept: HeaderLines): NonNullable<PreparedResponse['head']> => ({
  status,
  reason: writable(reason),
  lines: kept.flat().map(writable),
  names: new Set(kept.map(([name]) => name.toLowerCase())),
});

/**
 * Prepares a recorded answer once, so that serving it again costs next to nothing. Throws SideFileError, later, where its
 * body is in a file that is not what was recorded.
 */
export function prepareResponse(
  recorded: RecordedAnswer,
  options: PrepareOptions,
): PreparedResponse | Promise<PreparedResponse> {
  const { interim = [], response, failure } = recorded;
  const end = endOf(failure);
  const { base, method, date } = options;
  const served = (headers: HeaderLines) => linesFor(headers, placeholder, base);
  const first = interim.map(({ status, headers }) => ({ status, headers: served(headers) }));
  if (!response) return { interim: first, trailers: [], end };
  const { status, body } = response;
  const bare = method === 'HEAD' || status === 204 || status === 304;
  const rest = {
    interim: first,
    trailers: served(response.trailers ?? []).map(([name, value]): [string, string] => [name, writable(value)]),
    end,
  };
  const lines = served(endToEnd(response.headers, !bare && carriesTrailers(response.headers))).map(
    ([name, value]): [string, string] => [name, date !== undefined && name.toLowerCase() === 'date' ? date : value],
  );
  if (bare) return { ...rest, head: headWith(response, lines) };
  const beginning = { rest, lines, response };
  if (body && 'file' in body) return fromFile(beginning, body, options);
  const bytes = body ? Buffer.from(body.text, 'utf8') : Buffer.alloc(0);
  return fromBytes(
    beginning,
    bytes,
    holdsOrigin(response, () => bytes),
    base,
  );
}

function fromBytes(
  { rest, lines, response }: Beginning,
  stored: Buffer,
  text: boolean,
  base: string,
): PreparedResponse {
  const known = knewLength(response, text);
  // The gateway holds a short text back until it is whole: a client that gave up on it had seen nothing.
  if (rest.end === 'silent' && text && known) return rest;
  const bytes = text ? withOrigin(stored, base) : stored;
  const length = known ? announced(lines, bytes.length, rest.end) : undefined;
  return { ...rest, head: headWith(response, resized(lines, length)), bytes };
}

async function fromFile(
  beginning: Beginning,
  body: SideFile,
  { folder, base }: PrepareOptions,
): Promise<PreparedResponse> {
  const { rest, lines, response } = beginning;
  const fd = await openSideFile(folder, body);
  try {
    const text = holdsOrigin(response, () => firstBytes(fd));
    const known = knewLength(response, text);
    // Of a text in a file the length is known only when all of it is.
    if (text && known) return fromBytes(beginning, readFileSync(fd), text, base);
    const length = known ? announced(lines, body.bytes, rest.end) : undefined;
    return { ...rest, head: headWith(response, resized(lines, length)), file: { folder, body, text } };
  } finally {
    closeSync(fd);
  }
}

function withOrigin(bytes: Buffer, base: string): Buffer {
  const latin = bytes.toString('latin1');
  const replaced = replaceOrigin(latin, placeholder, base);
  return replaced === latin ? bytes : Buffer.from(replaced, 'latin1');
}

/** A body as it is sent, no more of it in memory than a chunk. @param text with origins to put in */
export async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
  text: boolean,
  base: string,
): AsyncGenerator<Uint8Array> {
  const splitter = text ? new WordSplitter(placeholder) : undefined;
  for await (const chunk of chunks) {
    if (splitter) yield* originSpellings(splitter.push(chunk), base);
    else yield chunk;
  }
  if (splitter) yield* originSpellings(splitter.end(), base);
}
