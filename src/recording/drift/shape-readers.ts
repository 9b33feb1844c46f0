/** One reader per format: reads a streamed body and adds it to a shape. */
import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ResponseHead } from '../../exchange/types.ts';
import { EVERY } from '../../profile/path-steps.ts';
import { type CsvDelimiter, CsvRecords } from '../../reading/csv-records.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from '../../reading/json-lines.ts';
import { JsonSplitter } from '../../reading/json-splitter.ts';
import type { Media } from '../../reading/media.ts';
import { BodyError } from '../../reading/problem.ts';
import { type XmlNode, XmlTree } from '../../reading/xml-tree.ts';
import { findJsonList, findXmlRows } from './find-list.ts';
import { hashOf } from './hash.ts';
import { type InferOptions, inferShape } from './infer-shape.ts';
import { Shape } from './shape.ts';
import { inferXmlShape } from './xml-shape.ts';

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
        input.bytes > MAX_PARSED_BYTES ? findJsonList(beginning.toString('utf8')) : undefined,
      );
    case 'ndjson':
      return linesReader(shape, options, input.head);
    case 'csv':
      return csvReader(shape, options, input.delimiter ?? delimiterOf(input.head, beginning));
    case 'xml':
      return xmlReader(shape, options, beginning, input.bytes > MAX_PARSED_BYTES);
    case 'text':
      return textReader(shape, options);
    case 'binary':
      return bytesReader(shape);
  }
}

function jsonReader(shape: Shape, options: InferOptions, path: readonly string[] | undefined): ShapeReader {
  const rows = new Shape();
  const splitter = new JsonSplitter({
    path,
    retainedRows: 0,
    maxRowBytes: MAX_ROW_BYTES,
    maxSkeletonBytes: MAX_SKELETON_BYTES,
    longIntegers: 'numbers',
    onRows: (batch) => {
      const list = new Shape();
      inferShape(list, batch, options);
      rows.merge(list);
    },
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      const rest = splitter.end();
      inferShape(shape, rest, options, '$');
      if (!splitter.found || !path) return;
      let parent = shape;
      for (const name of path) parent = parent.member(name).shape;
      parent.total += rows.total;
      parent.sum = (parent.sum + rows.sum) >>> 0;
      if (rows.items) parent.ensureItems().merge(rows.items);
    },
  };
}

function linesReader(shape: Shape, options: InferOptions, head: ResponseHead): ShapeReader {
  const items = shape.ensureItems();
  const lines = new JsonLines({
    separator: mediaTypeOf(head.headers).type === 'application/json-seq' ? RECORD_SEPARATOR : NEWLINE,
    maxLineBytes: MAX_ROW_BYTES,
    longIntegers: 'numbers',
    onValue(value) {
      shape.total++;
      shape.sum = (shape.sum + inferShape(items, value, options)) >>> 0;
    },
  });
  return {
    push: (chunk) => lines.push(chunk),
    end() {
      lines.end();
      shape.occurrences++;
      shape.types.set('list', shape.count('list') + 1);
    },
  };
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
  const items = shape.ensureItems();
  shape.delimiter = delimiter;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let names: readonly string[] | undefined;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new BodyError('encoding', 'the body is not valid UTF-8, and Content-Type names no other charset');
    }
  };
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
      shape.total++;
      const row = new Map(names.map((name, at): [string, string | undefined] => [name, cells[at]]));
      for (const [at, cell] of cells.entries()) if (at >= names.length) row.set(`[${at}]`, cell);
      shape.sum = (shape.sum + inferShape(items, Object.fromEntries(row), options)) >>> 0;
    },
  });
  return {
    push: (chunk) => records.push(decode(chunk)),
    end() {
      records.push(decode());
      records.end();
      shape.occurrences++;
      shape.types.set('list', shape.count('list') + 1);
    },
  };
}

/** The namespace declarations of the first tag, independent of prefixes. */
function namespacesOf(beginning: Buffer): string[] {
  const tag = /<[A-Za-z_][^>]*>/.exec(beginning.toString('utf8'))?.[0] ?? '';
  return [...tag.matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(([, uri = '']) => uri);
}

function xmlReader(shape: Shape, options: InferOptions, beginning: Buffer, isLong: boolean): ShapeReader {
  const path = isLong ? findXmlRows(beginning.toString('utf8')) : undefined;
  const rows = new Shape();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new BodyError('encoding', 'the body is not valid UTF-8, and names no other charset');
    }
  };
  const tree = new XmlTree({
    rowSteps: path?.flatMap((name, at) => [name, at === path.length - 1 ? EVERY : 0]),
    retainedRows: 0,
    maxRowLength: MAX_ROW_BYTES,
    maxTreeLength: MAX_SKELETON_BYTES,
    onRow: (row: XmlNode) => void inferXmlShape(rows, row, options),
  });
  return {
    push: (chunk) => tree.push(decode(chunk)),
    end() {
      tree.push(decode());
      const document = tree.end();
      inferXmlShape(shape, document, options, '');
      for (const uri of namespacesOf(beginning)) {
        const namespace = shape.member('xmlns');
        namespace.presentCount = shape.occurrences;
        inferShape(namespace.shape, uri, options);
      }
      if (!path || tree.rows === 0) return;
      let parent = shape;
      for (const name of path.slice(0, -1)) parent = parent.member(name).shape;
      const member = parent.member(path.at(-1) as string);
      member.presentCount++;
      member.repeated++;
      member.shape.merge(rows);
    },
  };
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
