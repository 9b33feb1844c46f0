/** Finds words in a streamed body, also across chunk boundaries. */

/** Unchanged bytes, or the number of the group that was found (from 0). */
export type Piece = Uint8Array | number;

/** The search. Patterns match bytes read as Latin-1, so they find text in ASCII or a superset of it. */
export interface Finder {
  /** Global, one group per alternative. */
  readonly pattern: RegExp;
  /** All words that may be found, in lower case. The end of a chunk may cut them in two. */
  readonly needles: readonly string[];
  /** How many characters after a match are needed to confirm it. */
  readonly ahead: number;
}

/** Escapes text for a regular expression. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The index of the matching group, from 0. */
export const groupOf = (groups: readonly unknown[]): number => groups.findIndex((each) => each !== undefined);

/**
 * Splits a body at the words found in it; one search serves any number of replacements. Holds back only a possibly cut-off
 * word, so that a slow body is forwarded without delay, and never copies a chunk without a match.
 */
export class WordSplitter {
  readonly #finder: Finder;
  readonly #longest: number;
  #held: Buffer = Buffer.alloc(0);
  /** The character before the held bytes, for patterns with lookbehind. */
  #last = '';

  constructor(finder: Finder) {
    this.#finder = finder;
    this.#longest = Math.max(0, ...finder.needles.map((each) => each.length)) + finder.ahead;
  }

  push(chunk: Uint8Array): Piece[] {
    const given = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#cut(this.#held.length === 0 ? given : Buffer.concat([this.#held, given]), false);
  }

  /** The bytes that were held back. */
  end(): Piece[] {
    return this.#cut(this.#held, true);
  }

  #cut(bytes: Buffer, last: boolean): Piece[] {
    const lead = this.#last.length;
    const text = this.#last + bytes.toString('latin1');
    const { pattern, ahead } = this.#finder;
    const pieces: Piece[] = [];
    let done = lead;
    let hold: number | undefined;
    pattern.lastIndex = lead;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const end = match.index + match[0].length;
      if (!last && end + ahead > text.length) {
        hold = match.index;
        break;
      }
      if (match.index > done) pieces.push(bytes.subarray(done - lead, match.index - lead));
      pieces.push(groupOf(match.slice(1)));
      done = end;
    }
    hold ??= last ? text.length : this.#cutOff(text, done);
    if (hold > done) pieces.push(bytes.subarray(done - lead, hold - lead));
    if (hold > 0) this.#last = text[hold - 1] as string;
    this.#held = Buffer.from(bytes.subarray(hold - lead));
    return pieces;
  }

  /** The offset at which a word may begin that the end of the text cuts off. */
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
