/**
 * Cuts the entries out of a HAR file while its bytes arrive, so that a file of any size takes the memory of one entry.
 * Brackets, strings and the names on the way to `log.entries` are looked at; each entry is parsed by JSON.parse.
 */

/** A HAR file that cannot be read; the message is one sentence that begins with the place. */
export class HarDamageError extends Error {}

export interface FoundEntry {
  /** Counted from 0, as any HAR viewer does. */
  readonly index: number;
  /** Where it begins in the file. */
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

/** No entry is longer: text of that length is what Node can hold as one string. */
const LONGEST_ENTRY = 400 * 1024 * 1024;
/** Where the list of entries stands: in the object of `log`, in the object of the file. */
const LIST_DEPTH = 3;
/** A byte order mark of UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;

const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

export class EntrySplitter {
  /** Whether `log.entries` was met. */
  found = false;
  /** Bytes seen before the chunk at hand. */
  #before = 0;
  /** The brackets that are open, outermost first. */
  readonly #open: number[] = [];
  #inString = false;
  #escaped = false;
  /** The last string outside the entries, where it may be a name on the way. */
  #name: number[] | undefined;
  /** Whether the way so far is that to the entries, by depth. */
  readonly #isOnTheWay = [false, false, false];
  #inEntries = false;
  #count = 0;
  /** The entry being read: where it began, and what of it earlier chunks held. */
  #begins = -1;
  #parts: Uint8Array[] = [];
  #held = 0;

  /** The entries that end in this chunk. Throws HarDamage. */
  push(chunk: Uint8Array): FoundEntry[] {
    const ended: FoundEntry[] = [];
    /** Where in the chunk the part of the entry begins that is not held yet. */
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          continue;
        } else if (this.#name === undefined) {
          // Most of a file is text: on to the next byte that counts.
          while (at + 1 < chunk.length && chunk[at + 1] !== QUOTE && chunk[at + 1] !== BACKSLASH) at++;
        }
        if (this.#name && this.#name.length < 16) this.#name.push(byte);
        continue;
      }
      if (isBlank(byte) || (this.#before + at < MARK.length && byte === MARK[this.#before + at])) continue;
      const depth = this.#open.length;
      switch (byte) {
        case QUOTE:
          this.#inString = true;
          this.#name = !this.#inEntries && depth < LIST_DEPTH ? [] : undefined;
          break;
        case COLON:
          if (!this.#inEntries && depth > 0 && depth < LIST_DEPTH) {
            const wanted = depth === 1 ? 'log' : 'entries';
            this.#isOnTheWay[depth] = String.fromCharCode(...(this.#name ?? [])) === wanted;
          }
          break;
        case COMMA:
          if (!this.#inEntries && depth < LIST_DEPTH) this.#isOnTheWay[depth] = false;
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (depth === 0 && byte === OPEN_LIST)
            throw new HarDamageError(`byte ${this.#before + at}: a list stands where a HAR begins with an object`);
          if (!this.#inEntries && depth === 2 && byte === OPEN_LIST && this.#isOnTheWay[1] && this.#isOnTheWay[2]) {
            this.#inEntries = true;
            this.found = true;
          } else if (this.#inEntries && depth === LIST_DEPTH) {
            this.#begins = this.#before + at;
            from = at;
          }
          this.#open.push(byte);
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST: {
          const opened = this.#open.pop();
          if (opened !== (byte === CLOSE_OBJECT ? OPEN_OBJECT : OPEN_LIST))
            throw new HarDamageError(
              `byte ${this.#before + at}: a ${String.fromCharCode(byte)} closes what was not opened${this.#where()}`,
            );
          if (!this.#inEntries) break;
          if (depth === LIST_DEPTH) this.#inEntries = false;
          else if (depth === LIST_DEPTH + 1) {
            this.#hold(chunk.subarray(from, at + 1));
            ended.push(this.#take());
          }
          break;
        }
        default:
          if (depth === 0)
            throw new HarDamageError(
              `byte ${this.#before + at}: ${JSON.stringify(String.fromCharCode(byte))} stands where a HAR begins with {`,
            );
          if (this.#inEntries && depth === LIST_DEPTH)
            throw new HarDamageError(`byte ${this.#before + at}: entry ${this.#count} is no object`);
      }
    }
    if (this.#begins >= 0) this.#hold(chunk.subarray(from));
    this.#before += chunk.length;
    return ended;
  }

  /** Throws HarDamage where the file broke off, or was no HAR. */
  end(): void {
    if (this.#before === 0) throw new HarDamageError('it is empty');
    if (this.#open.length > 0 || this.#inString)
      throw new HarDamageError(`byte ${this.#before}: the file breaks off${this.#where()}`);
    if (!this.found) throw new HarDamageError('it holds no log.entries');
  }

  #where(): string {
    if (this.#begins >= 0) return ` within entry ${this.#count}, which begins at byte ${this.#begins}`;
    return this.#inEntries ? ` behind entry ${this.#count - 1}` : '';
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    if (this.#held > LONGEST_ENTRY)
      throw new HarDamageError(`byte ${this.#begins}: entry ${this.#count} is longer than ${LONGEST_ENTRY} bytes`);
    this.#parts.push(Buffer.from(part));
  }

  #take(): FoundEntry {
    const [index, byte] = [this.#count, this.#begins];
    const text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#held = 0;
    this.#begins = -1;
    this.#count++;
    try {
      return { index, byte, value: JSON.parse(text) };
    } catch (error) {
      throw new HarDamageError(
        `entry ${index}, which begins at byte ${byte}, is no JSON (${(error as Error).message})`,
      );
    }
  }
}
