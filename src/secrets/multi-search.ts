/** Searches many byte strings at once, in one pass with a fixed stride, so that long bodies are fast. */

/** How many first bytes of a needle are indexed. */
const HEAD = 3;
/** The maximum number of first bytes of needles that are used for the stride, if all are so long. */
const MAX_WINDOW = 16;

/**
 * What must not be adjacent to a match: `word`: letters and digits, because `JOB-0001` does not occur in `JOB-00012`;
 * `digits`: digits, because 1234 does not occur in a UPC.
 */
export type Bounds = 'none' | 'word' | 'digits';

interface Needle<T> {
  /** The value of a match. */
  readonly value: T;
  readonly bounds: Bounds;
}

/** Needles of one length by their bytes as Latin-1. Tokens of one service have equal beginnings, so there may be many. */
interface NeedlesOfLength<T> {
  readonly length: number;
  readonly needles: Map<string, Needle<T>>;
}

export interface SearchMatch<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isWord = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

function isBoundary(bounds: Bounds, byte: number | undefined): boolean {
  if (bounds === 'none' || byte === undefined) return true;
  return bounds === 'word' ? !isWord(byte) : !isDigit(byte);
}

const fold = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/**
 * The next position where a needle may begin, by its pairs of bytes; -1: there is none. One pair of each needle is on a
 * multiple of the stride; a fixed stride is faster than jumps that depend on the bytes.
 */
