/** Captured bodies: small ones in memory, large ones in a private file. */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CapturedBody } from './types.ts';

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

/** A body that is held in memory. */
export function bodyFrom(bytes: Uint8Array): CapturedBody {
  const chunks = async function* () {
    if (bytes.length > 0) yield bytes;
  };
  return { bytes: bytes.length, chunks, head: async (limit = 65_536) => bytes.subarray(0, limit) };
}

/** A private folder for large bodies; `close` removes it with everything in it. */
export class Spool {
  #folder: Promise<string> | undefined;
  #files = 0;

  async open(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'mdwi-'));
    const path = join(await this.#folder, `body-${this.#files++}`);
    return { path, file: await open(path, 'wx', 0o600) };
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/** Collects a body while it arrives, moving to a file once it is longer than `memoryBytes`. */
export class Capture {
  readonly #spool: Spool;
  readonly #memoryBytes: number;
  #parts: Uint8Array[] = [];
  #spooled: { readonly path: string; readonly file: FileHandle } | undefined;
  bytes = 0;

  constructor(spool: Spool, memoryBytes: number) {
    this.#spool = spool;
    this.#memoryBytes = memoryBytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    if (this.#spooled) {
      await this.#spooled.file.write(chunk);
      return;
    }
    this.#parts.push(chunk);
    if (this.bytes <= this.#memoryBytes) return;
    this.#spooled = await this.#spool.open();
    await this.#spooled.file.write(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  async end(): Promise<CapturedBody> {
    if (!this.#spooled) return bodyFrom(Buffer.concat(this.#parts));
    await this.#spooled.file.close();
    const { path } = this.#spooled;
    const chunks = (): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 65_536 });
    return { bytes: this.bytes, chunks, head: (limit = 65_536) => headOf(chunks(), limit) };
  }
}
