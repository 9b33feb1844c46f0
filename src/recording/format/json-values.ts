/** The values of JSON and of JSON lines with their paths and offsets. */
import { ITEM, marker, type PathValue, pathOfMember, SyntaxMismatch } from './path-value.ts';

const MAX_LEVELS = 512;
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
        this.value(pathOfMember(path, name), memberValues, level + 1);
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

/** The values of one JSON text. Throws SyntaxMismatch if it is no JSON. */
export function jsonValues(text: string): PathValue[] {
  const parser = new JsonValueParser(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  const values: PathValue[] = [];
  parser.value('$', values);
  if (!parser.isAtEnd()) throw new SyntaxMismatch();
  return values;
}

/** One JSON value after the other, by lines or record separators. */
export function jsonLinesValues(text: string): PathValue[] {
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
