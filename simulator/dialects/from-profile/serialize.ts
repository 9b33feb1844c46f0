/** Serialises bodies, given as JavaScript values, as JSON, NDJSON, CSV, XML or text. */
import type { ResponseProfile } from '../../../src/profile/schema.ts';
import type { SelectorSource } from '../../../src/profile/selector.ts';
import type { Chunk } from '../types.ts';
import type { ResponseMedia } from './value.ts';
import { type LineWritePath, put, stepsIn, writePathOf } from './write-path.ts';

/**
 * The rows of a list in a body, which are computed and written one by one. A class, so that a serializer distinguishes them
 * from an object or an array of the body.
 */
export class LazyRows {
  readonly rows: Iterable<unknown>;
  constructor(rows: Iterable<unknown>) {
    this.rows = rows;
  }
}

/** The members of an object some of whose names are repeated, which a JavaScript object cannot contain. */
export class RepeatedMembers {
  readonly members: readonly (readonly [string, unknown])[];
  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members;
  }
}

/** A cell of a CSV line that is no row. */
interface WrittenCell {
  readonly place: LineWritePath;
  readonly value: unknown;
}

/** The body as a value, the headers, and the cells of CSV lines that are no rows. */
export class ComposedResponse {
  readonly media: ResponseMedia;
  body: unknown;
  readonly headers: Record<string, string> = {};
  readonly lines: WrittenCell[] = [];

  constructor(media: ResponseMedia, body?: unknown) {
    this.media = media;
    this.body = body;
  }

  /** Puts a value where a selector reads it, outside of rows. `undefined` removes a value of the body. */
  put(at: SelectorSource, value: unknown): void {
    const place = writePathOf(at);
    if (typeof place === 'string' || place.scope === 'row') return;
    if ('steps' in place) this.body = put(this.body, stepsIn(this.media, place.steps), value);
    else if (place.scope === 'line') this.lines.push({ place, value });
    else if (value !== undefined) this.headers[place.name] = String(value);
  }
}

/** Thrown if a media type cannot represent a body. The message is a clause without a full stop, for use within a sentence. */
export class UnwritableError extends Error {}

export const CONTENT_TYPE: Readonly<Record<ResponseMedia, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
  binary: 'application/octet-stream',
};

export interface CsvFormat {
  readonly delimiter: ',' | ';' | '|' | '\t';
  readonly columns: readonly string[];
  /** Cells of lines before the columns that are no rows. */
  readonly lines?: readonly WrittenCell[];
}

/** The CSV of a response. @param columns default: none, so that it has no rows */
export const csvOf = (
  { csv }: Pick<ResponseProfile, 'csv'>,
  { lines }: Pick<ComposedResponse, 'lines'>,
  columns: readonly string[] = [],
): CsvFormat => ({ delimiter: csv?.delimiter ?? ',', columns, lines });

/** Serialises a body as chunks, with one chunk per row. */
export const SERIALIZERS: Readonly<Record<ResponseMedia, (body: unknown, csv: CsvFormat) => Iterable<Chunk>>> = {
  json: (body) => json(body),
  ndjson: (body) => lines(body),
  csv: (body, form) => csv(body, form),
  xml: (body) => xml(body),
  text: (body) => [isEmpty(body) ? 'ok' : scalar(body)],
  binary: () => [new Uint8Array([0x6d, 0x64, 0x77, 0x69])],
};
const isEmpty = (body: unknown): boolean => typeof body === 'object' && Object.keys(body ?? {}).length === 0;

/** Longer lists are written one element at a time. */
const SHORT_LIST = 100;

/** Whether a value contains rows that are not computed yet, or a long list. */
const isLong = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof LazyRows ||
    value instanceof RepeatedMembers ||
    (Array.isArray(value) && value.length > SHORT_LIST) ||
    Object.values(value).some(isLong));

function* json(value: unknown): Generator<string> {
  if (!isLong(value)) yield JSON.stringify(value);
  else if (value instanceof LazyRows) {
    let separator = '[';
    for (const row of value.rows) {
      yield separator + JSON.stringify(row);
      separator = ',';
    }
    yield separator === '[' ? '[]' : ']';
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) {
      yield at === 0 ? '[' : ',';
      yield* json(each);
    }
    yield ']';
  } else {
    let separator = '{';
    for (const [name, each] of value instanceof RepeatedMembers ? value.members : Object.entries(value as object)) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* json(each);
      separator = ',';
    }
    yield '}';
  }
}

/** The rows of a body that contains only rows. */
function rowsOf(body: unknown): Iterable<unknown> {
  if (body instanceof LazyRows) return body.rows;
  if (Array.isArray(body)) return body;
  throw new UnwritableError('this media type can contain only rows: write $[*]');
}

function* lines(body: unknown): Generator<string> {
  for (const row of rowsOf(body)) yield `${JSON.stringify(row)}\n`;
}

const scalar = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new UnwritableError('an object or a list is not a text');
  return String(value);
};

function* csv(body: unknown, { delimiter, columns, lines = [] }: CsvFormat): Generator<string> {
  const cell = (value: unknown) => {
    const text = scalar(value);
    return text === '' || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const record = (cells: readonly unknown[]) => `${cells.map(cell).join(delimiter)}\r\n`;
  for (const [name, cells] of Map.groupBy(lines, ({ place }) => place.name)) {
    const values: unknown[] = Array.from({ length: 1 + Math.max(...cells.map(({ place }) => place.cell)) }, () => '');
    for (const { place, value } of cells) values[place.cell] = value;
    yield record([name, ...values]);
  }
  if (columns.length === 0) return;
  yield record(columns);
  for (const row of rowsOf(body)) yield record(columns.map((name) => (row as Record<string, unknown>)[name]));
}

const XML_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain these characters.
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/[&<>"]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] as string)
    // An XML parser normalises these characters in attributes.
    .replace(/[\t\r\n]/g, (each) => `&#${each.charCodeAt(0)};`);

/** Serialises a document, whose one member is the root element. */
function* xml(body: unknown): Generator<string> {
  const members = Object.entries(isEmpty(body) ? { Answer: [{}] } : (body ?? {}));
  const [root] = members;
  if (!root || members.length > 1) throw new UnwritableError('an XML document has one root element');
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield* elements(root[0], root[1]);
}

function* elements(name: string, list: unknown): Generator<string> {
  if (!XML_NAME.test(name)) throw new UnwritableError(`${JSON.stringify(name)} is not a valid element name`);
  if (!Array.isArray(list) && !(list instanceof LazyRows))
    throw new UnwritableError(`child elements are always lists: write ${name}[0] or ${name}[*]`);
  for (const each of Array.isArray(list) ? list : list.rows) {
    if (each !== null && (typeof each !== 'object' || Array.isArray(each)))
      throw new UnwritableError(`${name} can contain a value only as its text`);
    const members = Object.entries(each ?? {});
    const attributes = members.filter(([member]) => member.startsWith('@'));
    for (const [attribute] of attributes)
      if (!XML_NAME.test(attribute.slice(1))) throw new UnwritableError(`${attribute} is not a valid attribute name`);
    yield `<${name}${attributes.map(([key, value]) => ` ${key.slice(1)}="${escaped(scalar(value))}"`).join('')}>`;
    for (const [member, value] of members) {
      if (member === '#text') yield escaped(scalar(value));
      else if (!member.startsWith('@')) yield* elements(member, value);
    }
    yield `</${name}>`;
  }
}
