/** Rows in a text within a response, such as CSV in a member of JSON, also in base64 and compressed. */
import { gunzipSync } from 'node:zlib';
import type { RowShape } from '../profile/schema.ts';
import { compileSelector } from '../profile/selector.ts';
import { BodyError } from './problem.ts';
import { READERS } from './readers.ts';
import { summariseValue } from './summarise-value.ts';

const BASE64 = /^[A-Za-z0-9+/_=\s-]*$/;

function bytesOf(text: string, encoding: 'plain' | 'base64' | 'gzip', maxBytes: number): Buffer {
  if (encoding === 'plain') return Buffer.from(text);
  if (!BASE64.test(text)) throw new BodyError('encoding', 'the text of the rows is not base64');
  const bytes = Buffer.from(text, 'base64');
  if (encoding === 'base64') return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    throw new BodyError('encoding', `the text of the rows is not gzip of at most ${maxBytes} bytes`);
  }
}

/** The rows in a text; an absent or empty text has none. */
export function textRows(
  { media, encoding, rows = '$[*]', delimiter }: NonNullable<RowShape['text']>,
  node: unknown,
  maxBytes: number,
): readonly unknown[] {
  if (node === null || node === undefined || node === '') return [];
  if (typeof node !== 'string')
    throw new BodyError('rowsNotFound', `the text of the rows is ${summariseValue(node)}, and not a text`);
  const rowsSelector = compileSelector(rows);
  const head = { status: 200, reasonPhrase: '', headers: [] };
  const found: unknown[] = [];
  const reader = READERS[media]({
    rowsSelector,
    otherSelectors: [],
    head,
    csv: { delimiter },
    maxRowBytes: maxBytes,
    maxWholeBytes: maxBytes,
    onRows: (nodes) => {
      for (const each of nodes) found.push(each);
    },
  });
  try {
    reader.push(bytesOf(node, encoding, maxBytes));
    const { document, streamed } = reader.end();
    return streamed ? found : rowsSelector.select(document, head);
  } catch (error) {
    // The Content-Type of the response says nothing about the charset of this text.
    const isCharset = error instanceof BodyError && error.kind === 'charset';
    throw isCharset ? new BodyError('encoding', 'the text of the rows is not valid UTF-8') : error;
  }
}
