/** Streaming parser of delimited text (RFC 4180): records of unquoted cells. */
import { BodyError } from './problem.ts';

const PARSE_STEP = 64 * 1024;

/** The separator of two cells. */
export type CsvDelimiter = ',' | ';' | '|' | '\t';

export interface CsvOptions {
  readonly delimiter: CsvDelimiter;
  /** The longest record, in characters. */
  readonly maxRecordLength: number;
  /** Lines that begin with one of these texts are no records. */
  readonly comments?: readonly string[];
  readonly onRecord: (cells: readonly string[]) => void;
  /** Receives the cells of a line that is no record. */
  readonly onComment?: (cells: readonly string[]) => void;
}

/**
 * Lines may end in CRLF, LF or CR, and blank ones are skipped. A quote that does not begin a cell is an ordinary
 * character, as in `5" pipe`.
 */
export class CsvRecords {
  readonly #options: CsvOptions;
  readonly #plain: RegExp;
  #text = '';
  /** The text is parsed again at this length, from the record's first cell. */
  #nextParseLength = 0;
  #recordCount = 0;

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#plain = new RegExp(`[^${options.delimiter}\r\n]*`, 'y');
  }

  push(text: string): void {
    this.#text += text;
    if (this.#text.length < this.#nextParseLength) return;
    this.#readRecords(false);
    this.#nextParseLength = this.#text.length + PARSE_STEP;
  }

  end(): void {
    this.#readRecords(true);
  }

  #readRecords(isLast: boolean): void {
    let from = 0;
    while (from < this.#text.length) {
      const record = this.#recordAt(from, isLast);
      if (!record) break;
      this.#check(record.end - from);
      const isComment = this.#options.comments?.some((each) => this.#text.startsWith(each, from)) ?? false;
      from = record.end;
      if (isComment) {
        this.#options.onComment?.(record.cells);
        continue;
      }
      if (record.cells.length === 1 && record.cells[0] === '') continue;
      this.#recordCount++;
      this.#options.onRecord(record.cells);
    }
    this.#text = this.#text.slice(from);
    this.#check(this.#text.length);
  }

  #check(length: number): void {
    const limit = this.#options.maxRecordLength;
    if (length > limit)
      throw new BodyError('tooLarge', `record ${this.#recordCount} of the CSV body is longer than ${limit} characters`);
  }

  /** The record that begins here, or `undefined` while its end has not arrived. */
  #recordAt(from: number, isLast: boolean): { readonly cells: readonly string[]; readonly end: number } | undefined {
    const cells: string[] = [];
    for (let at = from; ; at++) {
      const cell = this.#text[at] === '"' ? this.#quotedAt(at, isLast) : this.#plainAt(at);
      if (!cell) return undefined;
      cells.push(cell.value);
      at = cell.end;
      const terminator = this.#text[at];
      if (terminator === undefined) return isLast ? { cells, end: at } : undefined;
      if (terminator === '\n') return { cells, end: at + 1 };
      if (terminator === '\r') {
        // A line feed may follow in the next chunk; it belongs to this record.
        if (at + 1 === this.#text.length && !isLast) return undefined;
        return { cells, end: at + (this.#text[at + 1] === '\n' ? 2 : 1) };
      }
      if (terminator !== this.#options.delimiter)
        throw new BodyError('syntax', `record ${this.#recordCount} of the CSV body has text after a closing quote`);
    }
  }

  #plainAt(at: number): { readonly value: string; readonly end: number } {
    this.#plain.lastIndex = at;
    this.#plain.test(this.#text);
    const end = this.#plain.lastIndex;
    return { value: this.#text.slice(at, end), end };
  }

  #quotedAt(at: number, isLast: boolean): { readonly value: string; readonly end: number } | undefined {
    let value = '';
    for (let start = at + 1; ; ) {
      const quote = this.#text.indexOf('"', start);
      if (quote < 0 || (quote + 1 === this.#text.length && !isLast)) {
        if (isLast)
          throw new BodyError('truncated', `the CSV body ends within a quoted cell of record ${this.#recordCount}`);
        return undefined;
      }
      value += this.#text.slice(start, quote);
      if (this.#text[quote + 1] !== '"') return { value, end: quote + 1 };
      value += '"';
      start = quote + 2;
    }
  }
}
