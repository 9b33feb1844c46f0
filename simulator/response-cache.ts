/** Keeps the responses of lists, which are the same for a data week, so that their rows are serialised once. */
import { concat } from '../src/bytes.ts';
import { bytesOfChunk, chunksOf } from './behaviors/deliver-body.ts';
import type { Chunk, DialectResponse } from './dialects/types.ts';
import { type BodyChunks, batchChunks } from './http/write-chunks.ts';
import type { JournalEntry } from './journal/request-journal.ts';
import type { ModelAnswer } from './model/types.ts';

/** A response and the entry of its request in the journal. */
export interface CachedResponse {
  readonly response: DialectResponse;
  readonly entry: Omit<JournalEntry, 'id'>;
}

/** The answers that equal requests get as long as the data are the same, and that take more than a look-up. */
const LISTS: ReadonlySet<ModelAnswer['kind']> = new Set([
  'products',
  'deltas',
  'categories',
  'performance',
  'filterNames',
  'items',
]);

/** Headers on which no dialect depends. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'user-agent',
]);

/** What a response can depend on. */
interface KeyParts {
  readonly method: string;
  readonly origin: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array | undefined;
}

const MAX_REQUEST_BODY = 4096;
const MAX_BODY = 8 * 1024 * 1024;
const MAX_TOTAL = 48 * 1024 * 1024;
const MAX_ENTRIES = 2000;
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** A body that is kept outside of memory. Its functions throw where the disk fails. */
export interface BodyFile {
  readonly bytes: number;
  write(chunk: Chunk): void;
  read(): Iterable<Uint8Array>;
  /** Takes back a chunk that nothing reads any more, to fill it again. */
  release(chunk: Uint8Array): void;
  /** Removes it. */
  close(): void;
}

/** Keeps long bodies outside of memory. */
export interface BodyFiles {
  open(): BodyFile;
}

const sizeOf = (chunk: Chunk): number => (typeof chunk === 'string' ? chunk.length : chunk.byteLength);

/** Writes the next chunks of a body to its file. A disk that fails ends the file only: undefined. */
function written(file: BodyFile | undefined, chunks: readonly Chunk[]): BodyFile | undefined {
  try {
    for (const chunk of chunks) file?.write(chunk);
    if (!file || file.bytes <= MAX_FILE_BYTES) return file;
  } catch {
    // The file is closed below.
  }
  file?.close();
  return undefined;
}

interface CacheEntry extends CachedResponse {
  /** The bytes in memory. */
  readonly size: number;
  readonly file?: BodyFile;
}

/** A cache of one simulation, bounded in bytes; the entries that were not used for longest are dropped. */
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>();
  /** The keys of the bodies that are written to files now. */
  readonly #copied = new Set<string>();
  readonly #files: BodyFiles | undefined;
  #bytes = 0;
  #fileBytes = 0;

  /** @param files keeps bodies that are too long for memory; without it they are not kept */
  constructor(files?: BodyFiles) {
    this.#files = files;
  }

  /**
   * Returns the key of a request: all that a response can depend on. Undefined: its response is not kept.
   * @param revision identifies the state of the data
   */
  keyOf({ method, origin, target, headers, body }: KeyParts, revision: string): string | undefined {
    if (!body || body.byteLength > MAX_REQUEST_BODY) return undefined;
    let key = `${revision} ${method} ${origin} ${target}`;
    for (const name in headers) if (!IGNORED_HEADERS.has(name)) key += `\n${name}: ${headers[name]}`;
    return body.byteLength > 0 ? `${key}\n\n${String.fromCharCode(...body)}` : key;
  }

  get(key: string): CachedResponse | undefined {
    const found = this.#entries.get(key);
    if (found) {
      this.#entries.delete(key);
      this.#entries.set(key, found);
    }
    return found;
  }

  /**
   * Returns the response to send; its body is kept once it has been read to its end.
   * @param isCurrent whether the data are still those of the key: a body may be generated while they change
   */
  add(key: string, kind: ModelAnswer['kind'], cached: CachedResponse, isCurrent: () => boolean): DialectResponse {
    const { response } = cached;
    const chunks = chunksOf(response.body);
    if (!LISTS.has(kind) || response.status !== 200 || !(Symbol.iterator in chunks)) return response;
    const isStreamed = chunks === response.body;
    const keep = (read: readonly Chunk[]): void => {
      const bytes = concat(read.map(bytesOfChunk));
      // A body that was sent in chunks is sent in one chunk: a response shows nothing of the cache.
      const body = isStreamed ? [bytes] : bytes;
      this.#keep(key, { ...cached, response: { ...response, body }, size: key.length + bytes.byteLength });
    };
    const keepFile = (file: BodyFile): void => {
      const body: BodyChunks = {
        [Symbol.iterator]: () => file.read()[Symbol.iterator](),
        release: (chunk) => typeof chunk !== 'string' && file.release(chunk),
      };
      this.#keep(key, { ...cached, response: { ...response, body }, size: key.length, file });
    };
    const openFile = (): BodyFile | undefined => {
      if (this.#copied.has(key) || this.#entries.has(key)) return undefined;
      try {
        return this.#files?.open();
      } catch {
        return undefined;
      }
    };
    const copied = this.#copied;
    function* read(): Generator<Chunk> {
      let kept: Chunk[] | undefined = [];
      let file: BodyFile | undefined;
      let isCopied = false;
      let size = 0;
      try {
        for (const chunk of batchChunks(chunks as Iterable<Chunk>)) {
          size += sizeOf(chunk);
          if (!kept) file = written(file, [chunk]);
          else if (kept.push(chunk) && size > MAX_BODY) {
            file = openFile();
            isCopied = file !== undefined;
            if (isCopied) copied.add(key);
            file = written(file, kept);
            kept = undefined;
          }
          yield chunk;
        }
        if (!isCurrent()) return;
        if (kept) keep(kept);
        else if (file) keepFile(file);
        file = undefined;
      } finally {
        if (isCopied) copied.delete(key);
        file?.close();
      }
    }
    if (isStreamed) return { ...response, body: { [Symbol.iterator]: read } };
    keep(chunks as readonly Chunk[]);
    return response;
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#drop(key);
  }

  #keep(key: string, entry: CacheEntry): void {
    if (entry.size > MAX_BODY || this.#entries.has(key)) {
      entry.file?.close();
      return;
    }
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
    this.#fileBytes += entry.file?.bytes ?? 0;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_TOTAL && this.#entries.size <= MAX_ENTRIES && this.#fileBytes <= MAX_FILE_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    this.#bytes -= entry?.size ?? 0;
    this.#fileBytes -= entry?.file?.bytes ?? 0;
    entry?.file?.close();
  }
}
