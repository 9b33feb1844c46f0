/** Reads the entries of a HAR file that another program wrote, one at a time. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { HarDamageError, harEntries } from '../format/har-entries.ts';
import { RecordingError } from '../format/schema.ts';

const CHUNK = 1024 * 1024;

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
};

/** An entry, and its number in the file, from 0. */
export interface FoundEntry {
  readonly index: number;
  readonly value: unknown;
}

/** The bytes as UTF-8 without byte order mark: decompresses gzip, and converts the UTF-16 that some shells write. */
async function* textOf(file: string): AsyncGenerator<Uint8Array> {
  const first = await firstBytes(file);
  if (first.subarray(0, 2).equals(Buffer.from('PK'))) throw new HarDamageError('it is a ZIP archive: unpack it first');
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const bytes = createReadStream(file, { highWaterMark: CHUNK });
  const encoding =
    first[0] === 0xff && first[1] === 0xfe ? 'utf-16le' : first[0] === 0xfe && first[1] === 0xff ? 'utf-16be' : 'utf-8';
  const decompressed = isGzip ? createGunzip() : undefined;
  if (decompressed) bytes.on('error', (error) => decompressed.destroy(error));
  const decoder = new TextDecoder(encoding);
  for await (const chunk of decompressed ? bytes.pipe(decompressed) : bytes)
    yield Buffer.from(decoder.decode(chunk as Buffer, { stream: true }));
}

async function firstBytes(file: string): Promise<Buffer> {
  for await (const chunk of createReadStream(file, { end: 3 })) return chunk as Buffer;
  return Buffer.alloc(0);
}

/**
 * The entries of a HAR file in file order; only one entry is in memory at a time. Throws RecordingError with one sentence
 * that gives the position if the file is damaged or is not a HAR file.
 */
export async function* readHar(file: string): AsyncGenerator<FoundEntry> {
  let found: FoundEntry[] = [];
  const entries = harEntries((value, index) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new HarDamageError(`entry ${index} is not an object`);
    found.push({ index, value });
  });
  try {
    for await (const chunk of textOf(file)) {
      entries.push(chunk);
      yield* found;
      found = [];
    }
    entries.end();
    yield* found;
    if (!entries.found()) throw new HarDamageError('it holds no log.entries');
  } catch (error) {
    if (error instanceof HarDamageError) throw new RecordingError(`${file} cannot be read as HAR: ${error.message}`);
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new RecordingError(`${file} cannot be read: ${reasonOf(error)}`);
    throw error;
  }
}
