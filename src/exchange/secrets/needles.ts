/** Finding any of many byte strings at once, in one pass (Wu and Manber 1994), so that long bodies cost little. */

/** The first bytes of every needle, by which it is found. */
const HEAD = 4;

/**
 * What may not stand right before or behind a needle: letters and digits, for `JOB-0001` is no part of `JOB-00012`; or
 * digits, for 1234 is no part of a UPC.
 */
export type Bounds = 'none' | 'word' | 'digits';

interface Needle<T> {
  readonly bytes: Buffer;
  /** What it stands for. */
  readonly value: T;
  readonly bounds: Bounds;
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
  /** By two bytes at the end of the 4 looked at: how far ahead a needle may begin at the earliest. */
  readonly #shift = new Uint8Array(1 << 16).fill(HEAD - 1);
  readonly #byHead = new Map<number, Needle<T>[]>();
  readonly #folding: boolean;
  #longest = 0;
  #count = 0;

  /** @param folding whether small and capital letters of ASCII are the same; needles are then given in small letters */
  constructor(folding = false) {
    this.#folding = folding;
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
    const list = this.#byHead.get(head) ?? [];
    // The first to name a string names it.
    if (list.some((each) => each.bytes.equals(bytes))) return this;
    list.push({ bytes, value, bounds });
    list.sort((a, b) => b.bytes.length - a.bytes.length);
    this.#byHead.set(head, list);
    this.#longest = Math.max(this.#longest, bytes.length);
    this.#count++;
    for (let at = 1; at < HEAD; at++) this.#lower(bytes[at - 1] as number, bytes[at] as number, HEAD - 1 - at);
    return this;
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
    const end = Math.min(until + HEAD - 1, bytes.length);
    let at = from + HEAD - 1;
    while (at < end) {
      const jump = shift[((bytes[at - 1] as number) << 8) | (bytes[at] as number)] as number;
      if (jump > 0) {
        at += jump;
        continue;
      }
      const start = at - (HEAD - 1);
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
    const list = this.#byHead.get(head);
    const needle = list?.find((each) => this.#stands(bytes, start, each));
    return needle && { start, end: start + needle.bytes.length, value: needle.value };
  }

  #stands(bytes: Buffer, start: number, { bytes: sought, bounds }: Needle<T>): boolean {
    const end = start + sought.length;
    if (end > bytes.length) return false;
    for (let at = HEAD; at < sought.length; at++) {
      const byte = bytes[start + at] as number;
      if ((this.#folding ? fold(byte) : byte) !== sought[at]) return false;
    }
    return keeps(bounds, bytes[start - 1]) && keeps(bounds, bytes[end]);
  }
}
