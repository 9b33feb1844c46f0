/**
 * Splits a JSON document, while its bytes arrive, into the elements of one list (the rows) and the rest (the skeleton).
 * Only brackets, strings and commas are looked at; everything is then parsed by JSON.parse, so exactly what JSON.parse
 * accepts is accepted. Memory is one slice, one row and the skeleton, however long the list.
 *
 * Rows mostly begin alike, `,{"upc":`. Where the last such beginning stands in a slice, rows are taken to end without a
 * look at the bytes before it: JSON.parse accepts what lies between two places only if rows begin at both.
 */
import { decodeText, isCutOff, MAX_DEPTH, parsePlain, parseText } from './json-text.ts';
import { ReadingError } from './problem.ts';

export interface SplitterOptions {
  /** Member names from the root to the list; undefined: nothing is split off, the whole document is the skeleton. */
  readonly path: readonly string[] | undefined;
  /** How many of the first rows stay in the skeleton too. */
  readonly keepRows: number;
  /** The longest row, in bytes (give or take one slice). */
  readonly maxRowBytes: number;
  /** The longest skeleton, in bytes. */
  readonly maxSkeletonBytes: number;
  /** Whole numbers that would be rounded: the text of their digits (default), or rounded numbers, which are still numbers. */
  readonly long?: 'digits' | 'numbers';
  /** Gets the rows in order, several at a time. */
  readonly onRows: (rows: readonly unknown[]) => void;
}

/** Bounds a batch of rows, whatever the size of the chunks. */
const SLICE = 64 * 1024;
/** A comma, blanks, a bracket and the name of a member; what is longer is no good beginning to look for. */
const LONGEST_BEGINNING = 256;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NOTHING = new Uint8Array(0);
const OPENING = Uint8Array.of(OPEN_LIST);
const CLOSING = Uint8Array.of(CLOSE_LIST);

export class JsonSplitter {
  /** Whether the list was met; its rows are then delivered and not in the skeleton. */
  found = false;
  readonly #options: SplitterOptions;
  readonly #longestKey: number;
  readonly #skeleton: Uint8Array[] = [];
  #skeletonBytes = 0;
  #inRows = false;
  #inString = false;
  #escaped = false;
  /** Open brackets: of the document outside the list, of the row inside it. */
  #depth = 0;
  /** Open objects that lie on the path to the list; directly inside the last of them while equal to the depth. */
  #level = 0;
  /** The next value is the one the path leads through. */
  #isNext = true;
  #expectsKey = false;
  /** Bytes of the member name being read, where one can matter. */
  #key: number[] | undefined;
  /** The beginning of a row, and the rows before it, that a slice ended within. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #delivered = 0;
  /** Where batches are put together, one after the other: a new buffer for each would pile up faster than it is freed. */
  #scratch = Buffer.alloc(0);
  /** A comma stands before the batch: something must follow it. */
  #afterComma = false;
  /** How rows begin, from the comma before them to their first colon; undefined: not known, or not to be relied on. */
  #beginning: Buffer | undefined;
  #mayGuess = true;
  /** Whether what is pending has been looked at byte by byte. */
  #isScanned = true;