function beginning(places: Uint16Array, stride: number, bytes: Uint8Array, from: number, until: number): number {
  const last = Math.min(until - 1, bytes.length - HEAD);
  const end = last + HEAD - 2;
  for (let next = from + stride - 1; next - stride < last; next += stride) {
    // Nearly all bytes are passed here.
    while (next < end && places[((bytes[next] as number) << 8) | (bytes[next + 1] as number)] === 0) next += stride;
    const at = Math.min(next, end);
    let mask = places[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number;
    // The highest bit is the first possible beginning.
    while (mask !== 0) {
      const place = 31 - Math.clz32(mask);
      mask ^= 1 << place;
      const start = at - place;
      if (start < from || start > last) continue;
      const first = places[((bytes[start] as number) << 8) | (bytes[start + 1] as number)] as number;
      const second = places[((bytes[start + 1] as number) << 8) | (bytes[start + 2] as number)] as number;
      if ((first & (second >> 1) & 1) === 0) continue;
      const third = places[((bytes[start + 2] as number) << 8) | (bytes[start + 3] as number)] as number;
      if (stride < HEAD || ((third >> 2) & 1) === 1) return start;
    }
  }
  return -1;
}

/**
 * A growing set of byte strings, each at least 3 bytes long.
 * @example new MultiSearch<string>().add(Buffer.from('abcd'), 'x').find(Buffer.from('.abcd'), 0, 5) // { start: 1, … }
 */
export class MultiSearch<T> {
  /** By two bytes, their possible positions in the window of a needle: one bit each. */
  readonly #places = new Uint16Array(1 << 16);
  #window = MAX_WINDOW;
  /** By the first bytes, the longest needles first. */
  readonly #byHead = new Map<number, NeedlesOfLength<T>[]>();
  readonly #folding: boolean;
  readonly #bytes = new Uint8Array(256);
  /** Bytes of text: printable ASCII, and bytes of needles. */
  readonly textBytes: Uint8Array = new Uint8Array(256).fill(1, 0x20, 0x7f);
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;
  #count = 0;

  /** @param folding whether ASCII letters match in either case; needles are then in lower case */
  constructor(folding = false) {
    this.#folding = folding;
    for (const each of '\t\r\n') this.textBytes[each.charCodeAt(0)] = 1;
  }

  /** The number of needles. */
  get size(): number {
    return this.#count;
  }

  /** Whether a byte is part of any needle. */
  holds(byte: number): boolean {
    return this.#bytes[byte] === 1;
  }

  /** The length of the shortest needle, in bytes. */
  get shortest(): number {
    return this.#shortest;
  }

  /** The length of the longest needle, in bytes. */
  get longest(): number {
    return this.#longest;
  }

  /** Adds a needle; ignores one that is shorter than 3 bytes or already present. */
  add(bytes: Buffer, value: T, bounds: Bounds = 'none'): this {
    if (bytes.length < HEAD) return this;
    const head = bytes.readUIntBE(0, HEAD);
    const lengths = this.#byHead.get(head) ?? [];
    this.#byHead.set(head, lengths);
    let same = lengths.find(({ length }) => length === bytes.length);
    if (!same) {
      same = { length: bytes.length, needles: new Map() };
      lengths.push(same);
      lengths.sort((x, y) => y.length - x.length);
    }
    const text = bytes.toString('latin1');
    if (same.needles.has(text)) return this;
    same.needles.set(text, { value, bounds });
    for (const byte of bytes) this.#bytes[byte] = this.textBytes[byte] = 1;
    this.#shortest = Math.min(this.#shortest, bytes.length);
    this.#longest = Math.max(this.#longest, bytes.length);
    this.#count++;
    if (bytes.length >= this.#window) this.#index(bytes);
    else {
      this.#window = bytes.length;
      this.#places.fill(0);
      for (const lengths of this.#byHead.values())
        for (const { needles } of lengths) for (const text of needles.keys()) this.#index(Buffer.from(text, 'latin1'));
    }
    return this;
  }

  #index(bytes: Buffer): void {
    for (let at = 1; at < this.#window; at++) this.#mark(bytes[at - 1] as number, bytes[at] as number, 1 << (at - 1));
  }

  #mark(first: number, second: number, place: number): void {
    const cases = (byte: number): number[] =>
      this.#folding && byte >= 0x61 && byte <= 0x7a ? [byte, byte & ~0x20] : [byte];
    for (const a of cases(first))
      for (const b of cases(second)) {
        const pair = (a << 8) | b;
        this.#places[pair] = (this.#places[pair] as number) | place;
      }
  }

  /**
   * The first match that begins at `from` or later and before `until`, the longest of those that begin there. A match may
   * end after `until`; a needle that the end of the bytes truncates is not found.
   */
  find(bytes: Buffer, from: number, until: number, isBounded = true): SearchMatch<T> | undefined {
    if (this.#count === 0) return undefined;
    const stride = this.#window - 1;
    let start = beginning(this.#places, stride, bytes, from, until);
    while (start >= 0) {
      const hit = this.#at(bytes, start, isBounded);
      if (hit) return hit;
      start = beginning(this.#places, stride, bytes, start + 1, until);
    }
    return undefined;
  }

  /** All matches, without overlaps. @param isBounded whether bounds of needles hold */
  all(bytes: Buffer, isBounded = true): SearchMatch<T>[] {
    const hits: SearchMatch<T>[] = [];
    for (let at = 0; ; ) {
      const hit = this.find(bytes, at, bytes.length, isBounded);
      if (!hit) return hits;
      hits.push(hit);
      at = hit.end;
    }
  }

  #at(bytes: Buffer, start: number, isBounded: boolean): SearchMatch<T> | undefined {
    let head = 0;
    for (let at = start; at < start + HEAD; at++)
      head = ((head << 8) | (this.#folding ? fold(bytes[at] as number) : (bytes[at] as number))) >>> 0;
    for (const { length, needles } of this.#byHead.get(head) ?? []) {
      const end = start + length;
      if (end > bytes.length) continue;
      const text = bytes.toString('latin1', start, end);
      const needle = needles.get(this.#folding ? text.toLowerCase() : text);
      if (!needle) continue;
      const bounds = isBounded ? needle.bounds : 'none';
      if (isBoundary(bounds, bytes[start - 1]) && isBoundary(bounds, bytes[end]))
        return { start, end, value: needle.value };
    }
    return undefined;
  }
}
