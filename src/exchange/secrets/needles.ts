/** Finding any of many byte strings at once, in one pass (Wu and Manber 1994), so that long bodies cost little. */

/** The first bytes of every needle, by which it is found. */
const HEAD = 4;
/** So many bytes at the beginning of needles are looked at as one, if all are as long: the more the further one jumps. */
const WIDEST = 16;

/**
 * What may not stand right before or behind a needle: letters and digits, for `JOB-0001` is no part of `JOB-00012`; or
 * digits, for 1234 is no part of a UPC.
 */
export type Bounds = 'none' | 'word' | 'digits';

interface Needle<T> {
  /** What it stands for. */
  readonly value: T;
  readonly bounds: Bounds;
}

/** Needles of one length by their bytes as Latin-1. Tokens of one service begin alike, so there may be any number of them. */
interface OfLength<T> {
  readonly length: number;
  readonly needles: Map<string, Needle<T>>;
}

export interface Hit<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isWord = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

function keeps(bounds: Bounds, byte: number | undefined): boolean {
  if (bounds === 'none' || byte === undefined) return true;
  return bounds === 'word' ? !isWord(byte) : !isDigit(byte);
}

const fold = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/**
 * A growing set of byte strings, each at least 4 bytes long.
 * @example new Needles<string>().add(Buffer.from('abcd'), 'x').find(Buffer.from('.abcd'), 0, 5) // { start: 1, … }
 */
export class Needles<T> {
  /** By two bytes at the end of those looked at: how far ahead a needle may begin at the earliest. */
  readonly #shift = new Uint8Array(1 << 16);
  #window = WIDEST;
  /** The longest first. */
  readonly #byHead = new Map<number, OfLength<T>[]>();
  readonly #folding: boolean;
  #longest = 0;
  #count = 0;

  /** @param folding whether small and capital letters of ASCII are the same; needles are then given in small letters */
  constructor(folding = false) {
    this.#folding = folding;
    this.#shift.fill(WIDEST - 1);
  }

  get size(): number {
    return this.#count;
  }

  /** Bytes of the longest needle. */
  get longest(): number {
    return this.#longest;
  }

  add(bytes: Buffer, value: T, bounds: Bounds = 'none'): this {
    if (bytes.length < HEAD) return this;
    const head = bytes.readUInt32BE(0);
    const lengths = this.#byHead.get(head) ?? [];
    this.#byHead.set(head, lengths);
    let same = lengths.find(({ length }) => length === bytes.length);
    if (!same) {
      same = { length: bytes.length, needles: new Map() };
      lengths.push(same);
      lengths.sort((x, y) => y.length - x.length);
    }
    const text = bytes.toString('latin1');
    // The first to name a string names it.
    if (same.needles.has(text)) return this;
    same.needles.set(text, { value, bounds });
    this.#longest = Math.max(this.#longest, bytes.length);
    this.#count++;
    if (bytes.length >= this.#window) this.#enter(bytes);
    else {
      this.#window = bytes.length;
      this.#shift.fill(bytes.length - 1);
      for (const lengths of this.#byHead.values())
        for (const { needles } of lengths) for (const text of needles.keys()) this.#enter(Buffer.from(text, 'latin1'));
    }
    return this;
  }

  #enter(bytes: Buffer): void {
    for (let at = 1; at < this.#window; at++)
      this.#lower(bytes[at - 1] as number, bytes[at] as number, this.#window - 1 - at);
  }

  #lower(first: number, second: number, shift: number): void {
    const cases = (byte: number): number[] =>
      this.#folding && byte >= 0x61 && byte <= 0x7a ? [byte, byte & ~0x20] : [byte];
    for (const a of cases(first))
      for (const b of cases(second)) {
        const block = (a << 8) | b;
        this.#shift[block] = Math.min(this.#shift[block] as number, shift);
      }
  }

  /**
   * The first hit that begins at `from` or later and before `until`, the longest of those that begin there. The bytes
   * may go on behind `until`; a needle they cut off is not found.
   */
  find(bytes: Buffer, from: number, until: number): Hit<T> | undefined {
    if (this.#count === 0) return undefined;
    const shift = this.#shift;
    const last = this.#window - 1;
    const end = Math.min(until + last, bytes.length);
    let at = from + last;
    while (at < end) {
      const jump = shift[((bytes[at - 1] as number) << 8) | (bytes[at] as number)] as number;
      if (jump > 0) {
        at += jump;
        continue;
      }
      const start = at - last;
      const hit = this.#at(bytes, start);
      if (hit) return hit;
      at++;
    }
    return undefined;
  }

  #at(bytes: Buffer, start: number): Hit<T> | undefined {
    let head = 0;
    for (let at = start; at < start + HEAD; at++)
      head = ((head << 8) | (this.#folding ? fold(bytes[at] as number) : (bytes[at] as number))) >>> 0;
    for (const { length, needles } of this.#byHead.get(head) ?? []) {
      const end = start + length;
      if (end > bytes.length) continue;
      const text = bytes.toString('latin1', start, end);
      const needle = needles.get(this.#folding ? text.toLowerCase() : text);
      if (needle && keeps(needle.bounds, bytes[start - 1]) && keeps(needle.bounds, bytes[end]))
        return { start, end, value: needle.value };
    }
    return undefined;
  }
}
