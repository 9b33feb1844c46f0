/** Prepares a recorded response for sending. */
import { closeSync, readFileSync, readSync } from 'node:fs';
import {
  carriesTrailers,
  firstHeader,
  type HeaderLines,
  looksLikeText,
  mediaTypeOf,
  replaceControlCharacters,
  withoutHopByHop,
} from '../../src/exchange/headers.ts';
import {
  headersForClient,
  mayHoldUrls,
  OriginSplitter,
  originPattern,
  piecesWithOrigin,
  RECORDED_ORIGIN,
  replaceOrigin,
} from '../../src/recording/format/origin.ts';
import {
  INLINE_BYTES,
  type InterimResponse,
  type RecordedResponse,
} from '../../src/recording/format/recorded-exchange.ts';
import type { ReplayableResponse } from '../../src/recording/store/open-recording.ts';
import { openSideFile, type SideFile } from '../../src/recording/store/read-side-file.ts';

/** How a response ends: complete, with a closed or reset connection, or never (the client times out). */
export type ResponseEnd = 'complete' | 'closed' | 'reset' | 'silent';

function endOf(failure: ReplayableResponse['failure']): ResponseEnd {
  if (failure === undefined) return 'complete';
  if (failure.kind === 'timeout') return 'silent';
  return failure.reset ? 'reset' : 'closed';
}

/** A body in a side file. */
export interface RecordedFile {
  /** The folder of the recording. */
  readonly folder: string;
  readonly body: SideFile;
  /** Whether it contains placeholders of the origin to replace. */
  readonly isText: boolean;
}

export interface PreparedResponse {
  /** Interim responses (1xx), sent before the head. */
  readonly interim: readonly InterimResponse[];
  /** Absent: the service sent no response. */
  readonly head?: {
    readonly status: number;
    readonly reasonPhrase: string;
    /** Names and values alternate, as recorded. */
    readonly lines: readonly string[];
    /** Names in lower case. */
    readonly names: ReadonlySet<string>;
  };
  /** A small body as it is sent. */
  readonly bytes?: Buffer;
  readonly file?: RecordedFile;
  /** Trailers, sent after a chunked body. */
  readonly trailers: readonly [name: string, value: string][];
  readonly end: ResponseEnd;
}

const placeholder = originPattern(RECORDED_ORIGIN);

/** Whether the origin is replaced in the body, as the gateway did during recording (`forward-response.ts`). */
function containsOrigin({ status, headers }: RecordedResponse, first: () => Uint8Array): boolean {
  if (status === 206 || firstHeader(headers, 'content-encoding') !== undefined) return false;
  return mayHoldUrls(mediaTypeOf(headers).type) ?? looksLikeText(first());
}

function firstBytes(fd: number): Uint8Array {
  const bytes = Buffer.alloc(512);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
}

/** Header lines with the new Content-Length, where they have one; undefined: unknown, so the body is chunked. */
const withContentLength = (lines: HeaderLines, bytes: number | undefined): HeaderLines =>
  lines.flatMap(([name, value]) =>
    name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
  );

/** Whether the gateway sent a length (`forward-response.ts`): for text only where it was short, for decoded bodies never. */
function sendsContentLength({ headers, coding }: RecordedResponse, isText: boolean): boolean {
  if (coding !== undefined) return false;
  return !isText || Number(firstHeader(headers, 'content-length') ?? Number.POSITIVE_INFINITY) <= INLINE_BYTES;
}

/** The Content-Length: the bytes sent, or more for a truncated body. */
const contentLength = (lines: HeaderLines, sent: number, end: ResponseEnd): number =>
  end === 'complete' ? sent : Math.max(Number(firstHeader(lines, 'content-length')) || 0, sent + 1);

export interface PrepareOptions {
  /** The folder of the recording. */
  readonly folder: string;
  /** What clients see in place of the service’s origin: the origin of the replay and the lane prefix. */
  readonly base: string;
  /** The method of the request. */
  readonly method: string;
  /** Replaces the value of every `Date` header. */
  readonly date?: string;
  /** The sales figures of the recording are invented: each response says so, since invented figures do not add up. */
  readonly hasInventedFigures?: boolean;
}

/** The parts of a response that do not depend on its body. */
interface CommonParts {
  readonly withoutHead: Omit<PreparedResponse, 'head' | 'bytes' | 'file'>;
  readonly lines: HeaderLines;
  readonly response: RecordedResponse;
}

