/** Reads JSON into a tree of positions, which `JSON.parse` does not report. */

/** A value of a JSON text. */
export interface JsonNode {
  /** Of a member of an object; undefined elsewhere. */
  readonly name: string | undefined;
  /** The first character of the value: `{`, `[`, `"`, or that of a number or a word. */
  readonly letter: string;
  readonly start: number;
  /** The offset after the value; -1: the text ends, or is no JSON, within it. */
  readonly end: number;
  /** Members and items in their order; members of one name are all there. */
  readonly children: readonly JsonNode[];
}
type OpenNode = { -readonly [K in keyof JsonNode]: JsonNode[K] } & { children: OpenNode[] };

/** As in other readers, so that recursive code does not overflow its stack. */
const MAX_LEVELS = 512;
const BLANK = /[ \t\r\n]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SCALAR: OpenNode[] = [];

class JsonReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** Moves past a token; returns it. */
  #read(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const start = this.#at;
    if (!pattern.test(this.#text)) throw new SyntaxError(`it is not JSON at character ${start}`);
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  /** The next character that is not white space. */
  next(): string {
    BLANK.lastIndex = this.#at;
    BLANK.test(this.#text);
    this.#at = BLANK.lastIndex;
    return this.#text[this.#at] ?? '';
  }

  #expect(letter: string): void {
    if (this.next() !== letter) throw new SyntaxError(`it is not JSON at character ${this.#at}`);
    this.#at++;
  }

  /** Reads the next value into `siblings`, which also has it if the text ends within it. */
  value(siblings: OpenNode[], name?: string, level = 0): OpenNode {
    if (level > MAX_LEVELS) throw new RangeError(`it is nested deeper than ${MAX_LEVELS} levels`);
    const letter = this.next();
    const close = letter === '{' ? '}' : letter === '[' ? ']' : undefined;
    const node: OpenNode = { name, letter, start: this.#at, end: -1, children: close ? [] : SCALAR };
    siblings.push(node);
    if (close === undefined) this.#read(letter === '"' ? STRING : LITERAL);
    else {
      this.#at++;
      if (this.next() === close) this.#at++;
      else this.#contents(node, close, level + 1);
    }
    node.end = this.#at;
    return node;
  }

  #contents({ letter, children }: OpenNode, close: string, level: number): void {
    for (;;) {
      let name: string | undefined;
      if (letter === '{') {
        this.next();
        name = JSON.parse(this.#read(STRING)) as string;
        this.#expect(':');
      }
      this.value(children, name, level);
      if (this.next() !== ',') break;
      this.#at++;
    }
    this.#expect(close);
  }
}

/** Where a JSON text begins: after a byte order mark. */
const startOf = (text: string): number => (text.charCodeAt(0) === 0xfeff ? 1 : 0);

/**
 * The value of a JSON text. Texts with control characters and unknown escapes are read: `JSON.parse` refuses them.
 * @throws SyntaxError if it is no JSON, RangeError if it is nested too deep
 */
export function readJson(text: string): JsonNode {
  const reader = new JsonReader(text, startOf(text));
  const node = reader.value([]);
  if (reader.next() !== '') throw new SyntaxError('it continues after its end');
  return node;
}

/**
 * One JSON value after the other, by lines or record separators (RFC 7464).
 * @throws like readJson
 */
export function readJsonLines(text: string): readonly JsonNode[] {
  const nodes: OpenNode[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: records of a JSON text sequence begin with it.
  const SEPARATOR = /[\s\x1e]*/y;
  for (let at = startOf(text); ; at = (nodes.at(-1) as OpenNode).end) {
    SEPARATOR.lastIndex = at;
    SEPARATOR.test(text);
    if (SEPARATOR.lastIndex >= text.length) return nodes;
    new JsonReader(text, SEPARATOR.lastIndex).value(nodes);
  }
}

/** The value of the beginning of a JSON text, as far as it can be read; values that do not end in it have no end. */
export function readJsonBeginning(text: string): JsonNode | undefined {
  const nodes: OpenNode[] = [];
  try {
    new JsonReader(text, startOf(text)).value(nodes);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return nodes[0];
}
