/** Parses bodies into the tree that selectors read, with the position of each value, so that single values can be replaced. */
import { mediaTypeOf } from '../../exchange/headers.ts';
import { type JsonNode, readJson, readJsonLines } from '../../json-nodes.ts';
import type { ResponseProfile } from '../../profile/schema.ts';
import type { Selector, StatusAndHeaders } from '../../profile/selector.ts';
import { readXmlNodes, type XmlElement } from '../../xml-nodes.ts';
import { decodeReferences } from '../entities.ts';

/** Parsing longer bodies would need too much memory. */
export const LONGEST_SCRUBBED = 64 * 1024 * 1024;

/** Why figures cannot be replaced, as one clause. */
export class ScrubRefusal extends Error {}

/** The position of a value in the text, without its quotes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The tree that selectors read, and the positions of its texts and numbers by their holder and key. */
export class ValueSpans {
  readonly tree: unknown;
  readonly #spans = new Map<object, Map<string | number, Span>>();

  constructor(parse: (spans: ValueSpans) => unknown) {
    this.tree = parse(this);
  }

  put(holder: object, key: string | number, { start, end }: Span): void {
    const spans = this.#spans.get(holder) ?? new Map<string | number, Span>();
    spans.set(key, { start, end });
    this.#spans.set(holder, spans);
  }

  at(holder: object, key: string | number): Span | undefined {
    return this.#spans.get(holder)?.get(key);
  }
}

function jsonTree(text: string, spans: ValueSpans, { letter, start, end, children }: JsonNode): unknown {
  if (letter !== '{' && letter !== '[') return JSON.parse(text.slice(start, end));
  const tree = letter === '{' ? {} : [];
  for (const [at, child] of children.entries()) {
    const key = child.name ?? at;
    // Assignment would interpret the name `__proto__`.
    const value = jsonTree(text, spans, child);
    Object.defineProperty(tree, key, { value, enumerable: true, configurable: true, writable: true });
    const quote = child.letter === '"' ? 1 : 0;
    spans.put(tree, key, { start: child.start + quote, end: child.end - quote });
  }
  return tree;
}

