/** Decoded bodies put into bytes: JSON, lines of JSON, CSV, and XML from the tree that selectors see. */
import type { Chunk } from '../types.ts';
import { Rows } from './compose-body.ts';
import type { ResponseMedia } from './value.ts';

/** A body that cannot be said in its media type; one clause. */
export class UnwritableError extends Error {}

export const CONTENT_TYPE: Readonly<Record<ResponseMedia, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
  binary: 'application/octet-stream',
};

export interface CsvForm {
  readonly delimiter: ',' | ';' | '|' | '\t';
  readonly columns: readonly string[];
}

/** A body as chunks; the rows of its lists are chunks of their own. */
export const WRITE: Readonly<Record<ResponseMedia, (body: unknown, csv: CsvForm) => Iterable<Chunk>>> = {
  json: (body) => json(body),
  ndjson: (body) => lines(body),
  csv: (body, form) => csv(body, form),
  xml: (body) => xml(body),
  text: (body) => [isEmpty(body) ? 'ok' : scalar(body)],
  binary: () => [new Uint8Array([0x6d, 0x64, 0x77, 0x69])],
};
const isEmpty = (body: unknown): boolean => typeof body === 'object' && Object.keys(body ?? {}).length === 0;

function* json(value: unknown): Generator<string> {
  if (value instanceof Rows) {
    let before = '[';
    for (const row of value.each) {
      yield before + JSON.stringify(row);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) {
      yield at === 0 ? '[' : ',';
      yield* json(each);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [name, each] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* json(each);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

/** The rows of a body that has nothing beside them. */
function rowsOf(body: unknown): Iterable<unknown> {
  if (body instanceof Rows) return body.each;
  if (Array.isArray(body)) return body;
  throw new UnwritableError('lines are rows, and nothing stands beside them: write $[*]');
}

function* lines(body: unknown): Generator<string> {
  for (const row of rowsOf(body)) yield `${JSON.stringify(row)}\n`;
}

const scalar = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new UnwritableError('a text holds no parts');
  return String(value);
};

function* csv(body: unknown, { delimiter, columns }: CsvForm): Generator<string> {
  const cell = (value: unknown) => {
    const text = scalar(value);
    return text === '' || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const record = (cells: readonly unknown[]) => `${cells.map(cell).join(delimiter)}\r\n`;
  yield record(columns);
  for (const row of rowsOf(body)) yield record(columns.map((name) => (row as Record<string, unknown>)[name]));
}

const XML_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no word for them.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] as string)
    // A parser would make other blanks of these.
    .replace(/[\t\r\n]/g, (each) => `&#${each.charCodeAt(0)};`);

/** The document: its one member is the root element. */
function* xml(body: unknown): Generator<string> {
  const members = Object.entries(isEmpty(body) ? { Answer: [{}] } : (body ?? {}));
  const [root] = members;
  if (!root || members.length > 1) throw new UnwritableError('an XML document has one root element');
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield* elements(root[0], root[1]);
}

function* elements(name: string, list: unknown): Generator<string> {
  if (!XML_NAME.test(name)) throw new UnwritableError(`${JSON.stringify(name)} is no name of an element`);
  if (!Array.isArray(list) && !(list instanceof Rows))
    throw new UnwritableError(`child elements are always lists: write ${name}[0] or ${name}[*]`);
  for (const each of Array.isArray(list) ? list : list.each) {
    if (each !== null && (typeof each !== 'object' || Array.isArray(each)))
      throw new UnwritableError(`${name} holds a value as its text only`);
    const members = Object.entries(each ?? {});
    const attributes = members.filter(([member]) => member.startsWith('@'));
    for (const [attribute] of attributes)
      if (!XML_NAME.test(attribute.slice(1))) throw new UnwritableError(`${attribute} is no name of an attribute`);
    yield `<${name}${attributes.map(([key, value]) => ` ${key.slice(1)}="${escaped(scalar(value))}"`).join('')}>`;
    for (const [member, value] of members) {
      if (member === '#text') yield escaped(scalar(value));
      else if (!member.startsWith('@')) yield* elements(member, value);
    }
    yield `</${name}>`;
  }
}
