/** From a recorded body to its shape, in constant memory. */
import { bodyFrom } from '../../exchange/body.ts';
import type { CapturedBody, ResponseHead } from '../../exchange/types.ts';
import type { CsvDelimiter } from '../../reading/csv-records.ts';
import { decodeBody } from '../../reading/decode.ts';
import { type Media, mediaOf } from '../../reading/media.ts';
import { ReadingError } from '../../reading/problem.ts';
import type { StoredBody } from '../format/recorded-exchange.ts';
import { sideFileChunks } from '../store/read-side-file.ts';
import { BEGINNING } from './find-list.ts';
import type { InferOptions } from './infer-shape.ts';
import type { Shape } from './shape.ts';
import { type ShapeReader, shapeReaderOf } from './shape-readers.ts';

const LONGEST_BODY = 8 * 1024 ** 3;

export interface RecordedBody {
  readonly head: ResponseHead;
  readonly body: Pick<CapturedBody, 'bytes' | 'chunks'>;
  /** What the profile says of successful answers. */
  readonly media?: Media | undefined;
  readonly delimiter?: CsvDelimiter | undefined;
  readonly loose?: InferOptions['loose'];
  readonly rename?: InferOptions['rename'];
}

/** A recorded body, wherever it is kept. @param folder of the recording */
export function storedBody(folder: string, body: StoredBody): RecordedBody['body'] {
  if ('text' in body) return bodyFrom(Buffer.from(body.text, 'utf8'));
  return { bytes: body.bytes, chunks: () => sideFileChunks(folder, body) };
}

/** Which format a body is in where no one says: told by how it begins. */
function guess(beginning: Buffer): Media {
  const text = beginning.toString('latin1').trimStart();
  if (/^[[{]/.test(text)) return 'json';
  if (text.startsWith('<?xml')) return 'xml';
  return beginning.includes(0) ? 'binary' : 'text';
}

/**
 * Notes what a body holds; returns why it cannot be read as what it is said to be, in one sentence, else undefined.
 * Bodies are looked at whole, list by list and row by row, but no more of them is held than a row and 64 MiB beside.
 */
export async function readShape(to: RecordedBody, shape: Shape): Promise<string | undefined> {
  const { head } = to;
  let media = mediaOf(to.media, head);
  let beginning: Buffer = Buffer.alloc(0);
  let reader: ShapeReader | undefined;
  const begin = (): ShapeReader => {
    media ??= guess(beginning);
    return shapeReaderOf(media, { ...to, bytes: to.body.bytes, beginning }, shape);
  };
  try {
    for await (const chunk of decodeBody(head, to.body.chunks(), LONGEST_BODY, media !== 'binary')) {
      if (reader) reader.push(chunk);
      else {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length < BEGINNING) continue;
        reader = begin();
        reader.push(beginning);
      }
    }
    if (!reader) {
      reader = begin();
      reader.push(beginning);
    }
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof ReadingError) return error.message;
    throw error;
  }
}
