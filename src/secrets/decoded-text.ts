/** Decodes the escapes of one encoding; each position of the result maps to an interval of the original. */
import type { EscapeSequence, TextEncoding } from './encodings.ts';
import { requiresDecoding } from './escape-filter.ts';
import type { Break, Match } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** How many bytes are searched, and copied, in JavaScript before a native call is faster. */
const SEARCH_BYTES = 128;
const COPY_BYTES = 24;

const introducersOf = new Map<TextEncoding, readonly (number | Buffer)[]>();

/** Introducers in the form that is fastest to search. */
function introducerBytes(encoding: TextEncoding): readonly (number | Buffer)[] {
  const known = introducersOf.get(encoding);
  if (known) return known;
  const created = encoding.introducers.map((each) => (each.length === 1 ? each.charCodeAt(0) : Buffer.from(each)));
  introducersOf.set(encoding, created);
  return created;
}

function nextOf(bytes: Buffer, introducer: number | Buffer, from: number): number {
  let at = from;
  if (typeof introducer === 'number') {
    const near = Math.min(bytes.length, from + SEARCH_BYTES);
    while (at < near && bytes[at] !== introducer) at++;
    if (at < near) return at;
  }
  const found = at < bytes.length ? bytes.indexOf(introducer, at) : -1;
  return found < 0 ? bytes.length : found;
}

/** Calls `visit` for every escape, in order, until it returns false. */
function eachEscape(
  bytes: Buffer,
  encoding: TextEncoding,
  visit: (at: number, sequence: EscapeSequence) => boolean,
): void {
  const introducers = introducerBytes(encoding);
  const next = introducers.map((each) => nextOf(bytes, each, 0));
  const sequence: EscapeSequence = { end: 0, code: -1, isByte: false };
  for (;;) {
    let nearest = 0;
    for (let each = 1; each < next.length; each++)
      if ((next[each] as number) < (next[nearest] as number)) nearest = each;
    const at = next[nearest] as number;
    if (at >= bytes.length) return;
    const isEscape = encoding.decodeEscape(bytes, at, sequence) && sequence.end <= bytes.length;
    if (isEscape && !visit(at, sequence)) return;
    const from = isEscape ? sequence.end : at + 1;
    for (let each = 0; each < next.length; each++)
      if ((next[each] as number) < from) next[each] = nextOf(bytes, introducers[each] as number | Buffer, from);
  }
}

/** Whether bytes contain an escape that may hide one of the needles. */
export function holdsEscape(bytes: Buffer, encoding: TextEncoding, needles: MultiSearch<unknown>): boolean {
  const { requiredByte, requiredTexts, mayContain, isRelevant } = encoding;
  if (requiredByte !== undefined && !needles.holds(requiredByte)) return false;
  // A byte is found several times faster than a text.
  const mayHold = (text: string): boolean => bytes.includes(text.charCodeAt(0)) && bytes.includes(text);
  if (requiredTexts?.some(mayHold) === false || mayContain?.(bytes) === false) return false;
  let holds = false;
  eachEscape(bytes, encoding, (at, sequence) => {
    holds = (isRelevant?.(sequence) ?? true) && requiresDecoding(bytes, at, sequence, needles);
    return !holds;
  });
  return holds;
}

/** Writes a code point as UTF-8, or a byte. @returns the position after it */
function writeCode(out: Buffer, at: number, { code, isByte }: EscapeSequence): number {
  if (code < 0) return at;
  if (code < 0x80 || isByte) {
    out[at] = code;
    return at + 1;
  }
  return at + out.write(String.fromCodePoint(code), at);
}

/** Decoded bytes, and their positions in the original. */
export class DecodedText {
  readonly bytes: Buffer;
  readonly #keepsLength: boolean;
  /** By escape: its start and end in the original, and the start and end of its decoded bytes here. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #at: number[] = [];
  readonly #end: number[] = [];

  private constructor(original: Buffer, encoding: TextEncoding) {
    this.#keepsLength = encoding.keepsLength ?? false;
    const out = Buffer.allocUnsafe(original.length);
    let [read, written] = [0, 0];
    const copy = (until: number): void => {
      if (until - read > COPY_BYTES) out.set(original.subarray(read, until), written);
      else for (let at = read; at < until; at++) out[written + at - read] = original[at] as number;
      written += until - read;
    };
    eachEscape(original, encoding, (at, sequence) => {
      copy(at);
      this.#from.push(at);
      this.#at.push(written);
      written = writeCode(out, written, sequence);
      this.#end.push(written);
      read = sequence.end;
      this.#to.push(read);
      return true;
    });
    copy(original.length);
    this.bytes = out.subarray(0, written);
  }

  /** Decodes bytes; undefined where no escape may hide a needle. */
  static of(original: Buffer, encoding: TextEncoding, needles: MultiSearch<unknown>): DecodedText | undefined {
    return holdsEscape(original, encoding, needles) ? new DecodedText(original, encoding) : undefined;
  }

  /** The last escape that begins at a position or before. */
  #lastEscapeAt(place: number): number {
    let [low, high] = [0, this.#at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#at[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The position in the original of a byte here; with `isEnd`, the position after it. */
  #original(place: number, isEnd: boolean): number {
    const sequence = this.#lastEscapeAt(isEnd ? place - 1 : place);
    if (sequence < 0) return place;
    const end = this.#end[sequence] as number;
    if (isEnd ? place <= end : place < end) return (isEnd ? this.#to : this.#from)[sequence] as number;
    return (this.#to[sequence] as number) + place - end;
  }

  /** Whether any of the bytes from `start` to `end` comes from an escape. */
  holdsEscape(start: number, end: number): boolean {
    const last = this.#lastEscapeAt(end - 1);
    return last >= 0 && (this.#end[last] as number) > start;
  }

  /** Maps matches here to matches of the original. */
  mapToOriginal<T>(matches: readonly Match<T>[]): Match<T>[] {
    return matches.map((match) => {
      const { start, end, encodePlaceholder } = match;
      const last = this.#lastEscapeAt(end);
      const breaks: Break[] = match.breaks.map((each) => ({
        ...each,
        start: this.#original(each.start, false),
        end: this.#original(each.end, true),
      }));
      let isWrapped = false;
      for (let sequence = last; sequence >= 0 && (this.#at[sequence] as number) > start; sequence--) {
        const at = this.#at[sequence] as number;
        if (at >= end || (this.#end[sequence] as number) > at) continue;
        isWrapped = true;
        breaks.push({ after: at - start, start: this.#from[sequence] as number, end: this.#to[sequence] as number });
      }
      const lifted = {
        ...match,
        form: match.form === 'raw' ? 'escaped' : match.form,
        start: this.#original(start, false),
        end: this.#original(end, true),
        breaks: breaks.sort((a, b) => a.after - b.after),
      };
      if (!isWrapped || !this.#keepsLength) return lifted;
      const more = paddingTo(end - start, encodePlaceholder);
      return { ...lifted, encodePlaceholder: (padding = 0) => encodePlaceholder(more + padding) };
    });
  }
}

/** How often to pad a placeholder to the length of the text it replaces; 0 where no padding fits. */
function paddingTo(length: number, encodePlaceholder: Match['encodePlaceholder']): number {
  const least = encodePlaceholder(0).length;
  const unit = encodePlaceholder(1).length - least;
  const more = unit > 0 ? (length - least) / unit : 0;
  return more > 0 && Number.isInteger(more) ? more : 0;
}
