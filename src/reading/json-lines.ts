/** Streaming parser of newline-delimited JSON, one value per line, or of RFC 7464 sequences. */
import { checkDepth, decodeText, isCutOff, parseText } from './json-text.ts';
import { BodyError } from './problem.ts';

export const NEWLINE = 0x0a;
/** Begins each text of application/json-seq, whose texts may contain newlines. */
export const RECORD_SEPARATOR = 0x1e;

export interface LinesOptions {
  readonly separator: typeof NEWLINE | typeof RECORD_SEPARATOR;
  /** The longest line, in bytes. */
  readonly maxLineBytes: number;
  /** Whole numbers that would be rounded: the text of their digits (default), or rounded numbers. */
  readonly longIntegers?: 'digits' | 'numbers';
  readonly onValue: (value: unknown) => void;
}

/** Blank lines are skipped, and the last line needs no newline. */
export class JsonLines {
  readonly #options: LinesOptions;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #valueCount = 0;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    const { separator } = this.#options;
    for (let end = chunk.indexOf(separator); end >= 0; end = chunk.indexOf(separator, start)) {
      this.#value(this.#decode(chunk.subarray(start, end)), false);
      start = end + 1;
    }
    if (start < chunk.length) this.#store(chunk.subarray(start));
  }

  end(): void {
    this.#value(this.#decode(new Uint8Array(0)), true);
  }

  #decode(tail: Uint8Array): string {
    this.#check(this.#pendingBytes + tail.length);
    const text = decodeText(this.#pending.length === 0 ? tail : Buffer.concat([...this.#pending, tail]));
    this.#pending = [];
    this.#pendingBytes = 0;
    return text;
  }

  #store(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    this.#check(this.#pendingBytes);
    // Copied: its owner may reuse the chunk.
    this.#pending.push(Buffer.from(bytes));
  }

  #check(bytes: number): void {
    const limit = this.#options.maxLineBytes;
    if (bytes > limit) throw new BodyError('tooLarge', `JSON value ${this.#valueCount} is longer than ${limit} bytes`);
  }

  #value(text: string, isLast: boolean): void {
    if (text.trim() === '') return;
    checkDepth(text);
    if (isLast && isCutOff(text))
      throw new BodyError('truncated', `the body ends within JSON value ${this.#valueCount}`);
    const value = parseText(text, `value ${this.#valueCount} of the body`, this.#options.longIntegers);
    this.#valueCount++;
    this.#options.onValue(value);
  }
}
