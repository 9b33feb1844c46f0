/** A decoded body that still knows where in its text each value stands, so that single values can be replaced. */

/** Longer bodies would need too much memory to be taken apart. */
export const LONGEST_SCRUBBED = 64 * 1024 * 1024;

/** Of a value in the text, whatever quotes stand around it left out. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A body that could not be taken apart; the message is one clause. */
export class ValueSpansError extends Error {}

/** The tree selectors see, and the places of its texts and numbers by their holder and key. */
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
const DEEPEST = 512;

/** JSON, read by hand for the places of its values. */
class JsonReader {
  readonly #text: string;
  readonly #places: ValueSpans;
  at: number;

  constructor(text: string, places: ValueSpans, at = 0) {
    this.#text = text;
    this.#places = places;
    this.at = at;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  blank(): void {
    this.#take(BLANK);
  }

  #expect(letter: string): void {
    if (this.#text[this.at] !== letter) throw new ValueSpansError(`it is not JSON at character ${this.at}`);
    this.at++;
  }

  value(holder: object, key: string | number, depth = 0): unknown {
    if (depth > DEEPEST) throw new ValueSpansError(`it is nested deeper than ${DEEPEST} levels`);
    this.blank();
    const start = this.at;
    const first = this.#text[start];
    if (first === '{' || first === '[') return first === '{' ? this.#object(depth) : this.#list(depth);
    const text = this.#take(STRING);
    if (text !== undefined) {
      this.#places.put(holder, key, { start: start + 1, end: this.at - 1 });
      return JSON.parse(text);
    }
    const number = this.#take(NUMBER);
    if (number !== undefined) this.#places.put(holder, key, { start, end: this.at });
    const word = number ?? this.#take(WORD);
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
      const name = this.#take(STRING);
      if (name === undefined) throw new ValueSpansError(`it is not JSON at character ${this.at}`);
      this.blank();
      this.#expect(':');
      const key = JSON.parse(name) as string;
      const value = this.value(object, key, depth + 1);
      // Assignment would take the name `__proto__` for something else.
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

/** @throws PlacesError */
export function jsonValueSpans(text: string): ValueSpans {
  const places = new ValueSpans();
  const reader = new JsonReader(text, places);
  places.tree = reader.value(places, '');
  reader.blank();
  if (reader.at < text.length) throw new ValueSpansError(`something stands behind its end, at character ${reader.at}`);
  return places;
}

/** One JSON value a line: a list of them. @throws PlacesError */
export function ndjsonValueSpans(text: string): ValueSpans {
  const places = new ValueSpans();
  const reader = new JsonReader(text, places);
  const list: unknown[] = [];
  for (reader.blank(); reader.at < text.length; reader.blank()) list.push(reader.value(list, list.length));
  places.tree = list;
  return places;
}

/** Delimited text with a header line (RFC 4180): a list of rows by header. */
export function csvValueSpans(text: string, delimiter: string): ValueSpans {
  const places = new ValueSpans();
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
          places.put(row, name, cell.span);
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
    const [whole, inner] = quoted.exec(text) ?? [];
    if (whole !== undefined && inner !== undefined) {
      cells.push({ text: inner.replaceAll('""', '"'), span: { start: at + 1, end: at + whole.length - 1 } });
      at += whole.length;
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
  places.tree = rows;
  return places;
}
