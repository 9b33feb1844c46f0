/**
 * Splits a JSON document, while its bytes arrive, into the elements of one list (the rows) and the rest (the skeleton).
 * Only brackets, strings and commas are scanned; everything is then parsed by JSON.parse, so exactly what JSON.parse
 * accepts is accepted. Memory is one slice, one row and the skeleton, however long the list.
 *
 * Most rows have the same prefix, such as `,{"upc":`. At its last occurrence in a slice, rows are assumed to end without a
 * scan of the bytes before it: JSON.parse accepts the bytes between two positions only if rows begin at both.
 */
import { readJsonBeginning } from '../json-nodes.ts';
import { decodeText, isCutOff, MAX_DEPTH, parsePlain, parseText } from './json-text.ts';
import { BodyError } from './problem.ts';

export interface SplitterOptions {
  /** Member names from the root to the list; undefined: nothing is split off, the whole document is the skeleton. */
  readonly path: readonly string[] | undefined;
  /** The path leads to an object: its members are the rows, as `[name, value]`; needs `retainedRows: 0`. */
  readonly ofObject?: boolean;
  /** The number of first rows that are also in the skeleton. */
  readonly retainedRows: number;
  /** The longest row, in bytes (give or take one slice). */
  readonly maxRowBytes: number;
  /** The longest skeleton, in bytes. */
  readonly maxSkeletonBytes: number;
  /** Whole numbers that would be rounded: the text of their digits (default), or rounded numbers, which are still numbers. */
  readonly longIntegers?: 'digits' | 'numbers';
  /** Changes the text of a list of rows before it is parsed. */
  readonly edit?: (text: string) => string;
  /** Receives the rows in order, in batches. */
  readonly onRows: (rows: readonly unknown[]) => void;
}

/** The maximum size of a batch of rows, independent of the size of the chunks. */
const SLICE = 64 * 1024;
/** A comma, whitespace, a bracket and a member name; longer prefixes are not used. */
const MAX_PREFIX_BYTES = 256;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NOTHING = new Uint8Array(0);
const OPENING = { list: Uint8Array.of(OPEN_LIST), object: Uint8Array.of(OPEN_OBJECT) };
const CLOSING = { list: Uint8Array.of(CLOSE_LIST), object: Uint8Array.of(CLOSE_OBJECT) };

export class JsonSplitter {
  /** Whether the list was found; its rows are then delivered and not in the skeleton. */
  found = false;
  readonly #options: SplitterOptions;
  readonly #longestKey: number;
  readonly #kind: 'list' | 'object';
  readonly #skeleton: Uint8Array[] = [];
  #skeletonBytes = 0;
  #inRows = false;
  #inString = false;
  #escaped = false;
  /** Open brackets: of the document outside the list, of the row inside it. */
  #depth = 0;
  /** Open objects on the path to the list; directly inside the last of them while equal to the depth. */
  #pathLevel = 0;
  /** Whether the next value is on the path. */
  #isOnPath = true;
  #expectsKey = false;
  /** Bytes of the member name being read, if it may be on the path. */
  #key: number[] | undefined;
  /** The incomplete row at the end of a slice, and the rows before it. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #rowCount = 0;
  /** The offset in the document of the first row that is not delivered. */
  #rowsOffset = 0;
  /** A reused buffer for batches: new buffers would accumulate faster than they are freed. */
  #scratch = Buffer.alloc(0);
  /** Whether a comma precedes the batch: a row must follow it. */
  #afterComma = false;
  /** The common prefix of rows, from the comma before them to their first colon; undefined: unknown or unreliable. */
  #rowPrefix: Buffer | undefined;
  #mayUsePrefix = true;
  /** Whether the pending bytes were scanned. */
  #isScanned = true;

  constructor(options: SplitterOptions) {
    this.#options = options;
    this.#kind = options.ofObject ? 'object' : 'list';
    // The names of members differ from row to row.
    this.#mayUsePrefix = !options.ofObject;
    // A character has at most six bytes (\u0041), and the name has two quotes.
    this.#longestKey = Math.max(0, ...(options.path ?? []).map((name) => name.length)) * 6 + 2;
  }

  /** The first row that was not delivered, and the offset of its text in the document. */
  get nextRow(): { readonly row: number; readonly byte: number } {
    return { row: this.#rowCount, byte: this.#rowsOffset };
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += SLICE) this.#process(chunk.subarray(from, from + SLICE));
  }

