/** Finding any of many byte strings at once, in one pass of equal strides, so that long bodies cost little. */

/** The first bytes of every needle, by which it is found. */
const HEAD = 4;
/** So many bytes at the beginning of needles are looked at, if all are as long: the more the wider the strides. */
const WIDEST = 16;

/**
 * What may not stand right before or behind a needle: letters and digits, for `JOB-0001` is no part of `JOB-00012`; or
 * digits, for 1234 is no part of a UPC.
 */
export type Bounds = 'none' | 'word' | 'digits';

/** Of so many grams no list is kept: memory has its limit. */
const MOST_GRAMS = 200_000;
const slotOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> 16;

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

export interface SearchMatch<T> {
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
 * Where a needle may begin, as far as pairs of bytes tell; -1 where none does. Each needle has one of its pairs on a
 * stride: strides that depend on nothing are quicker than jumps that do.
 */
function beginning(places: Uint16Array, stride: number, bytes: Uint8Array, from: number, until: number): number {
  const last = Math.min(until - 1, bytes.length - HEAD);
  for (let at = from + stride - 1; at - stride < last; at += stride) {
    const on = Math.min(at, last + 2);
    const mask = places[((bytes[on] as number) << 8) | (bytes[on + 1] as number)] as number;
    if (mask === 0) continue;
    for (let place = stride - 1; place >= 0; place--) {
      const start = on - place;
      if (((mask >> place) & 1) === 0 || start < from || start > last) continue;
      const first = places[((bytes[start] as number) << 8) | (bytes[start + 1] as number)] as number;
      const second = places[((bytes[start + 1] as number) << 8) | (bytes[start + 2] as number)] as number;
      const third = places[((bytes[start + 2] as number) << 8) | (bytes[start + 3] as number)] as number;
      if ((first & (second >> 1) & (third >> 2) & 1) === 1) return start;
    }
  }
  return -1;
}

/**
 * A growing set of byte strings, each at least 4 bytes long.
 * @example new Needles<string>().add(Buffer.from('abcd'), 'x').find(Buffer.from('.abcd'), 0, 5) // { start: 1, … }
 */
export class MultiSearch<T> {
  /** By two bytes, the places in the window of a needle in which they may stand: a bit each. */
  readonly #places = new Uint16Array(1 << 16);
  #window = WIDEST;
  /** The longest first. */
  readonly #byHead = new Map<number, OfLength<T>[]>();
  readonly #folding: boolean;
  readonly #bytes = new Uint8Array(256);
  /** Four bytes that stand side by side in a needle: exactly, and by what tells quickly that they do not. */
  readonly #grams = new Set<number>();
  readonly #mayBeGram = new Uint8Array(1 << 16);
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;
  #count = 0;

  /** @param folding whether small and capital letters of ASCII are the same; needles are then given in small letters */
  constructor(folding = false) {
    this.#folding = folding;
  }

  get size(): number {
    return this.#count;
  }

  /** Whether a byte is part of any needle. */
  holds(byte: number): boolean {
    return this.#bytes[byte] === 1;
  }

  /** Whether these four bytes may stand side by side in a needle. */
  holdsGram(a: number, b: number, c: number, d: number): boolean {
    const gram = (a << 24) | (b << 16) | (c << 8) | d;
    return this.#mayBeGram[slotOf(gram)] === 1 && (this.#grams.size >= MOST_GRAMS || this.#grams.has(gram));
  }

  /** Bytes of the shortest needle. */
  get shortest(): number {
    return this.#shortest;
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
    for (const byte of bytes) this.#bytes[byte] = 1;
    for (let at = 0; at + HEAD <= bytes.length; at++) {
      const gram = bytes.readInt32BE(at);
      this.#mayBeGram[slotOf(gram)] = 1;
      if (this.#grams.size < MOST_GRAMS) this.#grams.add(gram);
    }
    this.#shortest = Math.min(this.#shortest, bytes.length);
    this.#longest = Math.max(this.#longest, bytes.length);
    this.#count++;
    if (bytes.length >= this.#window) this.#enter(bytes);
    else {
      this.#window = bytes.length;
      this.#places.fill(0);
      for (const lengths of this.#byHead.values())
        for (const { needles } of lengths) for (const text of needles.keys()) this.#enter(Buffer.from(text, 'latin1'));
    }
    return this;
  }

  #enter(bytes: Buffer): void {
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
   * The first hit that begins at `from` or later and before `until`, the longest of those that begin there. The bytes
   * may go on behind `until`; a needle they cut off is not found.
   */
  find(bytes: Buffer, from: number, until: number): SearchMatch<T> | undefined {
    if (this.#count === 0) return undefined;
    const stride = this.#window - 1;
    let start = beginning(this.#places, stride, bytes, from, until);
    while (start >= 0) {
      const hit = this.#at(bytes, start);
      if (hit) return hit;
      start = beginning(this.#places, stride, bytes, start + 1, until);
    }
    return undefined;
  }

  /** All hits, none over another. */
  all(bytes: Buffer): SearchMatch<T>[] {
    const hits: SearchMatch<T>[] = [];
    for (let at = 0; ; ) {
      const hit = this.find(bytes, at, bytes.length);
      if (!hit) return hits;
      hits.push(hit);
      at = hit.end;
    }
  }

  #at(bytes: Buffer, start: number): SearchMatch<T> | undefined {
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
