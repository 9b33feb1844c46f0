/**
 * The values of a text with their paths, so that two responses can be compared regardless of white space and of the order
 * of members. The items of a list share one path.
 */

export interface PathValue {
  /** `$.rows[*].etag` (columns of CSV, too), `/./Item/@id`, `word 3`. */
  readonly path: string;
  /** The value in normalised form. */
  readonly value: string;
  /** The offsets in the text; -1 for markers, such as the length of a list or the begin of an element. */
  readonly start: number;
  readonly end: number;
}

/** Markers in place of a value: the begin of a list item, the begin and the end of an element. */
export const ITEM = '-';
export const ELEMENT = '<>';
export const ELEMENT_END = '</>';

const MAX_LEVELS = 512;
/** Longer texts without a known structure are compared by their bytes. */
const MAX_WORDS_LENGTH = 64 * 1024;

const marker = (path: string, value: string): PathValue => ({ path, value, start: -1, end: -1 });

class SyntaxMismatch extends Error {}

const NAME = /^[A-Za-z_][\w-]*$/;
const member = (path: string, name: string): string =>
  NAME.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

const BLANK = /[ \t\r\n]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const LITERAL = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses JSON with offsets, which `JSON.parse` does not report. */
class JsonValueParser {
  readonly #text: string;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  get at(): number {
    return this.#at;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #next(): string {
    this.#match(BLANK);
    return this.#text[this.#at] ?? '';
  }

  #expect(letter: string): void {
    if (this.#next() !== letter) throw new SyntaxMismatch();
    this.#at++;
  }

  #string(): string {
    const raw = this.#match(STRING);
    if (raw === undefined) throw new SyntaxMismatch();
    return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw;
  }

  value(path: string, out: PathValue[], level = 0): void {
    if (level > MAX_LEVELS) throw new SyntaxMismatch();
    const letter = this.#next();
    if (letter === '{') this.#object(path, out, level);
    else if (letter === '[') this.#array(path, out, level);
    else this.#scalar(path, letter, out);
  }

  #scalar(path: string, letter: string, out: PathValue[]): void {
    const start = this.#at;
    const value = letter === '"' ? this.#string() : this.#match(LITERAL);
    if (value === undefined) throw new SyntaxMismatch();
    out.push({ path, value, start, end: this.#at });
  }

  #object(path: string, out: PathValue[], level: number): void {
    this.#expect('{');
    const members: { readonly name: string; readonly memberValues: PathValue[] }[] = [];
    if (this.#next() === '}') out.push(marker(path, '{}'));
    else
      for (;;) {
        this.#next();
        const name = JSON.parse(this.#string()) as string;
        this.#expect(':');
        const memberValues: PathValue[] = [];
        this.value(member(path, name), memberValues, level + 1);
        members.push({ name, memberValues });
        if (this.#next() !== ',') break;
        this.#at++;
      }
    this.#expect('}');
    members.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const { memberValues } of members) for (const value of memberValues) out.push(value);
  }

  #array(path: string, out: PathValue[], level: number): void {
    this.#expect('[');
    const length = out.push(marker(path, '[]')) - 1;
    let items = 0;
    if (this.#next() !== ']')
      for (;;) {
        out.push(marker(`${path}[*]`, ITEM));
        this.value(`${path}[*]`, out, level + 1);
        items++;
        if (this.#next() !== ',') break;
        this.#at++;
      }
    this.#expect(']');
    out[length] = marker(path, `[${items}]`);
  }

  /** Skips white space; returns whether the text is at its end. */
  isAtEnd(): boolean {
    return this.#next() === '';
  }
}

function jsonValues(text: string): PathValue[] {
  const parser = new JsonValueParser(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const values: PathValue[] = [];
  parser.value('$', values);
  if (!parser.isAtEnd()) throw new SyntaxMismatch();
  return values;
}

/** One JSON value after the other, by lines or record separators. */
function jsonLinesValues(text: string): PathValue[] {
  const values: PathValue[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: records of a JSON text sequence begin with it (RFC 7464).
  const SEPARATOR = /[\s\x1e]*/y;
  for (let at = 0; ; ) {
    SEPARATOR.lastIndex = at;
    at += SEPARATOR.exec(text)?.[0].length ?? 0;
    if (at >= text.length) return values;
    values.push(marker('$[*]', ITEM));
    const parser = new JsonValueParser(text, at);
    parser.value('$[*]', values);
    at = parser.at;
  }
}

const MARKUP =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?[^>]*>|<(\/?)([^\s/<>]+)(?![^\s/<>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g;

function xmlValues(text: string): PathValue[] {
  const values: PathValue[] = [];
  const openElements: string[] = [];
  let read = 0;
  for (const match of text.matchAll(MARKUP)) {
    read += match[0].length;
    const [all, cdata, closing, name, attributes = '', empty, words] = match;
    const path = `/${['.', ...openElements.slice(1)].join('/')}`;
    if (cdata !== undefined) {
      const start = match.index + '<![CDATA['.length;
      values.push({ path, value: cdata, start, end: start + cdata.length });
    } else if (words !== undefined) {
      const value = words.trim();
      if (value === '') continue;
      const start = match.index + words.indexOf(value);
      values.push({ path, value, start, end: start + value.length });
    } else if (name === undefined) continue;
    else if (closing === '/') {
      if (openElements.pop() !== name) throw new SyntaxMismatch();
      values.push(marker(path, ELEMENT_END));
    } else {
      // The name of the root element differs between operations, its content does not.
      const isRoot = openElements.length === 0;
      const elementPath = isRoot ? '/.' : `${path}/${name}`;
      values.push(marker(elementPath, ELEMENT), ...(isRoot ? [marker(elementPath, name)] : []));
      const from = match.index + all.indexOf(name) + name.length;
      const attributeValues = [...attributes.matchAll(ATTRIBUTE)].map(
        ({ 0: pair, 1: attribute, 2: quoted = '', index }): PathValue => {
          const start = from + index + pair.length - quoted.length + 1;
          const value = quoted.slice(1, -1);
          return { path: `${elementPath}/@${attribute}`, value, start, end: start + value.length };
        },
      );
      values.push(...attributeValues.sort((a, b) => (a.path < b.path ? -1 : 1)));
      if (empty === '/') values.push(marker(elementPath, ELEMENT_END));
      else openElements.push(name);
    }
  }
  if (openElements.length > 0 || read !== text.length) throw new SyntaxMismatch();
  return values;
}

const DELIMITERS = [',', ';', '\t', '|'];

function csvValues(text: string): PathValue[] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const [delimiter = ','] = [...DELIMITERS].sort((a, b) => first.split(b).length - first.split(a).length);
  const CELL = new RegExp(`("(?:[^"]|"")*"|[^${delimiter === '|' ? '\\|' : delimiter}\\r\\n]*)(\\r?\\n|.|$)`, 'y');
  const values: PathValue[] = [];
  const names: string[] = [];
  let column = 0;
  let isHead = true;
  while (CELL.lastIndex < text.length) {
    const start = CELL.lastIndex;
    const [all, cell = '', separator = ''] = CELL.exec(text) ?? [];
    if (all === undefined) throw new SyntaxMismatch();
    if (isHead) names.push(cell);
    if (column === 0) values.push(marker('$[*]', ITEM));
    values.push({ path: member('$[*]', names[column] ?? `${column}`), value: cell, start, end: start + cell.length });
    column++;
    if (separator === delimiter) continue;
    column = 0;
    isHead = false;
  }
  return values;
}

function wordValues(text: string): PathValue[] {
  if (text.length > MAX_WORDS_LENGTH) throw new SyntaxMismatch();
  return [...text.matchAll(/\S+/g)].map(({ 0: value, index }, at) => ({
    path: `word ${at + 1}`,
    value,
    start: index,
    end: index + value.length,
  }));
}

function readerOf(type: string, text: string): (text: string) => PathValue[] {
  if (/json-?lines|jsonl|ndjson|json-seq/.test(type)) return jsonLinesValues;
  if (/[/+]json$/.test(type) || /^\s*[[{]/.test(text)) return jsonValues;
  if (/[/+]xml$/.test(type)) return xmlValues;
  if (/csv|tab-separated/.test(type)) return csvValues;
  return wordValues;
}

/**
 * Every value of a text with its path, in the order of the text, members and attributes sorted by name; undefined if the
 * text does not match its media type.
 * @param type the media type in lower case, without parameters
 * @example valuePathsOf('{"rows":[{"id":1}]}', 'application/json') // … { path: '$.rows[*].id', value: '1', start: 15, end: 16 }
 */
export function valuePathsOf(text: string, type: string): readonly PathValue[] | undefined {
  try {
    return readerOf(type, text)(text);
  } catch (error) {
    // RangeError: the text is nested too deep or repeats too often for the engine.
    if (error instanceof SyntaxMismatch || error instanceof RangeError) return undefined;
    throw error;
  }
}
