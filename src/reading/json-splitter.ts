/**
 * Splits a JSON document into the elements of one array and the rest (the skeleton), while its bytes arrive. The array is
 * named by member names from the root. Elements are parsed in batches by JSON.parse, so what it accepts is what
 * JSON.parse accepts; memory is one chunk, one element and the skeleton.
 */

export interface SplitterLimits {
  /** The longest element, in bytes. */
  readonly maxRowBytes: number;
  /** The longest skeleton, in bytes. */
  readonly maxSkeletonBytes: number;
}

export class SplitError extends Error {
  readonly kind: 'syntax' | 'tooLarge' | 'encoding';
  constructor(kind: SplitError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 strictly; what is not UTF-8 is the answer's fault, not ours. */
export function decodeStrictly(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SplitError('encoding', 'the body is not valid UTF-8');
  }
}

/** JSON.parse whose refusal is a SplitError of one sentence. */
export function parseStrictly(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SplitError(
      'syntax',
      `${what} is not JSON: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 160)}`,
    );
  }
}

export class JsonSplitter {
  readonly #path: readonly string[];
  readonly #onElements: (elements: readonly unknown[]) => void;
  readonly #limits: SplitterLimits;
  /** Names of the objects the scanner is inside of; null where it is inside an array. */
  readonly #stack: (string | null)[] = [];
  #skeleton: Uint8Array[] = [];
  #skeletonBytes = 0;
  #carry: Uint8Array = new Uint8Array(0);
  #scanned = 0;
  #inString = false;
  #escaped = false;
  #keyStart = -1;
  #lastString: string | undefined;
  #inRows = false;
  #depth = 0;
  #batches = 0;
  /** Whether the array was met. */
  found = false;

  constructor(path: readonly string[], onElements: (elements: readonly unknown[]) => void, limits: SplitterLimits) {
    this.#path = path;
    this.#onElements = onElements;
    this.#limits = limits;
  }

  push(chunk: Uint8Array): void {
    let buffer = chunk;
    if (this.#carry.length > 0) {
      buffer = new Uint8Array(this.#carry.length + chunk.length);
      buffer.set(this.#carry);
      buffer.set(chunk, this.#carry.length);
    }
    let start = 0;
    let at = this.#scanned;
    while (at < buffer.length) {
      if (this.#inRows) {
        const closed = this.#scanRows(buffer, start, at);
        start = closed.start;
        at = closed.at;
      } else {
        at = this.#scanSkeleton(buffer, at);
        if (this.#inRows) {
          this.#keep(buffer.subarray(start, at));
          start = at;
        }
      }
    }
    if (!this.#inRows && this.#keyStart < 0) {
      this.#keep(buffer.subarray(start));
      start = buffer.length;
    } else if (!this.#inRows) {
      // An unfinished string may be a member name: keep it whole for the next chunk.
      this.#keep(buffer.subarray(start, this.#keyStart));
      start = this.#keyStart;
      this.#keyStart = 0;
    }
    // Copied: a view would pin the whole chunk, and the caller may reuse it.
    this.#carry = buffer.slice(start);
    this.#scanned = buffer.length - start;
    const longest = this.#inRows ? this.#limits.maxRowBytes : this.#limits.maxSkeletonBytes;
    if (this.#carry.length > longest) {
      throw new SplitError(
        'tooLarge',
        this.#inRows ? `one row is longer than ${longest} bytes` : `one text is longer than ${longest} bytes`,
      );
    }
  }

  /** The document without the elements, parsed. */
  end(): unknown {
    if (this.#inRows) throw new SplitError('syntax', 'the body ends inside the list of rows');
    this.#keep(this.#carry);
    return parseStrictly(decodeStrictly(Buffer.concat(this.#skeleton)), 'the body');
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#skeletonBytes += bytes.length;
    if (this.#skeletonBytes > this.#limits.maxSkeletonBytes) {
      throw new SplitError(
        'tooLarge',
        `more than ${this.#limits.maxSkeletonBytes} bytes stand outside the list of rows`,
      );
    }
    this.#skeleton.push(bytes.slice());
  }

  /** Whether the array that opens here is the one named by the path. */
  #isTarget(): boolean {
    if (this.found || this.#stack.length !== this.#path.length) return false;
    return this.#path.every((name, at) => this.#stack[at] === name);
  }

  #scanSkeleton(buffer: Uint8Array, from: number): number {
    let at = from;
    for (; at < buffer.length; at++) {
      const byte = buffer[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          this.#lastString = undefined;
          // Only names can decide where we are, and only on the way down to the rows.
          if (this.#stack.length <= this.#path.length && this.#stack.at(-1) !== null && this.#stack.length > 0) {
            const text = decodeStrictly(buffer.subarray(this.#keyStart, at + 1));
            this.#lastString = parseStrictly(text, 'a name in the body') as string;
          }
          this.#keyStart = -1;
        }
      } else if (byte === QUOTE) {
        this.#inString = true;
        this.#keyStart = at;
      } else if (byte === COLON) {
        if (this.#stack.length > 0 && this.#stack.at(-1) !== null)
          this.#stack[this.#stack.length - 1] = this.#lastString ?? '';
      } else if (byte === OPEN_OBJECT) this.#stack.push('');
      else if (byte === OPEN_ARRAY) {
        if (this.#isTarget()) {
          this.found = true;
          this.#inRows = true;
          this.#depth = 0;
          return at + 1;
        }
        this.#stack.push(null);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#stack.pop();
    }
    return at;
  }

  #scanRows(buffer: Uint8Array, start: number, from: number): { start: number; at: number } {
    let inString = this.#inString;
    let escaped = this.#escaped;
    let depth = this.#depth;
    let separator = -1;
    let at = from;
    for (; at < buffer.length; at++) {
      const byte = buffer[at] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === COMMA) {
        if (depth === 0) separator = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) {
          this.#inRows = false;
          if (byte === CLOSE_OBJECT) throw new SplitError('syntax', 'the list of rows is closed by }');
          this.#emit(buffer.subarray(start, at), true);
          this.#inString = false;
          return { start: at, at: at + 1 };
        }
        depth--;
      }
    }
    this.#inString = inString;
    this.#escaped = escaped;
    this.#depth = depth;
    if (separator < 0) return { start, at };
    this.#emit(buffer.subarray(start, separator), false);
    return { start: separator + 1, at };
  }

  #emit(bytes: Uint8Array, last: boolean): void {
    const elements = parseStrictly(`[${decodeStrictly(bytes)}]`, 'a row of the body') as unknown[];
    if (elements.length === 0 && !(last && this.#batches === 0))
      throw new SplitError('syntax', 'a comma in the list of rows has no row beside it');
    this.#batches++;
    if (elements.length > 0) this.#onElements(elements);
  }
}
