/** The head of an answer on its way to undici’s parser, with two habits of real servers allowed for. */

/** Longer lines go to the parser as they are. */
const LONGEST_LINE = 16 * 1024;
const LENGTH = 'content-length';
const LENGTH_LINE = /^(content-length[ \t]*:)[ \t]*([\d, \t]*?)[ \t]*\r?\n$/i;

/** A head that announces two lengths; its body has no known end (RFC 9112, 6.3). */
export class AmbiguousLength extends Error {
  readonly code = 'ERR_AMBIGUOUS_LENGTH';
  constructor() {
    super('the answer has Content-Length headers that differ');
  }
}

/**
 * Reads a head line by line, in whatever chunks it comes, and holds back no more than the beginning of a line that counts:
 * - equal Content-Length lines, or equal members of one, become one line (RFC 9112, 6.3); undici would join their digits;
 * - obs-text in the reason phrase becomes UTF-8, which undici reads it as: what comes out is one letter a byte.
 */
export class ResponseHeadParser {
  #held = '';
  #length: string | undefined;
  #isFirst = true;
  /** Whether the beginning of the current line went out already. */
  #isWithin = false;
  #isOver = false;

  /** Whether the head has ended: what follows is body. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What goes to the parser. Throws AmbiguousLength. */
  push(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n');
    const until = end < 0 ? bytes.length : end + 4;
    const text = this.#held + bytes.toString('latin1', 0, until);
    const hadHeld = this.#held !== '';
    this.#held = '';
    let out = '';
    let at = 0;
    while (!this.#isOver) {
      const next = text.indexOf('\n', at) + 1;
      if (next === 0) break;
      out += this.#line(text.slice(at, next));
      at = next;
    }
    const rest = text.slice(at);
    if (!this.#isOver && this.#mayCount(rest)) this.#held = rest;
    else {
      out += rest;
      this.#isWithin = true;
    }
    if (!hadHeld && out === text) return bytes;
    return Buffer.concat([Buffer.from(out, 'latin1'), bytes.subarray(until)]);
  }

  /** Whether a line that is not whole yet must be: the first, one about the length, and the empty one at the end. */
  #mayCount(line: string): boolean {
    if (this.#isWithin || line.length > LONGEST_LINE) return false;
    const lower = line.slice(0, LENGTH.length).toLowerCase();
    return this.#isFirst || line === '\r' || LENGTH.startsWith(lower);
  }

  #line(line: string): string {
    const [isFirst, isWithin] = [this.#isFirst, this.#isWithin];
    [this.#isFirst, this.#isWithin] = [false, false];
    if (isWithin) return line;
    if (isFirst) return Buffer.from(line, 'utf8').toString('latin1');
    if (line === '\r\n' || line === '\n') {
      this.#isOver = true;
      return line;
    }
    const [, name, value] = LENGTH_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined || value === '') return line;
    const lengths = new Set(value.split(',').map((each) => each.trim().replace(/^0+(?=\d)/, '')));
    if (this.#length !== undefined) lengths.add(this.#length);
    if (lengths.size > 1) throw new AmbiguousLength();
    const isKnown = this.#length !== undefined;
    [this.#length] = lengths;
    return isKnown ? '' : value.includes(',') ? `${name} ${this.#length}\r\n` : line;
  }
}
