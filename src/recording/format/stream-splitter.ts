/** Splits a streamed body at the strings that a pattern finds, also across chunk boundaries. */
import type { MultiSearch } from '../../secrets/multi-search.ts';

/** Unchanged bytes, or the number (from 0) of the capturing group that matched. */
export type BytesOrMatch = Uint8Array | number;

/** What is searched in a stream. Patterns match bytes read as Latin-1, so they find text in ASCII or a superset of it. */
export interface StreamPattern {
  /** Global, one group per alternative. */
  readonly pattern: RegExp;
  /** All strings that may be found, in lower case. A chunk may end within one of them. */
  readonly needles: readonly string[];
  /** Finds the needles, in any letter case. */
  readonly search: MultiSearch<unknown>;
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
    this.#longest = finder.search.longest + finder.lookahead;
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
    const pieces: BytesOrMatch[] = [];
    let done = 0;
    let heldBackFrom: number | undefined;
    const next = (from: number) => this.#finder.search.find(bytes, from, bytes.length)?.start;
    for (let at = next(0); at !== undefined && heldBackFrom === undefined; ) {
      const match = this.#matchAt(bytes, at);
      const end = at + (match?.[0].length ?? 1);
      if (match && !isLast && end + this.#finder.lookahead > bytes.length) heldBackFrom = at;
      else if (match) {
        if (at > done) pieces.push(bytes.subarray(done, at));
        pieces.push(groupOf(match.slice(1)));
        done = end;
      }
      at = next(end);
    }
    heldBackFrom ??= isLast ? bytes.length : this.#cutOff(bytes, done);
    if (heldBackFrom > done) pieces.push(bytes.subarray(done, heldBackFrom));
    if (heldBackFrom > 0) this.#previousCharacter = bytes.toString('latin1', heldBackFrom - 1, heldBackFrom);
    this.#heldBack = Buffer.from(bytes.subarray(heldBackFrom));
    return pieces;
  }

  /** The match of the pattern that begins at a position. */
  #matchAt(bytes: Buffer, at: number): RegExpExecArray | undefined {
    const before = at === 0 ? this.#previousCharacter : bytes.toString('latin1', at - 1, at);
    const { pattern } = this.#finder;
    pattern.lastIndex = before.length;
    const match = pattern.exec(before + bytes.toString('latin1', at, at + this.#longest));
    return match?.index === before.length ? match : undefined;
  }

  /** The offset at which a string may begin that continues in the next chunk. */
  #cutOff(bytes: Buffer, from: number): number {
    const start = Math.max(from, bytes.length - this.#longest);
    const tail = bytes.toString('latin1', start).toLowerCase();
    for (let at = 0; at < tail.length; at++) {
      const rest = tail.slice(at);
      if (this.#finder.needles.some((needle) => needle.startsWith(rest))) return start + at;
    }
    return bytes.length;
  }
}
