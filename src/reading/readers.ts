/** One reader per format. */

import { createHash } from 'node:crypto';
import { mediaTypeOf } from '../exchange/headers.ts';
import { EVERY, type PathStep } from '../profile/path-steps.ts';
import { CsvRecords } from './csv-records.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from './json-lines.ts';
import { JsonSplitter } from './json-splitter.ts';
import { decodeText, notUtf8 } from './json-text.ts';
import type { Media } from './media.ts';
import { BodyError } from './problem.ts';
import type { BodyReader, ReaderOptions } from './reader-types.ts';
import { countRows } from './selector-reach.ts';
import { bodyTooLong, ValueList } from './value-list.ts';
import { XmlTree } from './xml-tree.ts';

export const READERS: Readonly<Record<Media, (options: ReaderOptions) => BodyReader>> = {
  json: jsonReader,
  ndjson: linesReader,
  csv: csvReader,
  xml: xmlReader,
  text: textReader,
  binary: binaryReader,
};

function jsonReader(options: ReaderOptions): BodyReader {
  const list = options.rowsSelector?.stream;
  const counted = list && countRows(options.otherSelectors, list);
  const retainedRows = options.withMemberNames && counted !== 0 ? undefined : counted;
  const splitter = new JsonSplitter({
    path: retainedRows === undefined ? undefined : list,
    retainedRows: retainedRows ?? 0,
    ofObject: options.withMemberNames ?? false,
    maxRowBytes: options.maxRowBytes,
    maxSkeletonBytes: options.maxWholeBytes,
    ...(options.longIntegers && { longIntegers: options.longIntegers }),
    onRows: options.onRows,
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end: () => ({ document: splitter.end(), streamed: splitter.found }),
  };
}

function linesReader(options: ReaderOptions): BodyReader {
  const values = new ValueList(options);
  const lines = new JsonLines({
    separator: mediaTypeOf(options.head.headers).type === 'application/json-seq' ? RECORD_SEPARATOR : NEWLINE,
    maxLineBytes: options.maxRowBytes,
    ...(options.longIntegers && { longIntegers: options.longIntegers }),
    onValue: (value) => values.add(value),
  });
  return {
    push(chunk) {
      values.countBytes(chunk);
      lines.push(chunk);
    },
    end() {
      lines.end();
      return values.end();
    },
  };
}

/** The number of comment lines that are kept. */
const MAX_LINES = 1000;

/**
 * Each record is an object by the names of the first one: `@['Dollar Sales']`. All values are texts; a cell that a
 * short record lacks is absent.
 */
function csvReader(options: ReaderOptions): BodyReader {
  const values = new ValueList(options);
  const decode = textDecoder();
  const { delimiter, header = 1, comment = [] } = options.csv ?? {};
  const lines: (readonly string[])[] = [];
  const addLine = (cells: readonly string[]) => {
    if (lines.length >= MAX_LINES)
      throw new BodyError('tooLarge', `the CSV body has more than ${MAX_LINES} lines that are no rows`);
    lines.push(cells);
  };
  let names: readonly string[] | undefined;
  let before = 1;
  const records = new CsvRecords({
    delimiter: delimiter ?? (mediaTypeOf(options.head.headers).type === 'text/tab-separated-values' ? '\t' : ','),
    maxRecordLength: options.maxRowBytes,
    comments: comment,
    onComment: addLine,
    onRecord(cells) {
      if (header === 0) {
        values.add(cells);
        return;
      }
      if (before < header) {
        before++;
        addLine(cells);
        return;
      }
      if (!names) {
        names = cells.map((name) => name.trim());
        return;
      }
      if (cells.slice(names.length).some((cell) => cell !== ''))
        // Caused by a title above the header line (`csv.header`), or an unquoted comma; RFC 4180 only says “should”.
        throw new BodyError(
          'rowsNotFound',
          `a CSV record has ${cells.length} cells, but the header line has ${names.length}: csv.header, csv.comment or csv.delimiter may be missing`,
        );
      values.add(Object.fromEntries(names.slice(0, cells.length).map((name, at) => [name, cells[at]])));
    },
  });
  return {
    push(chunk) {
      values.countBytes(chunk);
      records.push(decode(chunk));
    },
    end() {
      records.push(decode());
      records.end();
      return { ...values.end(), lines };
    },
  };
}

function xmlReader({ rowsSelector, otherSelectors, maxRowBytes, maxWholeBytes, onRows }: ReaderOptions): BodyReader {
  const decode = textDecoder();
  const steps = rowsSelector?.steps;
  const list = steps?.at(-1) === EVERY && steps.every(isXmlStep) ? steps.slice(0, -1) : undefined;
  const retainedRows = list && countRows(otherSelectors, list);
  const tree = new XmlTree({
    rowSteps: retainedRows === undefined ? undefined : steps,
    retainedRows: retainedRows ?? 0,
    maxRowLength: maxRowBytes,
    maxTreeLength: maxWholeBytes,
    onRow: (row) => onRows([row]),
  });
  return {
    push: (chunk) => tree.push(decode(chunk)),
    end() {
      tree.push(decode());
      return { document: tree.end(), streamed: tree.rows > 0 };
    },
  };
}

/** A path that alternates names and indexes can be matched while the tree is built. */
const isXmlStep = (step: PathStep, at: number): boolean =>
  at % 2 === 0 ? typeof step === 'string' : step === EVERY || (typeof step === 'number' && step >= 0);

/** Decodes UTF-8 chunks; a call without a chunk flushes. */
export function textDecoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw notUtf8();
    }
  };
}

function textReader({ maxWholeBytes }: ReaderOptions): BodyReader {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxWholeBytes) throw bodyTooLong(maxWholeBytes);
      parts.push(Buffer.from(chunk));
    },
    end: () => ({ document: decodeText(Buffer.concat(parts)), streamed: false }),
  };
}

/** The document of a binary body: its length and SHA-256. An empty body is null. */
function binaryReader(): BodyReader {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      hash.update(chunk);
    },
    end: () => ({ document: bytes === 0 ? null : { bytes, sha256: hash.digest('hex') }, streamed: false }),
  };
}
