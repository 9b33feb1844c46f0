/** Parses bodies and records the position of each value in the text, so that single values can be replaced. */

/** Parsing longer bodies would need too much memory. */
export const LONGEST_SCRUBBED = 64 * 1024 * 1024;

/** The position of a value in the text, without its quotes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A body that cannot be parsed; the message is one clause. */
export class ValueSpansError extends Error {}

/** The tree that selectors read, and the positions of its texts and numbers by their holder and key. */
export class ValueSpans {
  tree: unknown;
  readonly #spans = new Map<object, Map<string | number, Span>>();

  put(holder: object, key: string | number, span: Span): void {
    const spans = this.#spans.get(holder) ?? new Map<string | number, Span>();
    spans.set(key, span);
    this.#spans.set(holder, spans);
  }

  at(holder: object, key: string | number): Span | undefined {
    return this.#spans.get(holder)?.get(key);
  }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /true|false|null/y;
const BLANK = /[\s\ufeff]*/y;
const MAX_DEPTH = 512;

/** A JSON parser that records the positions of values. */
class JsonReader {
  readonly #text: string;
  readonly #spans: ValueSpans;
  at: number;

  constructor(text: string, spans: ValueSpans, at = 0) {
    this.#text = text;
    this.#spans = spans;
    this.at = at;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  blank(): void {
    this.#match(BLANK);
  }

  #expect(letter: string): void {
    if (this.#text[this.at] !== letter) throw new ValueSpansError(`it is not JSON at character ${this.at}`);
    this.at++;
  }

  value(holder: object, key: string | number, depth = 0): unknown {
    if (depth > MAX_DEPTH) throw new ValueSpansError(`it is nested deeper than ${MAX_DEPTH} levels`);
    this.blank();
    const start = this.at;
    const first = this.#text[start];
    if (first === '{' || first === '[') return first === '{' ? this.#object(depth) : this.#list(depth);
    const text = this.#match(STRING);
    if (text !== undefined) {
      this.#spans.put(holder, key, { start: start + 1, end: this.at - 1 });
      return JSON.parse(text);
    }
    const number = this.#match(NUMBER);
    if (number !== undefined) this.#spans.put(holder, key, { start, end: this.at });
    const word = number ?? this.#match(WORD);
    if (word === undefined) throw new ValueSpansError(`it is not JSON at character ${start}`);
    return JSON.parse(word);
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#each(']', () => list.push(this.value(list, list.length, depth + 1)));
    return list;
  }

  #object(depth: number): object {
    const object = {};
    this.#each('}', () => {
      const name = this.#match(STRING);
      if (name === undefined) throw new ValueSpansError(`it is not JSON at character ${this.at}`);
      this.blank();
      this.#expect(':');
      const key = JSON.parse(name) as string;
      const value = this.value(object, key, depth + 1);
      // Assignment would interpret the name `__proto__`.
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    });
    return object;
  }

  #each(close: string, element: () => void): void {
    this.at++;
    this.blank();
    for (let first = true; this.#text[this.at] !== close; first = false) {
      if (!first) this.#expect(',');
      this.blank();
      element();
      this.blank();
    }
    this.at++;
  }
}

/** Parses JSON. @throws ValueSpansError */
export function jsonValueSpans(text: string): ValueSpans {
  const spans = new ValueSpans();
  const reader = new JsonReader(text, spans);
  spans.tree = reader.value(spans, '');
  reader.blank();
  if (reader.at < text.length) throw new ValueSpansError(`it continues after its end, at character ${reader.at}`);
  return spans;
}

/** Parses one JSON value per line into a list. @throws ValueSpansError */
export function ndjsonValueSpans(text: string): ValueSpans {
  const spans = new ValueSpans();
  const reader = new JsonReader(text, spans);
  const list: unknown[] = [];
  for (reader.blank(); reader.at < text.length; reader.blank()) list.push(reader.value(list, list.length));
  spans.tree = list;
  return spans;
}

/** Parses delimited text with a header line (RFC 4180) into a list of rows by header. */
export function csvValueSpans(text: string, delimiter: string): ValueSpans {
  const spans = new ValueSpans();
  const rows: object[] = [];
  let names: string[] | undefined;
  let cells: { readonly text: string; readonly span: Span }[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const endRecord = (): void => {
    if (cells.length > 1 || cells[0]?.text !== '') {
      if (!names) names = cells.map((each) => each.text);
      else {
        const row: Record<string, string> = {};
        for (const [index, name] of names.entries()) {
          const cell = cells[index];
          if (!cell) continue;
          row[name] = cell.text;
          spans.put(row, name, cell.span);
        }
        rows.push(row);
      }
    }
    cells = [];
  };
  const plain = new RegExp(`[^${delimiter}\r\n]*`, 'y');
  const quoted = /"((?:[^"]|"")*)"/y;
  while (at < text.length) {
    quoted.lastIndex = at;
    const [quotedCell, inner] = quoted.exec(text) ?? [];
    if (quotedCell !== undefined && inner !== undefined) {
      cells.push({ text: inner.replaceAll('""', '"'), span: { start: at + 1, end: at + quotedCell.length - 1 } });
      at += quotedCell.length;
    } else {
      plain.lastIndex = at;
      const [cell = ''] = plain.exec(text) ?? [];
      cells.push({ text: cell, span: { start: at, end: at + cell.length } });
      at += cell.length;
    }
    if (text[at] === delimiter) {
      at++;
      if (at === text.length) cells.push({ text: '', span: { start: at, end: at } });
      continue;
    }
    endRecord();
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (cells.length > 0) endRecord();
  spans.tree = rows;
  return spans;
}
