/**
 * Splits a streamed HAR file into its entries, so that a file of any size needs the memory of one entry. The scanner tracks
 * brackets, strings and the member names of the path `log.entries`; JSON.parse parses each entry.
 */

/** A HAR file that cannot be read; the message is one sentence that begins with the position. */
export class HarDamageError extends Error {}

export interface FoundEntry {
  /** From 0, as in HAR viewers. */
  readonly index: number;
  /** The offset of the entry in the file. */
  readonly byte: number;
  readonly value: unknown;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The maximum length of an entry: Node cannot hold a much longer string. */
const MAX_ENTRY_BYTES = 400 * 1024 * 1024;
/** The depth of the entries: in the list, in the object `log`, in the root object. */
const LIST_DEPTH = 3;
/** A byte order mark of UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

export class EntrySplitter {
  /** Whether `log.entries` was found. */
  found = false;
  /** The number of bytes before the current chunk. */
  #chunkOffset = 0;
  /** The open brackets, outermost first. */
  readonly #open: number[] = [];
  #inString = false;
  #escaped = false;
  /** The last string outside the entries, if it may be a member name of the path. */
  #name: number[] | undefined;
  /** Whether the member at each depth is on the path to the entries. */
  readonly #isOnPath = [false, false, false];
  #inEntries = false;
  #count = 0;
  /** The current entry: its offset, and its parts from earlier chunks. */
  #entryStart = -1;
  #parts: Uint8Array[] = [];
  #bufferedBytes = 0;

  /** The entries that end in this chunk. Throws HarDamageError. */
  push(chunk: Uint8Array): FoundEntry[] {
    const ended: FoundEntry[] = [];
    /** The offset in the chunk of the part of the entry that is not buffered yet. */
    let partStart = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          continue;
        } else if (this.#name === undefined) {
          // Most of a file is text: skip to the next quote or backslash.
          while (at + 1 < chunk.length && chunk[at + 1] !== QUOTE && chunk[at + 1] !== BACKSLASH) at++;
        }
        if (this.#name && this.#name.length < 16) this.#name.push(byte);
        continue;
      }
      if (
        isBlank(byte) ||
        (this.#chunkOffset + at < BYTE_ORDER_MARK.length && byte === BYTE_ORDER_MARK[this.#chunkOffset + at])
      )
        continue;
      const depth = this.#open.length;
      switch (byte) {
        case QUOTE:
          this.#inString = true;
          this.#name = !this.#inEntries && depth < LIST_DEPTH ? [] : undefined;
          break;
        case COLON:
          if (!this.#inEntries && depth > 0 && depth < LIST_DEPTH) {
            const wanted = depth === 1 ? 'log' : 'entries';
            this.#isOnPath[depth] = String.fromCharCode(...(this.#name ?? [])) === wanted;
          }
          break;
        case COMMA:
          if (!this.#inEntries && depth < LIST_DEPTH) this.#isOnPath[depth] = false;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (depth === 0 && byte === OPEN_LIST)
            throw new HarDamageError(
              `byte ${this.#chunkOffset + at}: the file begins with a list, but a HAR file begins with an object`,
            );
          if (!this.#inEntries && depth === 2 && byte === OPEN_LIST && this.#isOnPath[1] && this.#isOnPath[2]) {
            this.#inEntries = true;
            this.found = true;
          } else if (this.#inEntries && depth === LIST_DEPTH) {
            this.#entryStart = this.#chunkOffset + at;
            partStart = at;
          }
          this.#open.push(byte);
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST: {
          const opened = this.#open.pop();
          if (opened !== (byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST))
            throw new HarDamageError(
              `byte ${this.#chunkOffset + at}: a ${String.fromCharCode(byte)} has no opening bracket${this.#describePosition()}`,
            );
          if (!this.#inEntries) break;
          if (depth === LIST_DEPTH) this.#inEntries = false;
          else if (depth === LIST_DEPTH + 1) {
            this.#bufferPart(chunk.subarray(partStart, at + 1));
            ended.push(this.#parseEntry());
          }
          break;
        }
        default:
          if (depth === 0)
            throw new HarDamageError(
              `byte ${this.#chunkOffset + at}: ${JSON.stringify(String.fromCharCode(byte))} is not the { that a HAR file begins with`,
            );
          if (this.#inEntries && depth === LIST_DEPTH)
            throw new HarDamageError(`byte ${this.#chunkOffset + at}: entry ${this.#count} is not an object`);
      }
    }
    if (this.#entryStart >= 0) this.#bufferPart(chunk.subarray(partStart));
    this.#chunkOffset += chunk.length;
    return ended;
  }

  /** Throws HarDamageError if the file is truncated, or is not a HAR file. */
  end(): void {
    if (this.#chunkOffset === 0) throw new HarDamageError('it is empty');
    if (this.#open.length > 0 || this.#inString)
      throw new HarDamageError(`byte ${this.#chunkOffset}: the file is truncated${this.#describePosition()}`);
    if (!this.found) throw new HarDamageError('it holds no log.entries');
  }

  #describePosition(): string {
    if (this.#entryStart >= 0) return ` in entry ${this.#count}, which begins at byte ${this.#entryStart}`;
    return this.#inEntries ? ` after entry ${this.#count - 1}` : '';
  }

  #bufferPart(part: Uint8Array): void {
    this.#bufferedBytes += part.length;
    if (this.#bufferedBytes > MAX_ENTRY_BYTES)
      throw new HarDamageError(
        `byte ${this.#entryStart}: entry ${this.#count} is longer than ${MAX_ENTRY_BYTES} bytes`,
      );
    this.#parts.push(Buffer.from(part));
  }

  #parseEntry(): FoundEntry {
    const [index, byte] = [this.#count, this.#entryStart];
    const text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#bufferedBytes = 0;
    this.#entryStart = -1;
    this.#count++;
    try {
      return { index, byte, value: JSON.parse(text) };
    } catch (error) {
      throw new HarDamageError(
        `entry ${index}, which begins at byte ${byte}, is not JSON (${(error as Error).message})`,
      );
    }
  }
}
