/** A recorded answer as it goes out. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { endToEnd, looksLikeText, writable } from '../../src/exchange/har/hop.ts';
import { findOrigin, mayHoldUrls, PLACEHOLDER, replaceOrigin, spellPieces } from '../../src/exchange/har/origin.ts';
import { Splitter } from '../../src/exchange/har/splitter.ts';
import type { HeaderLines, RecordedResponse, StoredBody } from '../../src/exchange/har/types.ts';
import { firstHeader, mediaTypeOf } from '../../src/exchange/headers.ts';
import type { RecordedAnswer } from './recording.ts';

/** How an answer ends: complete, with the connection, or never, until the client gives up. */
type End = 'complete' | 'cut' | 'silent';

export interface Served {
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
  readonly file?: { readonly path: string; readonly text: boolean };
  readonly end: End;
}

const placeholder = findOrigin(PLACEHOLDER);

/** Whether the origin is replaced in it, as the gateway did when it was recorded (`pass.ts`). */
function holdsOrigin({ status, headers }: RecordedResponse, first: () => Uint8Array): boolean {
  if (status === 206 || firstHeader(headers, 'content-encoding') !== undefined) return false;
  return mayHoldUrls(mediaTypeOf(headers).type) ?? looksLikeText(first());
}

function firstBytes(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(512);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Header lines with the length that is sent; undefined: unknown, so the body comes in chunks. */
const resized = (lines: HeaderLines, bytes: number | undefined): HeaderLines =>
  lines.flatMap(([name, value]) =>
    name.toLowerCase() !== 'content-length' ? [[name, value]] : bytes === undefined ? [] : [[name, `${bytes}`]],
  );

/** The content-length that a body which breaks off announced, where that is longer than what is sent of it. */
const announced = (lines: HeaderLines, sent: number): number | undefined => {
  const length = Number(firstHeader(lines, 'content-length'));
  return length > sent ? length : undefined;
};

export interface ServeOptions {
  /** Of the recording. */
  readonly folder: string;
  /** What clients see in place of the service’s origin: own origin and lane prefix. */
  readonly base: string;
  /** Of the request. */
  readonly method: string;
  /** Stands in every `Date` header. */
  readonly date?: string;
}

/** Prepares a recorded answer once, so that serving it again costs next to nothing. */
export function prepareAnswer({ response, failure }: RecordedAnswer, options: ServeOptions): Served {
  const end: End = failure === undefined ? 'complete' : failure.kind === 'timeout' ? 'silent' : 'cut';
  if (!response) return { end };
  const { base, method, folder, date } = options;
  const { status, reason, body } = response;
  const lines = endToEnd(response.headers).map(([name, value]): [string, string] => [
    name,
    date !== undefined && name.toLowerCase() === 'date' ? date : replaceOrigin(value, placeholder, base),
  ]);
  const bare = method === 'HEAD' || status === 204 || status === 304;
  const headWith = (kept: HeaderLines) => ({
    status,
    reason: writable(reason),
    lines: kept.flat().map(writable),
    names: new Set(kept.map(([name]) => name.toLowerCase())),
  });
  if (bare) return { head: headWith(lines), end };
  if (body && 'file' in body) {
    const path = join(folder, body.file);
    const text = holdsOrigin(response, () => firstBytes(path));
    const length = end !== 'complete' ? announced(lines, body.bytes) : text ? undefined : body.bytes;
    return { head: headWith(resized(lines, length)), file: { path, text }, end };
  }
  const bytes = inlineBytes(response, body, base);
  const length = end === 'complete' ? bytes.length : announced(lines, bytes.length);
  return { head: headWith(resized(lines, length)), bytes, end };
}

function inlineBytes(response: RecordedResponse, body: StoredBody | undefined, base: string): Buffer {
  const bytes = Buffer.from(body && 'text' in body ? body.text : '', 'utf8');
  if (!holdsOrigin(response, () => bytes)) return bytes;
  const latin = bytes.toString('latin1');
  const replaced = replaceOrigin(latin, placeholder, base);
  return replaced === latin ? bytes : Buffer.from(replaced, 'latin1');
}

/** A side file as it is sent, no more of it in memory than a chunk. */
export async function* chunksOf(file: NonNullable<Served['file']>, base: string): AsyncGenerator<Uint8Array> {
  const splitter = file.text ? new Splitter(placeholder) : undefined;
  for await (const chunk of createReadStream(file.path)) {
    if (splitter) yield* spellPieces(splitter.push(chunk as Buffer), base);
    else yield chunk as Buffer;
  }
  if (splitter) yield* spellPieces(splitter.end(), base);
}
