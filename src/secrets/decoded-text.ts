/** Decodes the escapes of one encoding; each position of the result maps to an interval of the original. */
import type { EscapeSequence, TextEncoding } from './encodings.ts';
import type { Break, Match } from './match.ts';
import type { MultiSearch } from './multi-search.ts';

/** How many bytes are copied in JavaScript before a native call is faster. */
const COPY_BYTES = 24;

/** The next position of a byte; the length of the bytes: there is none. */
function nextOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

/** Calls `visit` for every escape, in order, until it returns false. */
function eachEscape(
  bytes: Buffer,
  { introducers, decodeEscape }: TextEncoding,
  visit: (at: number, sequence: EscapeSequence) => boolean,
): void {
  const next = introducers.map((each) => nextOf(bytes, each, 0));
  const sequence: EscapeSequence = { end: 0, code: -1, isByte: false };
  for (let at = Math.min(...next); at < bytes.length; ) {
    const isEscape = decodeEscape(bytes, at, sequence) && sequence.end <= bytes.length;
    if (isEscape && !visit(at, sequence)) return;
    const from = isEscape ? sequence.end : at + 1;
    at = bytes.length;
    for (let each = 0; each < next.length; each++) {
      if ((next[each] as number) < from) next[each] = nextOf(bytes, introducers[each] as number, from);
      at = Math.min(at, next[each] as number);
    }
  }
}

/** Whether bytes contain an escape that may hide one of the needles. */
export function holdsEscape(bytes: Buffer, encoding: TextEncoding, needles: MultiSearch<unknown>): boolean {
  const { requiredByte, requiredTexts } = encoding;
  if (requiredByte !== undefined && !needles.holds(requiredByte)) return false;
  // A byte is found several times faster than a text.
  const mayHold = (text: string): boolean => bytes.includes(text.charCodeAt(0)) && bytes.includes(text);
  if (requiredTexts?.some(mayHold) === false) return false;
  let holds = false;
  eachEscape(bytes, encoding, () => {
    holds = true;
    return false;
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

/** An escape: its start and end in the original, and the start and end of its decoded bytes. */
interface DecodedEscape {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly end: number;
}

/** Decoded bytes, and their positions in the original. */
export class DecodedText {
  readonly bytes: Buffer;
  readonly #keepsLength: boolean;
  readonly #escapes: DecodedEscape[] = [];

  private constructor(original: Buffer, encoding: TextEncoding) {
    this.#keepsLength = encoding.keepsLength ?? false;
    const out = Buffer.allocUnsafe(original.length);
    let [read, written] = [0, 0];
    const copy = (until: number): void => {
      if (until - read > COPY_BYTES) out.set(original.subarray(read, until), written);
      else for (let at = read; at < until; at++) out[written + at - read] = original[at] as number;
      written += until - read;
    };
    eachEscape(original, encoding, (from, sequence) => {
      copy(from);
      const at = written;
      written = writeCode(out, written, sequence);
      read = sequence.end;
      this.#escapes.push({ from, to: read, at, end: written });
      return true;
    });
    copy(original.length);
    this.bytes = out.subarray(0, written);
  }

  /** Decodes bytes; undefined where no escape may hide a needle. */
  static of(original: Buffer, encoding: TextEncoding, needles: MultiSearch<unknown>): DecodedText | undefined {
    return holdsEscape(original, encoding, needles) ? new DecodedText(original, encoding) : undefined;
  }

  /** The index of the last escape that begins at a position or before. */
  #lastEscapeAt(place: number): number {
    let [low, high] = [0, this.#escapes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#escapes[middle] as DecodedEscape).at <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The position in the original of a byte here; with `isEnd`, the position after it. */
  #original(place: number, isEnd: boolean): number {
    const found = this.#escapes[this.#lastEscapeAt(isEnd ? place - 1 : place)];
    if (!found) return place;
    if (isEnd ? place <= found.end : place < found.end) return isEnd ? found.to : found.from;
    return found.to + place - found.end;
  }

  /** Whether any of the bytes from `start` to `end` comes from an escape. */
  holdsEscape(start: number, end: number): boolean {
    const last = this.#escapes[this.#lastEscapeAt(end - 1)];
    return last !== undefined && last.end > start;
  }

  /** Maps matches here to matches of the original. */
  mapToOriginal<T>(matches: readonly Match<T>[]): Match<T>[] {
    return matches.map((match) => {
      const { start, end, encodePlaceholder } = match;
      const original = (each: { readonly start: number; readonly end: number }) => ({
        start: this.#original(each.start, false),
        end: this.#original(each.end, true),
      });
      // Escapes of nothing are line breaks within the match.
      const within = this.#escapes.slice(this.#lastEscapeAt(start) + 1, this.#lastEscapeAt(end - 1) + 1);
      const wraps = within.filter((each) => each.end === each.at);
      const breaks: Break[] = [
        ...match.breaks.map((each) => ({ ...each, ...original(each) })),
        ...wraps.map(({ at, from, to }) => ({ after: at - start, start: from, end: to })),
      ];
      const lifted = {
        ...match,
        ...original(match),
        form: match.form === 'raw' ? 'escaped' : match.form,
        breaks: breaks.sort((a, b) => a.after - b.after),
      };
      if (wraps.length === 0 || !this.#keepsLength) return lifted;
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
