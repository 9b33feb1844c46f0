/** Reads the shape of a recorded body in constant memory. */
import { bodyFrom } from '../../exchange/body.ts';
import type { CapturedBody, ResponseHead } from '../../exchange/types.ts';
import type { CsvDelimiter } from '../../reading/csv-records.ts';
import { decodeBody } from '../../reading/decode.ts';
import { type Media, mediaOf } from '../../reading/media.ts';
import { BodyError } from '../../reading/problem.ts';
import type { StoredBody } from '../format/recorded-exchange.ts';
import { sideFileChunks } from '../store/read-side-file.ts';
import { BEGINNING_BYTES } from './find-list.ts';
import type { InferOptions } from './infer-shape.ts';
import type { Shape } from './shape.ts';
import { type ShapeReader, shapeReaderOf } from './shape-readers.ts';

const MAX_BODY_BYTES = 8 * 1024 ** 3;

export interface RecordedBody {
  readonly head: ResponseHead;
  readonly body: Pick<CapturedBody, 'bytes' | 'chunks'>;
  /** What the profile declares for successful responses. */
  readonly media?: Media | undefined;
  readonly delimiter?: CsvDelimiter | undefined;
  readonly onScalar?: InferOptions['onScalar'];
  readonly renameIds?: InferOptions['renameIds'];
}

/** A recorded body, inline or in a side file. @param folder of the recording */
export function storedBody(folder: string, body: StoredBody): RecordedBody['body'] {
  if ('text' in body) return bodyFrom(Buffer.from(body.text, 'utf8'));
  return { bytes: body.bytes, chunks: () => sideFileChunks(folder, body) };
}

/** Guesses the format of a body without a media type from its beginning. */
function guessMedia(beginning: Buffer): Media {
  const text = beginning.toString('latin1').trimStart();
  if (/^[[{]/.test(text)) return 'json';
  if (text.startsWith('<?xml')) return 'xml';
  return beginning.includes(0) ? 'binary' : 'text';
}

/**
 * Adds a recorded body to a shape; returns why it cannot be parsed, in one sentence, otherwise undefined. Reads the whole body row by
 * row and holds one row and at most 64 MiB of the rest in memory.
 */
export async function readShape(recorded: RecordedBody, shape: Shape): Promise<string | undefined> {
  const { head } = recorded;
  let media = mediaOf(recorded.media, head);
  let beginning: Buffer = Buffer.alloc(0);
  let reader: ShapeReader | undefined;
  const createReader = (): ShapeReader => {
    media ??= guessMedia(beginning);
    return shapeReaderOf(media, { ...recorded, bytes: recorded.body.bytes, beginning }, shape);
  };
  try {
    for await (const chunk of decodeBody(head, recorded.body.chunks(), MAX_BODY_BYTES, media !== 'binary')) {
      if (reader) reader.push(chunk);
      else {
        beginning = Buffer.concat([beginning, chunk]);
        if (beginning.length < BEGINNING_BYTES) continue;
        reader = createReader();
        reader.push(beginning);
      }
    }
    if (!reader) {
      reader = createReader();
      reader.push(beginning);
    }
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof BodyError) return error.message;
    throw error;
  }
}
