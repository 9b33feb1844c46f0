/** Normalises the head of a response for undici’s parser, which rejects two deviations common among servers. */

/** Longer lines are passed to the parser unchanged. */
const MAX_LINE_LENGTH = 16 * 1024;
const LENGTH = 'content-length';
const LENGTH_LINE = /^(content-length[ \t]*:)[ \t]*([\d, \t]*?)[ \t]*\r?\n$/i;

/** A head with two different lengths; the end of its body is unknown (RFC 9112, 6.3). */
export class AmbiguousLength extends Error {
  readonly code = 'ERR_AMBIGUOUS_LENGTH';
  constructor() {
    super('the response has Content-Length headers that differ');
  }
}

/**
 * Reads a head line by line, in chunks of any size, and buffers only the beginning of a line that it may change:
 * - equal Content-Length lines, or equal members of one, become one line (RFC 9112, 6.3); undici would join their digits;
 * - obs-text in the reason phrase becomes UTF-8, because undici decodes it as UTF-8: the result is Latin-1.
 */
export class ResponseHeadParser {
  #buffered = '';
  #length: string | undefined;
  #isFirst = true;
  /** Whether the beginning of the current line was passed on already. */
  #isWithin = false;
  #isOver = false;

  /** Whether the head has ended: what follows is body. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Returns the bytes for the parser. Throws AmbiguousLength. */
  push(bytes: Buffer): Buffer {
    const received = bytes.toString('latin1');
    const end = received.indexOf('\r\n\r\n');
    const until = end < 0 ? bytes.length : end + 4;
    const text = this.#buffered + received.slice(0, until);
    const hadBuffered = this.#buffered !== '';
    this.#buffered = '';
    let out = '';
    let at = 0;
    while (!this.#isOver) {
      const next = text.indexOf('\n', at) + 1;
      if (next === 0) break;
      out += this.#line(text.slice(at, next));
      at = next;
    }
    const rest = text.slice(at);
    if (!this.#isOver && this.#mustBuffer(rest)) this.#buffered = rest;
    else {
      out += rest;
      this.#isWithin = true;
    }
    if (!hadBuffered && out === text) return bytes;
    return Buffer.concat([Buffer.from(out, 'latin1'), bytes.subarray(until)]);
  }

  /** Whether an incomplete line has to be buffered: the first, a possible Content-Length, and the empty one at the end. */
  #mustBuffer(line: string): boolean {
    if (this.#isWithin || line.length > MAX_LINE_LENGTH) return false;
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
