/** A response body as it was received: small ones in memory, large ones in a private file. */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CapturedBody, Exchange, Failure, WireRequest } from './types.ts';

const HEAD_BYTES = 65_536;
/** How many bytes are written to a file at once: a bulk list arrives in thousands of small chunks, and each write is slow. */
const WRITE_BYTES = 1 << 20;
const TAIL_BYTES = 4_096;
/** Bodies of a run that stay in memory together; beyond it only the smallest do: a thorough run receives thousands. */
const MEMORY_OF_ALL = 256 << 20;
const SMALL_BYTES = 8_192;

async function headOf(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes >= limit) break;
  }
  return Buffer.concat(parts).subarray(0, limit);
}

/** A body in memory. */
export function bodyFrom(bytes: Uint8Array): CapturedBody {
  const chunks = async function* () {
    if (bytes.length > 0) yield bytes;
  };
  return {
    bytes: bytes.length,
    chunks,
    firstBytes: async (limit = HEAD_BYTES) => bytes.subarray(0, limit),
    lastBytes: async (limit = TAIL_BYTES) => bytes.subarray(-limit),
  };
}

/** The exchange of a request that was not sent. */
export const unsentExchange = (request: WireRequest, failure: Failure): Exchange => ({
  request,
  body: bodyFrom(new Uint8Array(0)),
  redirects: [],
  failure,
  timing: { startedAt: new Date().toISOString(), totalMs: 0 },
});

interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/** A private folder for large bodies, created on first use; `close` removes it with its files. */
export class TemporaryBodies {
  readonly #parent: string;
  readonly #memoryOfAll: number;
  #folder: Promise<string> | undefined;
  #files = 0;
  #inMemory = 0;

  constructor(parent: string = tmpdir(), memoryOfAll = MEMORY_OF_ALL) {
    this.#parent = parent;
    this.#memoryOfAll = memoryOfAll;
  }

  /** The longest body that may stay in memory now. */
  get memoryBytes(): number {
    return this.#inMemory < this.#memoryOfAll ? Number.POSITIVE_INFINITY : SMALL_BYTES;
  }

  /** Counts a body that stays in memory. */
  count(bytes: number): void {
    this.#inMemory += bytes;
  }

  /** Creates an empty file that only its owner can read: bodies are licensed data. */
  async open(): Promise<TemporaryFile> {
    this.#folder ??= mkdtemp(join(this.#parent, 'mdwi-'));
    const path = join(await this.#folder, `body-${this.#files++}`);
    return { path, handle: await open(path, 'wx', 0o600) };
  }

  async close(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder) await rm(await folder, { recursive: true, force: true });
  }
}

/** Collects a body while it arrives, in a file once it is longer than `memoryBytes`. */
export class Capture {
  readonly #folder: TemporaryBodies;
  readonly #memoryBytes: number;
  /** The bytes that are not in the file yet. */
  #parts: Uint8Array[] = [];
  #buffered = 0;
  #file: TemporaryFile | undefined;
  bytes = 0;

  constructor(folder: TemporaryBodies, memoryBytes: number) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
  }

  /** Rejects on a disk error, which is never a fault of the server. */
  async write(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    this.#parts.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered <= (this.#file ? WRITE_BYTES : Math.min(this.#memoryBytes, this.#folder.memoryBytes))) return;
    this.#file ??= await this.#folder.open();
    await this.#writeOut(this.#file);
  }

  async #writeOut({ handle }: TemporaryFile): Promise<void> {
    const [parts, buffered] = [this.#parts, this.#buffered];
    this.#parts = [];
    this.#buffered = 0;
    if (buffered === 0) return;
    const { bytesWritten } = await handle.writev(parts);
    if (bytesWritten < buffered) throw new Error(`the disk stored ${bytesWritten} of ${buffered} bytes of a body`);
  }

  async end(): Promise<CapturedBody> {
    if (!this.#file) {
      this.#folder.count(this.bytes);
      return bodyFrom(Buffer.concat(this.#parts));
    }
    await this.#writeOut(this.#file);
    await this.#file.handle.close();
    const { path } = this.#file;
    const chunks = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: HEAD_BYTES });
    const { bytes } = this;
    return {
      bytes,
      chunks,
      firstBytes: (limit = HEAD_BYTES) => headOf(chunks(), limit),
      lastBytes: (limit = TAIL_BYTES) => headOf(createReadStream(path, { start: Math.max(0, bytes - limit) }), limit),
    };
  }

  /** Discards a body that is not used, and removes its file before the end of the run. */
  async discard(): Promise<void> {
    this.#parts = [];
    if (!this.#file) return;
    await this.#file.handle.close();
    await rm(this.#file.path, { force: true });
  }
}