  #process(bytes: Uint8Array): void {
    for (let rest = bytes; rest.length > 0; ) rest = this.#inRows ? this.#readRows(rest) : this.#scanSkeleton(rest);
  }

  /** The document without the rows (all but the first `retainedRows`), parsed. */
  end(): unknown {
    if (!this.#isScanned) this.#process(this.#unscanned(new Uint8Array(0)));
    const text = decodeText(Buffer.concat(this.#skeleton));
    if ((this.#inRows || this.#inString || this.#depth > 0) && isCutOff(text)) {
      throw new BodyError(
        'truncated',
        `the body ends ${this.#inRows ? `within the list of rows, after row ${this.#rowCount}` : 'within the JSON document'}`,
      );
    }
    if (text.trim() === '') throw new BodyError('syntax', 'the body is empty, but a JSON document is expected');
    return parseText(text, 'the body', this.#options.longIntegers);
  }

  #addToSkeleton(bytes: Uint8Array): void {
    this.#skeletonBytes += bytes.length;
    const limit = this.#options.maxSkeletonBytes;
    if (this.#skeletonBytes > limit) {
      const what = this.found
        ? `the part of the body outside the rows is longer than ${limit} bytes`
        : `the first ${limit} bytes, the limit of what is read whole, contain no list of rows`;
      throw new BodyError(
        'tooLarge',
        `${what}; select the rows by a path of names ending in [*], and other values by paths outside the rows`,
      );
    }
    // Copied: a view would retain the whole chunk, and its owner may reuse it.
    this.#skeleton.push(Buffer.from(bytes));
  }

  /** Returns the bytes after the opening bracket of the list of rows. */
  #scanSkeleton(slice: Uint8Array): Uint8Array {
    for (let at = 0; at < slice.length; at++) {
      const byte = slice[at] as number;
      if (this.#inString) this.#stringByte(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        if (this.#expectsKey && this.#depth === this.#pathLevel) this.#key = [QUOTE];
      } else if (byte === COMMA) {
        if (this.#depth === this.#pathLevel) {
          this.#expectsKey = this.#pathLevel > 0;
          this.#isOnPath = false;
        }
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (this.#openBracket(byte)) {
          this.#addToSkeleton(slice.subarray(0, at + 1));
          this.#rowsOffset = this.#skeletonBytes;
          return slice.subarray(at + 1);
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#closeBracket();
      else if (byte === COLON) this.#expectsKey = false;
    }
    this.#addToSkeleton(slice);
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
    const name = this.#options.path?.[this.#pathLevel - 1];
    if (parseText(decodeText(bytes), 'a member name') !== name) return;
    // Duplicate names are legal JSON (RFC 8259, section 4), and JSON.parse uses the last; delivered rows cannot be revoked.
    if (this.found)
      throw new BodyError(
        'rowsNotFound',
        `the member ${JSON.stringify(name)} on the path to the rows occurs twice, so the list of rows is ambiguous`,
      );
    this.#isOnPath = true;
  }

  /** Handles an opening bracket; returns true if it opens the list of rows. */
  #openBracket(byte: number): boolean {
    const { path } = this.#options;
    const isOnPath = this.#isOnPath && this.#depth === this.#pathLevel && path !== undefined;
    this.#isOnPath = false;
    const opening = this.#kind === 'list' ? OPEN_LIST : OPEN_OBJECT;
    if (isOnPath && byte === opening && this.#pathLevel === path.length) {
      this.found = true;
      this.#inRows = true;
      this.#depth = 0;
      return true;
    }
    if (++this.#depth > MAX_DEPTH)
      throw new BodyError('tooLarge', `the body is nested deeper than ${MAX_DEPTH} levels`);
    if (isOnPath && byte === OPEN_OBJECT && this.#pathLevel < path.length) {
      this.#pathLevel++;
      this.#expectsKey = true;
    }
    return false;
  }

  #closeBracket(): void {
    if (this.#depth === 0)
      throw new BodyError('syntax', 'the body is not JSON: a bracket is closed that was not opened');
    if (this.#depth === this.#pathLevel) this.#pathLevel--;
    this.#depth--;
    this.#expectsKey = false;
    this.#isOnPath = false;
  }

  #readRows(slice: Uint8Array): Uint8Array {
    if (this.#rowPrefix && this.#readByPrefix(slice, this.#rowPrefix)) return NOTHING;
    return this.#scanRows(this.#isScanned ? slice : this.#unscanned(slice));
  }

  /** Delivers the rows up to the last prefix of a row; false if the guess was wrong. */
  #readByPrefix(slice: Uint8Array, prefix: Buffer): boolean {
    const comma = Buffer.from(slice.buffer, slice.byteOffset, slice.length).lastIndexOf(prefix);
    if (comma < 0) return false;
    const tail = slice.subarray(0, comma);
    const rows = parsePlain(this.#listUpTo(tail));
    if (!rows || rows.length === 0) {
      // Not tried again: rows have another prefix here, or their content requires a scan.
      this.#rowPrefix = undefined;
      this.#mayUsePrefix = false;
      return false;
    }
    this.#deliver(rows, tail, false);
    this.#isScanned = false;
    this.#storeIncomplete(slice.subarray(comma + 1));
    return true;
  }

  /** Returns the pending and the following bytes, to be scanned from the beginning of a row. */
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

  /** Returns the bytes after the closing bracket of the list of rows. */
  #scanRows(slice: Uint8Array): Uint8Array {
    // Local variables, because this loop processes every byte of a bulk list.
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
        // Most of a list is strings.
        while (byte !== QUOTE && byte !== BACKSLASH && at < slice.length) byte = slice[at++] as number;
        escaped = byte === BACKSLASH;
        inString = byte !== QUOTE;
      } else if (byte === QUOTE) inString = true;
      else if (byte === COMMA) {
        if (depth === 0) lastComma = at - 1;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (++depth > MAX_DEPTH) throw new BodyError('tooLarge', `a row is nested deeper than ${MAX_DEPTH} levels`);
      } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth < 0) {
        this.#inString = false;
        this.#depth = this.#pathLevel;
        this.#inRows = false;
        this.#parseRows(slice.subarray(0, at - 1), true);
        this.#addToSkeleton(slice.subarray(at - 1, at));
        return slice.subarray(at);
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    if (lastComma >= 0) {
      this.#parseRows(slice.subarray(0, lastComma), false);
      this.#storePrefix(slice.subarray(lastComma, lastComma + MAX_PREFIX_BYTES));
    }
    this.#storeIncomplete(slice.subarray(lastComma + 1));
    return NOTHING;
  }

  /** Stores the prefix of a row, given the bytes from the comma before it. */
  #storePrefix(bytes: Uint8Array): void {
    const colon = bytes.indexOf(COLON);
    if (this.#mayUsePrefix && colon >= 0) this.#rowPrefix = Buffer.from(bytes.subarray(0, colon + 1));
  }

  /** The text of a list of the pending rows and `tail`. */
  #listUpTo(tail: Uint8Array): string {
    const length = this.#pendingBytes + tail.length + 2;
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(Math.max(length, 2 * SLICE));
    let at = 0;
    for (const part of [OPENING[this.#kind], ...this.#pending, tail, CLOSING[this.#kind]]) {
      this.#scratch.set(part, at);
      at += part.length;
    }
    const text = decodeText(this.#scratch.subarray(0, length));
    return this.#options.edit?.(text) ?? text;
  }

  #storeIncomplete(bytes: Uint8Array): void {
    this.#pendingBytes += bytes.length;
    const limit = this.#options.maxRowBytes;
    if (this.#pendingBytes > limit)
      throw new BodyError('tooLarge', `row ${this.#rowCount} is longer than ${limit} bytes`);
    this.#pending.push(Buffer.from(bytes));
  }

  /** Parses and delivers complete rows; `isLast` if the list ends after them, otherwise a comma follows. */
  #parseRows(tail: Uint8Array, isLast: boolean): void {
    const what = `the list of rows, from row ${this.#rowCount} on,`;
    const text = this.#listUpTo(tail);
    const rows = this.#parse(this.#kind === 'object' ? membersAsList(text) : text, what);
    // Whitespace between commas would parse as an empty list.
    if (rows.length === 0 && !(isLast && !this.#afterComma))
      throw new BodyError('syntax', `the list of rows is not JSON: a comma without a row, at row ${this.#rowCount}`);
    this.#deliver(rows, tail, isLast);
  }

  #parse(text: string, what: string): unknown[] {
    try {
      return parseText(text, what, this.#options.longIntegers) as unknown[];
    } catch (error) {
      const { children = [] } = readJsonBeginning(text) ?? {};
      const damaged = children.findIndex(
        ({ start, end }) => !parsePlain(`[${text.slice(start, Math.max(start, end))}]`),
      );
      this.#rowCount += Math.max(0, damaged);
      this.#rowsOffset += Buffer.byteLength(text.slice(1, children[damaged]?.start ?? 1));
      throw error;
    }
  }

  #deliver(rows: readonly unknown[], tail: Uint8Array, isLast: boolean): void {
    this.#rowsOffset += this.#pendingBytes + tail.length + 1;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#afterComma = !isLast;
    const retained = rows.slice(0, Math.max(0, this.#options.retainedRows - this.#rowCount));
    for (const [index, row] of retained.entries())
      this.#addToSkeleton(Buffer.from(`${this.#rowCount + index > 0 ? ',' : ''}${JSON.stringify(row)}`));
    this.#rowCount += rows.length;
    this.#options.onRows(rows);
  }
}

/** Rewrites the members of an object as a list of `[name, value]`, since JSON.parse keeps only the last of equal names. */
function membersAsList(text: string): string {
  const parts: string[] = [];
  let [depth, from] = [0, 1];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (depth === 1 && char === ':') {
      parts.push(text.slice(from, at), ',');
      from = at + 1;
    } else if (depth === 1 && char === ',') {
      parts.push(text.slice(from, at), '],[');
      from = at + 1;
    }
  }
  const members = [...parts, text.slice(from, -1)].join('');
  return members.trim() === '' ? '[]' : `[[${members}]]`;
}
