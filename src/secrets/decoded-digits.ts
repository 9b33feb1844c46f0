/** Texts decoded from digits, of base64 or hex, and the digits of secrets in them. */
import { type Match, replacementFor, withoutOverlaps } from './match.ts';

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Runs of at least so many digits. Bytes before a byte that is not a digit are skipped if they are too few for a run. */
export function runsOf(bytes: Buffer, minLength: number, isDigit: Uint8Array): Interval[] {
  const runs: Interval[] = [];
  let start = 0;
  while (start + minLength <= bytes.length) {
    let end = start + minLength;
    let other = end - 1;
    while (other >= start && isDigit[bytes[other] as number] === 1) other--;
    if (other >= start) {
      start = other + 1;
      continue;
    }
    while (end < bytes.length && isDigit[bytes[end] as number] === 1) end++;
    runs.push({ start, end });
    start = end + 1;
  }
  return runs;
}

/** How texts are written in digits. @template T where the digits of a text are, and the length of the text in bytes */
export interface DigitEncoding<T extends { readonly length: number }> {
  readonly name: string;
  /** How many bytes are encoded together. */
  readonly groupSize: number;
  /** Writes the bytes of a text. */
  readonly decode: (original: Buffer, text: T, into: Buffer, at: number) => void;
  /** Returns where the original encodes some bytes of a text, which begin and end with a group. */
  readonly locate: (original: Buffer, text: T) => (from: number, until: number) => Interval;
  /** Encodes a replacement in the manner of the digits that it replaces. */
  readonly encode: (text: Buffer, replaced: string) => string;
}

/** How much padding is tried. Line breaks stay, so that lengths do not grow evenly. */
const MAX_PADDING = 8;

/** The texts that one way to read digits decodes. */
export class DecodedDigits<T extends { readonly length: number }> {
  readonly #original: Buffer;
  readonly #encoding: DigitEncoding<T>;
  readonly #texts: readonly T[];

  constructor(original: Buffer, encoding: DigitEncoding<T>, texts: readonly T[]) {
    this.#original = original;
    this.#encoding = encoding;
    this.#texts = texts;
  }

  /** The digits of the secrets that a search finds in the texts. */
  find<S>(search: (bytes: Buffer) => Match<S>[]): Match<S>[] {
    // Searching all texts together, with a byte between them, is fast.
    const bytes = Buffer.alloc(this.#texts.reduce((sum, { length }) => sum + length + 1, 0));
    let at = 0;
    for (const text of this.#texts) {
      this.#encoding.decode(this.#original, text, bytes, at);
      at += text.length + 1;
    }
    const matches = search(bytes).sort((a, b) => a.start - b.start);
    let [end, next, matchedUntil] = [-1, 0, 0];
    return this.#texts.flatMap((text) => {
      const start = end + 1;
      end = start + text.length;
      for (let match = matches[next]; match && match.start < end; match = matches[++next])
        matchedUntil = Math.max(matchedUntil, match.end);
      if (matchedUntil <= start) return [];
      // A match that begins in the text before covers matches in this one.
      const alone = bytes.subarray(start, end);
      return this.#mapToOriginal(text, alone, search(alone));
    });
  }

  /** Maps the matches in a text. Those that share a group of digits become one. */
  #mapToOriginal<S>(text: T, bytes: Buffer, matches: readonly Match<S>[]): Match<S>[] {
    const { groupSize } = this.#encoding;
    const placeOf = this.#encoding.locate(this.#original, text);
    const groupStart = (place: number): number => place - (place % groupSize);
    const groupEnd = (place: number): number => Math.min(text.length, groupStart(place + groupSize - 1));
    const groups: Match<S>[][] = [];
    for (const match of withoutOverlaps(matches)) {
      const before = groups.at(-1);
      if (before && match.start < groupEnd((before.at(-1) as Match).end)) before.push(match);
      else groups.push([match]);
    }
    return groups.map((group) => {
      const [first, last] = [group[0] as Match<S>, group.at(-1) as Match<S>];
      const [from, until] = [groupStart(first.start), groupEnd(last.end)];
      const place = placeOf(from, until);
      const replaced = this.#original.toString('latin1', place.start, place.end);
      const encodePlaceholder = (padding = 0): Buffer => {
        const parts: Buffer[] = [];
        let at = from;
        for (const match of group) {
          parts.push(bytes.subarray(at, match.start), this.#aligned(match, bytes, match === first ? padding : 0));
          at = match.end;
        }
        parts.push(bytes.subarray(at, until));
        return Buffer.from(this.#encoding.encode(Buffer.concat(parts), replaced), 'latin1');
      };
      return { ...place, secret: first.secret, form: this.#encoding.name, breaks: [], encodePlaceholder };
    });
  }

  /** A replacement that keeps the following bytes in their groups of digits. @param padding how many fitting lengths to skip */
  #aligned(match: Match, bytes: Buffer, padding: number): Buffer {
    const { groupSize } = this.#encoding;
    const length = match.end - match.start;
    let found = replacementFor(match, bytes, groupSize === 1 ? padding : 0);
    for (let [more, fitting] = [0, -1]; groupSize > 1 && more <= groupSize * padding + MAX_PADDING; more++) {
      const text = replacementFor(match, bytes, more);
      if ((text.length - length) % groupSize !== 0) continue;
      found = text;
      if (++fitting === padding) break;
    }
    return found;
  }
}