const headWith = (
  { status, reasonPhrase }: RecordedResponse,
  headers: HeaderLines,
): NonNullable<PreparedResponse['head']> => ({
  status,
  reasonPhrase: replaceControlCharacters(reasonPhrase),
  lines: headers.flat().map(replaceControlCharacters),
  names: new Set(headers.map(([name]) => name.toLowerCase())),
});

/**
 * Prepares a recorded response once, so that sending it again is cheap. Rejects with a SideFileError where the file of
 * the body changed since the recording.
 */
export function prepareResponse(
  recorded: ReplayableResponse,
  options: PrepareOptions,
): PreparedResponse | Promise<PreparedResponse> {
  const { interim = [], response, failure } = recorded;
  const end = endOf(failure);
  const { base, method, date, hasInventedFigures } = options;
  const withBase = (headers: HeaderLines) => headersForClient(headers, placeholder, base);
  const preparedInterim = interim.map(({ status, headers }) => ({ status, headers: withBase(headers) }));
  if (!response) return { interim: preparedInterim, trailers: [], end };
  const { status, body } = response;
  const withoutBody = method === 'HEAD' || status === 204 || status === 304;
  const withoutHead = {
    interim: preparedInterim,
    trailers: withBase(response.trailers ?? []).map(([name, value]): [string, string] => [
      name,
      replaceControlCharacters(value),
    ]),
    end,
  };
  const lines = [
    ...withBase(withoutHopByHop(response.headers, !withoutBody && carriesTrailers(response.headers))).map(
      ([name, value]): [string, string] => [name, date !== undefined && name.toLowerCase() === 'date' ? date : value],
    ),
    ...(hasInventedFigures ? [['x-mdwi-figures', 'invented'] as [string, string]] : []),
  ];
  if (withoutBody) return { ...withoutHead, head: headWith(response, lines) };
  const commonParts = { withoutHead, lines, response };
  if (body && 'file' in body) return fromFile(commonParts, body, options);
  const bytes = body ? Buffer.from(body.text, 'utf8') : Buffer.alloc(0);
  return fromBytes(
    commonParts,
    bytes,
    containsOrigin(response, () => bytes),
    base,
  );
}

function fromBytes(
  { withoutHead, lines, response }: CommonParts,
  stored: Buffer,
  isText: boolean,
  base: string,
): PreparedResponse {
  const hasLength = sendsContentLength(response, isText);
  // The gateway buffers a short text until it is complete: a client that timed out had received nothing.
  if (withoutHead.end === 'silent' && isText && hasLength) return withoutHead;
  const bytes = isText ? withClientOrigin(stored, base) : stored;
  const length = hasLength ? contentLength(lines, bytes.length, withoutHead.end) : undefined;
  return { ...withoutHead, head: headWith(response, withContentLength(lines, length)), bytes };
}

async function fromFile(
  commonParts: CommonParts,
  body: SideFile,
  { folder, base }: PrepareOptions,
): Promise<PreparedResponse> {
  const { withoutHead, lines, response } = commonParts;
  const fd = await openSideFile(folder, body);
  try {
    const isText = containsOrigin(response, () => firstBytes(fd));
    const hasLength = sendsContentLength(response, isText);
    // The length of a text with replaced origins is known only after the whole file is read.
    if (isText && hasLength) return fromBytes(commonParts, readFileSync(fd), isText, base);
    const length = hasLength ? contentLength(lines, body.bytes, withoutHead.end) : undefined;
    return {
      ...withoutHead,
      head: headWith(response, withContentLength(lines, length)),
      file: { folder, body, isText },
    };
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a recorded text as a client receives them. @param base replaces the service’s origin */
export function withClientOrigin(bytes: Buffer, base: string): Buffer {
  const latin = bytes.toString('latin1');
  const replaced = replaceOrigin(latin, placeholder, base);
  return replaced === latin ? bytes : Buffer.from(replaced, 'latin1');
}

/** Streams a body as it is sent, one chunk in memory at a time. @param isText whether it contains placeholders of the origin */
export async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
  isText: boolean,
  base: string,
): AsyncGenerator<Uint8Array> {
  const splitter = isText ? new OriginSplitter(placeholder) : undefined;
  for await (const chunk of chunks) {
    if (splitter) yield* piecesWithOrigin(splitter.push(chunk), base);
    else yield chunk;
  }
  if (splitter) yield* piecesWithOrigin(splitter.end(), base);
}
