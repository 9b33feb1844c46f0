/**
 * The values of a text with their paths, so that two responses can be compared regardless of white space and of the order
 * of members. The items of a list share one path.
 */

export interface PathValue {
  /** `$.rows[*].etag` (columns of CSV, too), `/./Item/@id`, `word 3`. */
  readonly where: string;
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

const MOST_LEVELS = 512;
/** Longer texts without a known structure are compared by their bytes. */
const LONGEST_WORDY = 64 * 1024;

const mark = (where: string, value: string): PathValue => ({ where, value, start: -1, end: -1 });

class SyntaxMismatch extends Error {}

const NAME = /^[A-Za-z_][\w-]*$/;
const member = (where: string, name: string): string =>
  NAME.test(name) ? `${where}.${name}` : `${where}[${JSON.stringify(name)}]`;

const BLANK = /[ \t\r\n]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const LITERAL = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Parses JSON with offsets, which `JSON.parse` does not report. */
class JsonWalk {
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

  #take(letter: string): void {
    if (this.#next() !== letter) throw new SyntaxMismatch();
    this.#at++;
  }

  #string(): string {
    const raw = this.#match(STRING);
    if (raw === undefined) throw new SyntaxMismatch();
    return raw.includes('\\') ? JSON.stringify(JSON.parse(raw)) : raw;
  }

  value(where: string, into: PathValue[], level = 0): void {
    if (level > MOST_LEVELS) throw new SyntaxMismatch();
    const letter = this.#next();
    if (letter === '{') this.#object(where, into, level);
    else if (letter === '[') this.#array(where, into, level);
    else this.#scalar(where, letter, into);
  }

