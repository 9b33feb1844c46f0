/** Strict conversion of bytes to text to JSON values; errors are described in one sentence. */
import { isAscii, isUtf8 } from 'node:buffer';
import { BodyError } from './problem.ts';

/** Limits nesting, so that recursive code does not overflow its stack. */
export const MAX_DEPTH = 512;

/** Decodes UTF-8; bytes that are not UTF-8 are a `charset` problem, never replacement characters. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw notUtf8();
  return buffer.toString('utf8');
}

export const notUtf8 = (): BodyError =>
  new BodyError('charset', 'the body is not valid UTF-8, and Content-Type declares no other charset');

/** Matches texts that may contain an integer that a double cannot represent. */
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16}/;

/**
 * JSON.parse whose errors are `syntax` problems. Whole numbers that would be rounded, such as 64-bit ids, become the
 * text of their digits, unless `longIntegers` is `numbers`. `what` begins the sentence, e.g. `the body`.
 */
export function parseText(text: string, what: string, longIntegers: 'digits' | 'numbers' = 'digits'): unknown {
  try {
    return longIntegers === 'digits' && LONG_INTEGER.test(text) ? JSON.parse(text, exactIntegers) : JSON.parse(text);
  } catch (error) {
    throw new BodyError('syntax', `${what} is not JSON: ${parseErrorOf(error)}`);
  }
}

/**
 * Parses a list that needs no scan; undefined for other texts: not JSON, nested deeper than
 * `MAX_DEPTH` within the list, or with whole numbers that were rounded.
 */
export function parsePlain(text: string): readonly unknown[] | undefined {
  try {
    const list = JSON.parse(text) as readonly unknown[];
    return list.every((value) => isExact(value, MAX_DEPTH)) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Checks values rather than text, because rows have far fewer values than characters. */
function isExact(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || (value % 1 !== 0 && Number.isFinite(value));
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((each) => isExact(each, depth - 1));
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== 'string' && !isExact(member, depth - 1)) return false;
  }
  return true;
}

/** A reviver; the third parameter is of ES2025, which every supported engine has. */
function exactIntegers(_: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return /^-?\d+$/.test(source) ? source : value;
}

/** Refuses text nested deeper than `MAX_DEPTH`, as `tooLarge`. Short text cannot be that deep, so it is not scanned. */
export function checkDepth(text: string): void {
  if (text.length <= 2 * MAX_DEPTH) return;
  let depth = 0;
  // An unclosed string is one token too: a search from each of its quotes would take quadratic time.
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{}]/gs)) {
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth > MAX_DEPTH) throw new BodyError('tooLarge', `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
}

/** Whether an invalid JSON text is a prefix of valid JSON: truncated rather than wrong. */
export function isCutOff(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return (
      /Unexpected end|Unterminated string/.test(message) || (position !== undefined && Number(position) >= text.length)
    );
  }
}

/** Removes the engine's quotation and position: the text may be licensed data, and the position is within a batch. */
function parseErrorOf(error: unknown): string {
  return (error as Error).message
    .replace(/, (\.\.\.)?".*$|( in JSON)? at position .*$| of JSON input$/s, '')
    .slice(0, 120);
}
