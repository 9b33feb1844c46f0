/** Reads the shape of a recorded body row by row, in constant memory. */
import { bodyFrom } from '../../exchange/body.ts';
import { mediaTypeOf } from '../../exchange/headers.ts';
import type { CapturedBody, ResponseHead } from '../../exchange/types.ts';
import { readJsonBeginning } from '../../json-nodes.ts';
import { compileSelector } from '../../profile/selector.ts';
import type { CsvDelimiter } from '../../reading/csv-records.ts';
import { decodeBody } from '../../reading/decode.ts';
import { type Media, mediaOf } from '../../reading/media.ts';
import { BodyError } from '../../reading/problem.ts';
import { READERS } from '../../reading/readers.ts';
import type { XmlNode } from '../../reading/xml-tree.ts';
import { readXmlBeginning, type XmlElement } from '../../xml-nodes.ts';
import type { StoredBody } from '../format/recorded-exchange.ts';
import { sideFileChunks } from '../store/read-side-file.ts';
import { addItem, hashOf, type InferOptions, inferShape, inferXmlShape } from './infer-shape.ts';
import { Shape } from './shape.ts';

const MIB = 1024 * 1024;
const MAX_BODY_BYTES = 8 * 1024 * MIB;
/** Bodies up to this size are parsed whole; the long list of a larger body is read row by row. */
const MAX_PARSED_BYTES = 4 * MIB;
const MAX_ROW_BYTES = 8 * MIB;
const MAX_SKELETON_BYTES = 64 * MIB;
/** How many bytes of a body are searched for its list. */
const BEGINNING_BYTES = 64 * 1024;

export interface RecordedBody extends Omit<InferOptions, 'untyped'> {
  readonly head: ResponseHead;
  readonly body: Pick<CapturedBody, 'bytes' | 'chunks'>;
  /** What the profile declares for successful responses. */
  readonly media?: Media | undefined;
  readonly delimiter?: CsvDelimiter | undefined;
}

/** A recorded body, inline or in a side file. @param folder of the recording */
export function storedBody(folder: string, body: StoredBody): RecordedBody['body'] {
  if ('text' in body) return bodyFrom(Buffer.from(body.text, 'utf8'));
  return { bytes: body.bytes, chunks: () => sideFileChunks(folder, body) };
}

interface ShapeReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Adds a recorded body to a shape; returns why it cannot be parsed, in one sentence, otherwise undefined. Holds one row and
 * at most 64 MiB of the rest in memory.
 */
export async function readShape(recorded: RecordedBody, shape: Shape): Promise<string | undefined> {
  const { head, body } = recorded;
  const declared = mediaOf(recorded.media, head);
  let beginning: Buffer = Buffer.alloc(0);
  let reader: ShapeReader | undefined;
  const begin = (): ShapeReader => {
    const media = declared ?? guessMedia(beginning);
    const plain = media === 'text' || media === 'binary';
    const begun = plain
      ? plainReader(media === 'text', recorded, shape)
      : rowReader(media, recorded, beginning.toString('utf8'), shape);
    begun.push(beginning);
    return begun;
  };
  try {
    for await (const chunk of decodeBody(head, body.chunks(), MAX_BODY_BYTES, declared !== 'binary')) {
      if (reader) reader.push(chunk);
      else {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length >= BEGINNING_BYTES) reader = begin();
      }
    }
    (reader ?? begin()).end();
    return undefined;
  } catch (error) {
    if (error instanceof BodyError) return error.message;
    throw error;
  }
}