/** Rows of delimited text by its header line (RFC 4180). */
function csvRows(text: string, spans: ValueSpans, delimiter: string): unknown {
  const rows: object[] = [];
  let names: string[] | undefined;
  let cells: (Span & { readonly text: string })[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|[^${delimiter}\r\n]*)(\r\n|[^]|$)`, 'y');
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  for (let after: string | undefined; after !== ''; ) {
    const start = cell.lastIndex;
    const [whole = '', quoted, next = ''] = cell.exec(text) ?? [];
    after = next;
    const end = start + whole.length - next.length;
    if (quoted === undefined) cells.push({ text: text.slice(start, end), start, end });
    else cells.push({ text: quoted.replaceAll('""', '"'), start: start + 1, end: end - 1 });
    if (after === delimiter) continue;
    if (cells.length > 1 || cells[0]?.text !== '') {
      if (names) {
        const row: Record<string, string> = {};
        for (const [at, name] of names.slice(0, cells.length).entries()) {
          const { text: value, ...span } = cells[at] as (typeof cells)[number];
          row[name] = value;
          spans.put(row, name, span);
        }
        rows.push(row);
      } else names = cells.map((each) => each.text);
    }
    cells = [];
  }
  return rows;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Child elements are lists, attributes `@name`, text `#text`, without prefixes: `<a x="1"><b>2</b></a>` is
 * `{ a: [{ '@x': '1', b: [{ '#text': '2' }] }] }`.
 */
function xmlTree(text: string, spans: ValueSpans, { attributes, children }: XmlElement): Record<string, unknown> {
  const node: Record<string, unknown> = {};
  for (const { name, ...span } of attributes) {
    if (/^xmlns(?::|$)/.test(name)) continue;
    const key = `@${localName(name)}`;
    node[key] = decodeReferences(text.slice(span.start, span.end));
    spans.put(node, key, span);
  }
  const texts = children.filter((each) => 'isCdata' in each);
  const elements = children.filter((each) => 'children' in each);
  for (const each of elements) {
    const name = localName(each.name);
    const siblings = Object.hasOwn(node, name) ? (node[name] as unknown[]) : [];
    siblings.push(xmlTree(text, spans, each));
    node[name] = siblings;
  }
  const raw = texts.map(({ start, end, isCdata }) => {
    const own = text.slice(start, end);
    return isCdata ? own : decodeReferences(own);
  });
  const joined = raw.join('');
  if (elements.length > 0 && joined.trim() === '') return node;
  node['#text'] = joined;
  if (texts.length === 1) spans.put(node, '#text', texts[0] as Span);
  return node;
}

/** The trees of media types; a type that the profile states is the one that is used. */
const PARSERS: readonly {
  readonly media: NonNullable<ResponseProfile['media']>;
  readonly type: RegExp;
  readonly tree: (text: string, spans: ValueSpans, delimiter: string) => unknown;
}[] = [
  {
    media: 'ndjson',
    type: /ndjson|jsonl|json-?lines|json-seq/,
    tree: (text, spans) => readJsonLines(text).map((each) => jsonTree(text, spans, each)),
  },
  { media: 'json', type: /json/, tree: (text, spans) => jsonTree(text, spans, readJson(text)) },
  { media: 'xml', type: /[/+]xml$/, tree: (text, spans) => xmlTree(text, spans, readXmlNodes(text)) },
  { media: 'csv', type: /csv|tab-separated/, tree: csvRows },
];

/**
 * Parses a body by its media type.
 * @throws ScrubRefusal
 */
export function parseSpans(text: string, { headers }: StatusAndHeaders, { media, csv }: ResponseProfile): ValueSpans {
  const { type } = mediaTypeOf(headers);
  const parser = PARSERS.find((each) => (media ? each.media === media : each.type.test(type)));
  if (!parser) throw new ScrubRefusal(`its media type ${type || '(none)'} is not JSON, NDJSON, CSV or XML`);
  const delimiter = csv?.delimiter ?? (type.includes('tab-') ? '\t' : ',');
  try {
    return new ValueSpans((spans) => parser.tree(text, spans, delimiter));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw new ScrubRefusal(error.message);
    throw error;
  }
}

export interface Location {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly value: unknown;
}

function* leavesOf(node: unknown): Generator<Location> {
  if (typeof node !== 'object' || node === null) return;
  const holder = node as Record<string, unknown>;
  const keys = Array.isArray(node) ? node.keys() : Object.keys(holder);
  for (const key of keys as Iterable<string>) {
    const value = holder[key];
    if (typeof value === 'object') yield* leavesOf(value);
    else yield { holder, key, value };
  }
}

/** Another value of the same type. */
const differentValue = (value: unknown): unknown => (typeof value === 'number' ? value + 0.5 : `${String(value)}1`);

/**
 * Returns the location; `missing` where the selector finds nothing or null; `unclear` where it finds several values, or
 * one that does not occur unchanged. Of several equal values the right one is found by changing each in turn.
 */
export function locate(row: unknown, selector: Selector, head: StatusAndHeaders): Location | 'missing' | 'unclear' {
  const found = selector.select(row, head);
  const [value] = found;
  if (value === undefined || value === null || value === '') return 'missing';
  if (found.length > 1) return 'unclear';
  if (typeof value === 'object') {
    const element = value as Record<string, unknown>;
    return typeof element['#text'] === 'string'
      ? { holder: element, key: '#text', value: element['#text'] }
      : 'unclear';
  }
  for (const leaf of leavesOf(row)) {
    if (leaf.value !== value) continue;
    const changed = differentValue(value);
    leaf.holder[leaf.key] = changed;
    const [now] = selector.select(row, head);
    leaf.holder[leaf.key] = value;
    if (now === changed) return leaf;
  }
  return 'unclear';
}
