/** Splits a streamed body at the strings that a pattern finds, also across chunk boundaries. */

/** Unchanged bytes, or the number (from 0) of the capturing group that matched. */
export type BytesOrMatch = Uint8Array | number;

/** What is searched in a stream. Patterns match bytes read as Latin-1, so they find text in ASCII or a superset of it. */
export interface StreamPattern {
  /** Global, one group per alternative. */
  readonly pattern: RegExp;
  /** All strings that may be found, in lower case. A chunk may end within one of them. */
  readonly needles: readonly string[];
  /** How many characters after a match are needed to confirm it. */
  readonly lookahead: number;
}

/** Escapes text for a regular expression. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The index of the matching group, from 0. */
export const groupOf = (groups: readonly unknown[]): number => groups.findIndex((each) => each !== undefined);

/**
 * Splits a body at the strings found in it. Holds back only the beginning of a possible match at the end of a chunk, so that a slow body is forwarded without delay, and never copies a chunk without a match.
 */
export class OriginSplitter {
  readonly #finder: StreamPattern;
  readonly #longest: number;
  #heldBack: Buffer = Buffer.alloc(0);
  /** The character before the held bytes, for patterns with lookbehind. */
  #previousCharacter = '';

  constructor(finder: StreamPattern) {
    this.#finder = finder;
    this.#longest = Math.max(0, ...finder.needles.map((each) => each.length)) + finder.lookahead;
  }

  push(chunk: Uint8Array): BytesOrMatch[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#cut(this.#heldBack.length === 0 ? bytes : Buffer.concat([this.#heldBack, bytes]), false);
  }

  /** The bytes that were held back. */
  end(): BytesOrMatch[] {
    return this.#cut(this.#heldBack, true);
  }

  #cut(bytes: Buffer, isLast: boolean): BytesOrMatch[] {
    const contextLength = this.#previousCharacter.length;
    const text = this.#previousCharacter + bytes.toString('latin1');
    const { pattern, lookahead } = this.#finder;
    const pieces: BytesOrMatch[] = [];
    let done = contextLength;
    let heldBackFrom: number | undefined;
    pattern.lastIndex = contextLength;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const end = match.index + match[0].length;
      if (!isLast && end + lookahead > text.length) {
        heldBackFrom = match.index;
        break;
      }
      if (match.index > done) pieces.push(bytes.subarray(done - contextLength, match.index - contextLength));
      pieces.push(groupOf(match.slice(1)));
      done = end;
    }
    heldBackFrom ??= isLast ? text.length : this.#cutOff(text, done);
    if (heldBackFrom > done) pieces.push(bytes.subarray(done - contextLength, heldBackFrom - contextLength));
    if (heldBackFrom > 0) this.#previousCharacter = text[heldBackFrom - 1] as string;
    this.#heldBack = Buffer.from(bytes.subarray(heldBackFrom - contextLength));
    return pieces;
  }

  /** The offset at which a string may begin that continues in the next chunk. */
  #cutOff(text: string, from: number): number {
    const start = Math.max(from, text.length - this.#longest);
    const tail = text.slice(start).toLowerCase();
    for (let at = 0; at < tail.length; at++) {
      const rest = tail.slice(at);
      if (this.#finder.needles.some((needle) => needle.startsWith(rest))) return start + at;
    }
    return text.length;
  }
}
