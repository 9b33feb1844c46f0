/** One reader per format: reads a streamed body and adds it to a shape. */
import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ResponseHead } from '../../exchange/types.ts';
import { compileSelector } from '../../profile/selector.ts';
import { type CsvDelimiter, CsvRecords } from '../../reading/csv-records.ts';
import type { Media } from '../../reading/media.ts';
import type { BodyReader } from '../../reading/reader-types.ts';
import { READERS, textDecoder } from '../../reading/readers.ts';
import type { XmlNode } from '../../reading/xml-tree.ts';
import { findJsonList, findXmlRows } from './find-list.ts';
import { hashOf, type InferOptions, inferShape, inferXmlShape } from './infer-shape.ts';
import { Shape } from './shape.ts';

export interface ShapeReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

const MIB = 1024 * 1024;
/** Bodies up to this size are parsed whole; the long list of a larger body is read row by row. */
const MAX_PARSED_BYTES = 4 * MIB;
const MAX_ROW_BYTES = 8 * MIB;
const MAX_SKELETON_BYTES = 64 * MIB;

/** What a reader needs before it reads a body. */
export interface ShapeReaderInput extends Omit<InferOptions, 'untyped'> {
  readonly head: ResponseHead;
  /** The length of the body, if known. */
  readonly bytes: number;
  readonly beginning: Buffer;
  readonly delimiter?: CsvDelimiter | undefined;
}

/** Creates the reader of a format, which adds the body to `shape`. */
export function shapeReaderOf(media: Media, input: ShapeReaderInput, shape: Shape): ShapeReader {
  const { beginning } = input;
  const options: InferOptions = {
    untyped: media === 'csv' || media === 'xml',
    onScalar: input.onScalar,
    renameIds: input.renameIds,
  };
  switch (media) {
    case 'json':
      return jsonReader(
        shape,
        options,
        input.head,
        input.bytes > MAX_PARSED_BYTES ? findJsonList(beginning.toString('utf8')) : undefined,
      );
    case 'ndjson':
      return linesReader(shape, options, input.head);
    case 'csv':
      return csvReader(shape, options, input.delimiter ?? delimiterOf(input.head, beginning));
    case 'xml':
      return xmlReader(shape, options, input, input.bytes > MAX_PARSED_BYTES);
    case 'text':
      return textReader(shape, options);
    case 'binary':
      return bytesReader(shape);
  }
}

/** A reader that passes rows to `onRows`, and the rest of the body to `onEnd`. */
function rowReader(
  media: 'json' | 'ndjson' | 'xml',
  head: ResponseHead,
  rows: string | undefined,
  onRows: (batch: readonly unknown[]) => void,
  onEnd: (rest: ReturnType<BodyReader['end']>) => void,
): ShapeReader {
  const reader = READERS[media]({
    rowsSelector: rows === undefined ? undefined : compileSelector(rows),
    otherSelectors: [],
    head,
    maxRowBytes: MAX_ROW_BYTES,
    maxWholeBytes: MAX_SKELETON_BYTES,
    longIntegers: 'numbers',
    onRows,
  });
  return { push: (chunk) => reader.push(chunk), end: () => onEnd(reader.end()) };
}

function jsonReader(shape: Shape, options: InferOptions, head: ResponseHead, path?: readonly string[]): ShapeReader {
  const rows = new Shape();
  const selector = path && `$${path.map((name) => `[${JSON.stringify(name)}]`).join('')}[*]`;
  const onRows = (batch: readonly unknown[]): void => {
    const list = new Shape();
    inferShape(list, batch, options);
    rows.merge(list);
  };
  return rowReader('json', head, selector, onRows, ({ document, streamed }) => {
    inferShape(shape, document, options, '$');
    if (!streamed || !path) return;
    let parent = shape;
    for (const name of path) parent = parent.member(name).shape;
    parent.total += rows.total;
    parent.sum = (parent.sum + rows.sum) >>> 0;
    if (rows.items) parent.ensureItems().merge(rows.items);
  });
}

/** Adds one more item to a list. */
function addItem(list: Shape, value: unknown, options: InferOptions): void {
  list.total++;
  list.sum = (list.sum + inferShape(list.ensureItems(), value, options)) >>> 0;
}