/** Guesses the format of a body without a media type from its beginning. */
function guessMedia(beginning: Buffer): Media {
  const text = beginning.toString('latin1').trimStart();
  if (/^[[{]/.test(text)) return 'json';
  if (text.startsWith('<?xml')) return 'xml';
  return beginning.includes(0) ? 'binary' : 'text';
}

/**
 * The member names from the root to the outermost list that is still open at the end of the beginning of a JSON text;
 * undefined if there is none.
 * @example findJsonList('{"meta":{},"products":[{"upc":"1"},{"up') // ['products']
 */
export function findJsonList(beginning: string): readonly string[] | undefined {
  const path: string[] = [];
  let node = readJsonBeginning(beginning);
  while (node?.letter === '{' && node.end < 0) {
    node = node.children.at(-1);
    path.push(node?.name ?? '');
  }
  return node?.letter === '[' && node.end < 0 ? path : undefined;
}

/**
 * The element names from the root to the first element that occurs twice in the same parent, from the beginning of an XML
 * text.
 * @example findXmlRows('<a><b><c/><c/>') // ['a', 'b', 'c']
 */
export const findXmlRows = (beginning: string): readonly string[] | undefined =>
  repeatedIn(readXmlBeginning(beginning));

function repeatedIn({ children }: XmlElement): readonly string[] | undefined {
  const seenNames = new Set<string>();
  for (const child of children) {
    if (!('name' in child)) continue;
    const name = child.name.slice(child.name.indexOf(':') + 1);
    const below = seenNames.has(name) ? [] : repeatedIn(child);
    if (below) return [name, ...below];
    seenNames.add(name);
  }
  return undefined;
}

const DELIMITERS: readonly CsvDelimiter[] = [',', ';', '\t', '|'];

function delimiterOf(head: ResponseHead, beginning: string): CsvDelimiter {
  if (mediaTypeOf(head.headers).type === 'text/tab-separated-values') return '\t';
  const [line = ''] = beginning.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (mark: string): number => line.split(mark).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}

/** The namespace declarations of the first tag, independent of prefixes. */
function namespacesOf(beginning: string): string[] {
  const tag = /<[A-Za-z_][^>]*>/.exec(beginning)?.[0] ?? '';
  return [...tag.matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(([, uri = '']) => uri);
}

/** The reader of a format with rows: passes them on while they arrive, and the rest of the body at its end. */
function rowReader(
  media: Exclude<Media, 'text' | 'binary'>,
  { head, body, delimiter, onScalar, renameIds }: RecordedBody,
  beginning: string,
  shape: Shape,
): ShapeReader {
  const isXml = media === 'xml';
  const options: InferOptions = { untyped: isXml || media === 'csv', onScalar, renameIds };
  const findList = { json: findJsonList, xml: findXmlRows, ndjson: () => [], csv: () => [] }[media];
  const isLong = body.bytes > MAX_PARSED_BYTES || media === 'ndjson' || media === 'csv';
  const path = isLong ? findList(beginning) : undefined;
  const steps = path?.map((name) => `[${JSON.stringify(name)}]`).join(isXml ? '[0]' : '');
  const rows = new Shape();
  let columns: readonly string[] | undefined;
  const addRecord = (cells: readonly string[]): void => {
    if (!columns) {
      columns = cells.map((name) => name.trim());
      rows.setColumnNames(columns);
      rows.areColumns = true;
      return;
    }
    const names = [...columns, ...cells.slice(columns.length).map((_, at) => `[${at + (columns?.length ?? 0)}]`)];
    addItem(rows, Object.fromEntries(names.map((name, at) => [name, cells[at]])), options);
  };
  const addRow = (row: unknown): void => {
    if (isXml) inferXmlShape(rows, row as XmlNode, options);
    else if (media === 'csv') addRecord(row as readonly string[]);
    else addItem(rows, row, options);
  };
  const csv = { delimiter: delimiter ?? delimiterOf(head, beginning), header: 0 };
  if (media === 'csv') shape.delimiter = csv.delimiter;
  const reader = READERS[media]({
    rowsSelector: steps ? compileSelector(`$${steps}[*]`) : undefined,
    otherSelectors: [],
    head,
    csv,
    maxRowBytes: MAX_ROW_BYTES,
    maxWholeBytes: MAX_SKELETON_BYTES,
    longIntegers: 'numbers',
    onRows: (batch) => batch.forEach(addRow),
  });
  return {
    push: (chunk) => reader.push(chunk),
    end() {
      const { document, streamed } = reader.end();
      if (isXml) inferXmlShape(shape, document as XmlNode, options, '');
      else inferShape(shape, document, options, '$');
      for (const uri of isXml ? namespacesOf(beginning) : []) {
        const namespace = shape.member('xmlns');
        namespace.presentCount = shape.occurrences;
        inferShape(namespace.shape, uri, options);
      }
      if (!streamed || !path) return;
      let list = shape;
      for (const [at, name] of path.entries()) {
        const member = list.member(name);
        if (isXml && at === path.length - 1) {
          member.presentCount++;
          member.repeated++;
        }
        list = member.shape;
      }
      list.merge(rows);
    },
  };
}

const MAX_TEXT_LENGTH = 4096;

/** The reader of texts, and of bytes: of both, all counts for the hash. */
function plainReader(isText: boolean, options: Omit<InferOptions, 'untyped'>, shape: Shape): ShapeReader {
  const decoder = new TextDecoder('utf-8');
  let [hash, bytes, beginning] = [hashOf(''), 0, ''];
  return {
    push(chunk) {
      const text = isText ? decoder.decode(chunk, { stream: true }) : Buffer.from(chunk).toString('latin1');
      hash = hashOf(text, hash);
      bytes += chunk.length;
      if (beginning.length < MAX_TEXT_LENGTH) beginning += text;
    },
    end() {
      // The sample of a long text is only its beginning.
      if (!isText || beginning.length >= MAX_TEXT_LENGTH) shape.sum = (shape.sum + hash) >>> 0;
      if (isText) return void inferShape(shape, beginning, { ...options, untyped: false }, '$');
      shape.occurrences++;
      shape.sample.add(hash, () => `${bytes} bytes`);
    },
  };
}