  #scalar(where: string, letter: string, into: PathValue[]): void {
    const start = this.#at;
    const value = letter === '"' ? this.#string() : this.#match(LITERAL);
    if (value === undefined) throw new SyntaxMismatch();
    into.push({ where, value, start, end: this.#at });
  }

  #object(where: string, into: PathValue[], level: number): void {
    this.#take('{');
    const members: { readonly name: string; readonly leaves: PathValue[] }[] = [];
    if (this.#next() === '}') into.push(mark(where, '{}'));
    else
      for (;;) {
        this.#next();
        const name = JSON.parse(this.#string()) as string;
        this.#take(':');
        const leaves: PathValue[] = [];
        this.value(member(where, name), leaves, level + 1);
        members.push({ name, leaves });
        if (this.#next() !== ',') break;
        this.#at++;
      }
    this.#take('}');
    members.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const { leaves } of members) for (const leaf of leaves) into.push(leaf);
  }

  #array(where: string, into: PathValue[], level: number): void {
    this.#take('[');
    const length = into.push(mark(where, '[]')) - 1;
    let items = 0;
    if (this.#next() !== ']')
      for (;;) {
        into.push(mark(`${where}[*]`, ITEM));
        this.value(`${where}[*]`, into, level + 1);
        items++;
        if (this.#next() !== ',') break;
        this.#at++;
      }
    this.#take(']');
    into[length] = mark(where, `[${items}]`);
  }

  /** Skips white space; returns whether the text is at its end. */
  done(): boolean {
    return this.#next() === '';
  }
}

function jsonLeaves(text: string): PathValue[] {
  const walk = new JsonWalk(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const leaves: PathValue[] = [];
  walk.value('$', leaves);
  if (!walk.done()) throw new SyntaxMismatch();
  return leaves;
}

/** One JSON value after the other, by lines or record separators. */
function jsonLinesLeaves(text: string): PathValue[] {
  const leaves: PathValue[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: records of a JSON text sequence begin with it (RFC 7464).
  const SEPARATOR = /[\s\x1e]*/y;
  for (let at = 0; ; ) {
    SEPARATOR.lastIndex = at;
    at += SEPARATOR.exec(text)?.[0].length ?? 0;
    if (at >= text.length) return leaves;
    leaves.push(mark('$[*]', ITEM));
    const walk = new JsonWalk(text, at);
    walk.value('$[*]', leaves);
    at = walk.at;
  }
}

const MARKUP =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<!DOCTYPE[^>[]*(?:\[[\s\S]*?\])?[^>]*>|<(\/?)([^\s/<>]+)(?![^\s/<>])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g;

function xmlLeaves(text: string): PathValue[] {
  const leaves: PathValue[] = [];
  const path: string[] = [];
  let read = 0;
  for (const match of text.matchAll(MARKUP)) {
    read += match[0].length;
    const [all, cdata, closing, name, attributes = '', empty, words] = match;
    const where = `/${['.', ...path.slice(1)].join('/')}`;
    if (cdata !== undefined) {
      const start = match.index + '<![CDATA['.length;
      leaves.push({ where, value: cdata, start, end: start + cdata.length });
    } else if (words !== undefined) {
      const value = words.trim();
      if (value === '') continue;
      const start = match.index + words.indexOf(value);
      leaves.push({ where, value, start, end: start + value.length });
    } else if (name === undefined) continue;
    else if (closing === '/') {
      if (path.pop() !== name) throw new SyntaxMismatch();
      leaves.push(mark(where, ELEMENT_END));
    } else {
      // The name of the root element differs between operations, its content does not.
      const isRoot = path.length === 0;
      const within = isRoot ? '/.' : `${where}/${name}`;
      leaves.push(mark(within, ELEMENT), ...(isRoot ? [mark(within, name)] : []));
      const from = match.index + all.indexOf(name) + name.length;
      const named = [...attributes.matchAll(ATTRIBUTE)].map(
        ({ 0: pair, 1: attribute, 2: quoted = '', index }): PathValue => {
          const start = from + index + pair.length - quoted.length + 1;
          const value = quoted.slice(1, -1);
          return { where: `${within}/@${attribute}`, value, start, end: start + value.length };
        },
      );
      leaves.push(...named.sort((a, b) => (a.where < b.where ? -1 : 1)));
      if (empty === '/') leaves.push(mark(within, ELEMENT_END));
      else path.push(name);
    }
  }
  if (path.length > 0 || read !== text.length) throw new SyntaxMismatch();
  return leaves;
}

const DELIMITERS = [',', ';', '\t', '|'];

function csvLeaves(text: string): PathValue[] {
  const [first = ''] = text.split(/\r?\n/, 1);
  const [delimiter = ','] = [...DELIMITERS].sort((a, b) => first.split(b).length - first.split(a).length);
  const CELL = new RegExp(`("(?:[^"]|"")*"|[^${delimiter === '|' ? '\\|' : delimiter}\\r\\n]*)(\\r?\\n|.|$)`, 'y');
  const leaves: PathValue[] = [];
  const names: string[] = [];
  let column = 0;
  let isHead = true;
  while (CELL.lastIndex < text.length) {
    const start = CELL.lastIndex;
    const [all, cell = '', separator = ''] = CELL.exec(text) ?? [];
    if (all === undefined) throw new SyntaxMismatch();
    if (isHead) names.push(cell);
    if (column === 0) leaves.push(mark('$[*]', ITEM));
    leaves.push({ where: member('$[*]', names[column] ?? `${column}`), value: cell, start, end: start + cell.length });
    column++;
    if (separator === delimiter) continue;
    column = 0;
    isHead = false;
  }
  return leaves;
}

function wordLeaves(text: string): PathValue[] {
  if (text.length > LONGEST_WORDY) throw new SyntaxMismatch();
  return [...text.matchAll(/\S+/g)].map(({ 0: value, index }, at) => ({
    where: `word ${at + 1}`,
    value,
    start: index,
    end: index + value.length,
  }));
}

function readerOf(type: string, text: string): (text: string) => PathValue[] {
  if (/json-?lines|jsonl|ndjson|json-seq/.test(type)) return jsonLinesLeaves;
  if (/[/+]json$/.test(type) || /^\s*[[{]/.test(text)) return jsonLeaves;
  if (/[/+]xml$/.test(type)) return xmlLeaves;
  if (/csv|tab-separated/.test(type)) return csvLeaves;
  return wordLeaves;
}

/**
 * Every value of a text with its path, in the order of the text, members and attributes sorted by name; undefined if the
 * text does not match its media type.
 * @param type the media type in lower case, without parameters
 * @example valuePathsOf('{"rows":[{"id":1}]}', 'application/json') // … { where: '$.rows[*].id', value: '1', start: 15, end: 16 }
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