function endList(list: Shape): void {
  list.ensureItems();
  list.occurrences++;
  list.types.set('list', list.count('list') + 1);
}

function linesReader(shape: Shape, options: InferOptions, head: ResponseHead): ShapeReader {
  const onRows = (batch: readonly unknown[]): void => {
    for (const value of batch) addItem(shape, value, options);
  };
  return rowReader('ndjson', head, '$[*]', onRows, () => endList(shape));
}

const DELIMITERS: readonly CsvDelimiter[] = [',', ';', '\t', '|'];

function delimiterOf(head: ResponseHead, beginning: Buffer): CsvDelimiter {
  if (mediaTypeOf(head.headers).type === 'text/tab-separated-values') return '\t';
  const [line = ''] = beginning
    .toString('utf8')
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (mark: string): number => line.split(mark).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}

function csvReader(shape: Shape, options: InferOptions, delimiter: CsvDelimiter): ShapeReader {
  shape.delimiter = delimiter;
  const decode = textDecoder();
  let names: readonly string[] | undefined;
  const records = new CsvRecords({
    delimiter,
    maxRecordLength: MAX_ROW_BYTES,
    onRecord(cells) {
      if (!names) {
        names = cells.map((name) => name.trim());
        shape.setColumnNames(names);
        shape.areColumns = true;
        return;
      }
      const row = new Map(names.map((name, at): [string, string | undefined] => [name, cells[at]]));
      for (const [at, cell] of cells.entries()) if (at >= names.length) row.set(`[${at}]`, cell);
      addItem(shape, Object.fromEntries(row), options);
    },
  });
  return {
    push: (chunk) => records.push(decode(chunk)),
    end() {
      records.push(decode());
      records.end();
      endList(shape);
    },
  };
}

/** The namespace declarations of the first tag, independent of prefixes. */
function namespacesOf(beginning: Buffer): string[] {
  const tag = /<[A-Za-z_][^>]*>/.exec(beginning.toString('utf8'))?.[0] ?? '';
  return [...tag.matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(([, uri = '']) => uri);
}

function xmlReader(
  shape: Shape,
  options: InferOptions,
  { head, beginning }: ShapeReaderInput,
  isLong: boolean,
): ShapeReader {
  const path = isLong ? findXmlRows(beginning.toString('utf8')) : undefined;
  const rows = new Shape();
  const selector = path && `$${path.map((name) => `[${JSON.stringify(name)}]`).join('[0]')}[*]`;
  const onRows = (batch: readonly unknown[]): void => {
    for (const row of batch) inferXmlShape(rows, row as XmlNode, options);
  };
  return rowReader('xml', head, selector, onRows, ({ document, streamed }) => {
    inferXmlShape(shape, document as XmlNode, options, '');
    for (const uri of namespacesOf(beginning)) {
      const namespace = shape.member('xmlns');
      namespace.presentCount = shape.occurrences;
      inferShape(namespace.shape, uri, options);
    }
    if (!path || !streamed) return;
    let parent = shape;
    for (const name of path.slice(0, -1)) parent = parent.member(name).shape;
    const member = parent.member(path.at(-1) as string);
    member.presentCount++;
    member.repeated++;
    member.shape.merge(rows);
  });
}

const MAX_TEXT_LENGTH = 4096;

function textReader(shape: Shape, options: InferOptions): ShapeReader {
  const decoder = new TextDecoder('utf-8');
  let [hash, beginningText] = [hashOf(''), ''];
  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      hash = hashOf(text, hash);
      if (beginningText.length < MAX_TEXT_LENGTH) beginningText += text;
    },
    end() {
      inferShape(shape, beginningText, options, '$');
      // The sample of a long text is only its beginning.
      if (beginningText.length >= MAX_TEXT_LENGTH) shape.sum = (shape.sum + hash) >>> 0;
    },
  };
}

function bytesReader(shape: Shape): ShapeReader {
  let [hash, bytes] = [hashOf(''), 0];
  return {
    push(chunk) {
      hash = hashOf(Buffer.from(chunk).toString('latin1'), hash);
      bytes += chunk.length;
    },
    end() {
      shape.occurrences++;
      shape.sum = (shape.sum + hash) >>> 0;
      shape.sample.add(hash, () => `${bytes} bytes`);
    },
  };
}
