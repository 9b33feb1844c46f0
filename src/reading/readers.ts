/** One reader per format: takes the bytes as they arrive, delivers rows as soon as they can be told, keeps the rest. */
import { mediaTypeOf } from '../exchange/headers.ts';
import type { ResponseHead } from '../exchange/types.ts';
import { EVERY, type Selector, walk } from '../profile/selector.ts';
import { JsonLines, NEWLINE, RECORD_SEPARATOR } from './json-lines.ts';
import { JsonSplitter } from './json-splitter.ts';
import { decodeText } from './json-text.ts';
import type { Media } from './media.ts';
import { ReadingError } from './problem.ts';
import { rowsLookedAt } from './reach.ts';

export interface ReaderOptions {
  readonly rowsAt: Selector | undefined;
  /** Every other selector that will be applied to the document. */
  readonly others: readonly Selector[];
  readonly head: ResponseHead;
  readonly maxRowBytes: number;
  readonly maxWholeBytes: number;
  readonly onRows: (nodes: readonly unknown[]) => void;
}

export interface BodyReader {
  push(chunk: Uint8Array): void;
  /** The decoded document, without such rows as were streamed and no selector looks at. Throws a ReadingError. */
  end(): { readonly document: unknown; readonly streamed: boolean };
}

export const READERS: Readonly<Record<Media, (options: ReaderOptions) => BodyReader>> = {
  json: jsonReader,
  ndjson: linesReader,
  text: textReader,
};

function jsonReader(options: ReaderOptions): BodyReader {
  const list = options.rowsAt?.stream;
  const keepRows = list && rowsLookedAt(options.others, list);
  const splitter = new JsonSplitter({
    path: keepRows === undefined ? undefined : list,
    keepRows: keepRows ?? 0,
    maxRowBytes: options.maxRowBytes,
    maxSkeletonBytes: options.maxWholeBytes,
    onRows: options.onRows,
  });
  return {
    push: (chunk) => splitter.push(chunk),
    end: () => ({ document: splitter.end(), streamed: splitter.found }),
  };
}

/**
 * The document is the list of the values. Without a rows selector, and with `$` or `$[*]`, each value is a row; what
 * `$[*]…` finds is told value by value; any other selector needs the whole list.
 */
function linesReader({ rowsAt, others, head, maxRowBytes, maxWholeBytes, onRows }: ReaderOptions): BodyReader {
  const steps = rowsAt ? rowsAt.steps : [];
  const streamed = steps !== undefined && (steps.length === 0 || steps[0] === EVERY);
  const keep = streamed ? rowsLookedAt(others, []) : undefined;
  const document: unknown[] = [];
  let bytes = 0;
  let count = 0;
  let delivered = 0;
  const lines = new JsonLines({
    separator: mediaTypeOf(head.headers).type === 'application/json-seq' ? RECORD_SEPARATOR : NEWLINE,
    maxLineBytes: maxRowBytes,
    onValue(value) {
      if (count++ < (keep ?? Number.POSITIVE_INFINITY)) document.push(value);
      if (!streamed) return;
      const nodes = steps.length === 0 ? [value] : walk([value], steps);
      delivered += nodes.length;
      onRows(nodes);
    },
  });
  return {
    push(chunk) {
      bytes += chunk.length;
      if (keep === undefined && bytes > maxWholeBytes) throw tooLong(maxWholeBytes);
      lines.push(chunk);
    },
    end() {
      lines.end();
      return { document, streamed: streamed && (delivered > 0 || count === 0) };
    },
  };
}

function textReader({ maxWholeBytes }: ReaderOptions): BodyReader {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxWholeBytes) throw tooLong(maxWholeBytes);
      parts.push(Buffer.from(chunk));
    },
    end: () => ({ document: decodeText(Buffer.concat(parts)), streamed: false }),
  };
}

function tooLong(limit: number): ReadingError {
  return new ReadingError(
    'tooLarge',
    `the body is longer than ${limit} bytes and cannot be read in pieces: name rows by a path ending in [*], and other values by paths that do not lead through them`,
  );
}