  constructor(options: SplitterOptions) {
    this.#options = options;
    // A character is written with six bytes at most (\u0041), and two quotes stand around the name.
    this.#longestKey = Math.max(0, ...(options.path ?? []).map((name) => name.length)) * 6 + 2;
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += SLICE) this.#take(chunk.subarray(from, from + SLICE));
  }

  #take(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) rest = this.#inRows ? this.#takeRows(rest) : this.#scanSkeleton(rest);
  }

  /** The document without the rows (all but the first `keepRows`), parsed. */
  end(): unknown {
    if (!this.#isScanned) this.#take(this.#unscanned(new Uint8Array(0)));
    const text = decodeText(Buffer.concat(this.#skeleton));
    if ((this.#inRows || this.#inString || this.#depth > 0) && isCutOff(text)) {
      throw new ReadingError(
        'truncated',
        `the body ends ${this.#inRows ? `within the list of rows, after row ${this.#delivered}` : 'within the JSON document'}`,
      );
    }
    if (text.trim() === '') throw new ReadingError('syntax', 'the body is empty, where a JSON document should stand');
    return parseText(text, 'the body', this.#options.long);
  }

  #keep(bytes: Uint8Array): void {
    this.#skeletonBytes += bytes.length;
    const limit = this.#options.maxSkeletonBytes;
    if (this.#skeletonBytes > limit) {
      const what = this.found
        ? `what stands beside the rows is longer than ${limit} bytes`
        : `no list of rows stands within the first ${limit} bytes, and no more is read whole`;
      throw new ReadingError(
        'tooLarge',
        `${what}; name the rows by a path of names ending in [*], and other values by paths that do not lead through them`,
      );
    }
    // Copied: a view would keep the whole chunk alive, and its owner may use it again.
    this.#skeleton.push(Buffer.from(bytes));
  }

  /** Returns what stands behind the beginning of the list of rows. */
  #scanSkeleton(slice: Uint8Array): Uint8Array {
    for (let at = 0; at < slice.length; at++) {
      const byte = slice[at] as number;
      if (this.#inString) this.#stringByte(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        if (this.#expectsKey && this.#depth === this.#level) this.#key = [QUOTE];
      } else if (byte === COMMA) {
        if (this.#depth === this.#level) {
          this.#expectsKey = this.#level > 0;
          this.#isNext = false;
        }
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#open(byte)) {
          this.#keep(slice.subarray(0, at + 1));
          return slice.subarray(at + 1);
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close();
      else if (byte === COLON) this.#expectsKey = false;
    }
    this.#keep(slice);
    return NOTHING;
  }

  #stringByte(byte: number): void {
    if (this.#key && this.#key.push(byte) > this.#longestKey) this.#key = undefined;
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (this.#key) this.#compareKey(Uint8Array.from(this.#key));
      this.#key = undefined;
      this.#expectsKey = false;
    }
  }

  #compareKey(bytes: Uint8Array): void {
    const name = this.#options.path?.[this.#level - 1];
    if (parseText(decodeText(bytes), 'a member name') !== name) return;
    // Legal JSON (RFC 8259, section 4) of which JSON.parse takes the last; rows already delivered cannot be taken back.
    if (this.found)
      throw new ReadingError(
        'rowsNotFound',
        `the member ${JSON.stringify(name)} on the way to the rows stands twice: which of them is meant cannot be told`,
      );
    this.#isNext = true;
  }

  /** Notes an opening bracket; true when it opens the list of rows. */
  #open(byte: number): boolean {
    const { path } = this.#options;
    const isNext = this.#isNext && this.#depth === this.#level && path !== undefined;
    this.#isNext = false;
    if (isNext && byte === OPEN_LIST && this.#level === path.length) {
      this.found = true;
      this.#inRows = true;
      this.#depth = 0;
      return true;
    }
    if (++this.#depth > MAX_DEPTH)
      throw new ReadingError('tooLarge', `the body is nested deeper than ${MAX_DEPTH} levels`);
    if (isNext && byte === OPEN_OBJECT && this.#level < path.length) {
      this.#level++;
      this.#expectsKey = true;
    }
    return false;
  }

  #close(): void {
    if (this.#depth === 0)
      throw new ReadingError('syntax', 'the body is not JSON: a bracket is closed that was not opened');
    if (this.#depth === this.#level) this.#level--;
    this.#depth--;
    this.#expectsKey = false;
    this.#isNext = false;
  }

  #takeRows(slice: Uint8Array): Uint8Array {
    if (this.#beginning && this.#guessRows(slice, this.#beginning)) return NOTHING;
    return this.#scanRows(this.#isScanned ? slice : this.#unscanned(slice));
  }

  /** Delivers the rows up to the last place where one seems to begin; false when that was no good guess. */
  #guessRows(slice: Uint8Array, beginning: Buffer): boolean {
    const comma = Buffer.from(slice.buffer, slice.byteOffset, slice.length).lastIndexOf(beginning);
    if (comma < 0) return false;
    const rows = parsePlain(this.#listUpTo(slice.subarray(0, comma)));
    if (!rows || rows.length === 0) {
      // Once is enough: rows begin otherwise here, or what they hold needs a closer look.
      this.#beginning = undefined;
      this.#mayGuess = false;
      return false;
    }
    this.#deliver(rows, false);
    this.#isScanned = false;
    this.#defer(slice.subarray(comma + 1));
    return true;
  }

  /** What is pending and what follows it, to be looked at byte by byte from the beginning of a row. */
  #unscanned(slice: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([...this.#pending, slice]);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#isScanned = true;
    this.#inString = false;
    this.#escaped = false;
    this.#depth = 0;
    return bytes;
  }

  /** Returns what stands behind the end of the list of rows. */
  #scanRows(slice: Uint8Array): Uint8Array {
    // Locals, because this loop sees every byte of a bulk list.
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let lastComma = -1;
    let at = 0;
    while (at < slice.length) {
      let byte = slice[at++] as number;
      if (inString) {
        if (escaped) {
          escaped = false;
          continue;
        }
        // Texts are most of a list.
        while (byte !== QUOTE && byte !== BACKSLASH && at < slice.length) byte = slice[at++] as number;
        escaped = byte === BACKSLASH;
        inString = byte !== QUOTE;
      } else if (byte === QUOTE) inString = true;
      else if (byte === COMMA) {
        if (depth === 0) lastComma = at - 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) throw new ReadingError('tooLarge', `a row is nested deeper than ${MAX_DEPTH} levels`);
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth < 0) {
        this.#inString = false;
        this.#depth = this.#level;
        this.#inRows = false;
        this.#emit(slice.subarray(0, at - 1), true);
        this.#keep(slice.subarray(at - 1, at));
        return slice.subarray(at);
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    if (lastComma >= 0) {
      this.#emit(slice.subarray(0, lastComma), false);
      this.#learn(slice.subarray(lastComma, lastComma + LONGEST_BEGINNING));
    }
    this.#defer(slice.subarray(lastComma + 1));
    return NOTHING;
  }

  /** Notes how a row begins, given the bytes from the comma before it. */
  #learn(bytes: Uint8Array): void {
    const colon = bytes.indexOf(COLON);
    if (this.#mayGuess && colon >= 0) this.#beginning = Buffer.from(bytes.subarray(0, colon + 1));
  }

  /** The text of a list of the rows that are pending and end with `tail`. */
  #listUpTo(tail: Uint8Array): string {
    const length = this.#pendingBytes + tail.length + 2;
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(Math.max(length, 2 * SLICE));
    let at = 0;
    for (const part of [OPENING, ...this.#pending, tail, CLOSING]) {
      this.#scratch.set(part, at);
      at += part.length;
    }
    return decodeText(this.#scratch.subarray(0, length));
  }

  #defer(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    const limit = this.#options.maxRowBytes;
    if (this.#pendingBytes > limit)
      throw new ReadingError('tooLarge', `row ${this.#delivered} is longer than ${limit} bytes`);
    this.#pending.push(Buffer.from(bytes));
  }

  /** Parses and delivers complete rows; `isLast` when the list ends behind them, otherwise a comma does. */
  #emit(tail: Uint8Array, isLast: boolean): void {
    const what = `the list of rows, from row ${this.#delivered} on,`;
    const rows = parseText(this.#listUpTo(tail), what, this.#options.long) as unknown[];
    // A blank between commas would parse as an empty list.
    if (rows.length === 0 && !(isLast && !this.#afterComma))
      throw new ReadingError(
        'syntax',
        `the list of rows is not JSON: a comma has no row beside it, at row ${this.#delivered}`,
      );
    this.#deliver(rows, isLast);
  }

  #deliver(rows: readonly unknown[], isLast: boolean): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#afterComma = !isLast;
    const kept = rows.slice(0, Math.max(0, this.#options.keepRows - this.#delivered));
    for (const [index, row] of kept.entries())
      this.#keep(Buffer.from(`${this.#delivered + index > 0 ? ',' : ''}${JSON.stringify(row)}`));
    this.#delivered += rows.length;
    this.#options.onRows(rows);
  }
}
