/** Writes bodies to a recording: short texts stay in memory, other bodies go to a file named by their hash. */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { BODIES, INLINE_BYTES, type StoredBody } from '../format/recorded-exchange.ts';
import { hashOfFile } from './read-side-file.ts';
import { makeFolderWithin } from './recording-files.ts';

/** Chunks are buffered up to this size before they are written. */
const BATCH_BYTES = 512 * 1024;

/** An error of the local disk, not of the client or upstream. */
export class DiskError extends Error {}

const throwDiskError = (error: unknown): never => {
  throw new DiskError((error as Error).message, { cause: error });
};

/** Writes all bytes: a single writev may write fewer. */
async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const bytes = parts.reduce((sum, each) => sum + each.length, 0);
  const { bytesWritten } = await file.writev(parts);
  if (bytesWritten < bytes) await file.writeFile(Buffer.concat(parts).subarray(bytesWritten));
}

/** The hash of a complete file. It is computed after the client has its response, so it delays no client. */
async function hashOf(path: string): Promise<string> {
  const file = await open(path);
  return hashOfFile(file.fd).finally(() => file.close());
}

let files = 0;

/** Receives a body in chunks. Rejects with a DiskError if a write fails; then, as on `discard`, it removes its file. */
export class BodySink {
  readonly #folder: string;
  #parts: Uint8Array[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  #file: { readonly path: string; readonly handle: FileHandle } | undefined;
  /** The pending write; at most one, so that a slow disk slows the exchange down instead of filling memory. */
  #writing: Promise<unknown> = Promise.resolve();

  /** @param folder of the recording */
  constructor(folder: string) {
    this.#folder = join(folder, BODIES);
  }

  async write(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      this.#parts.push(chunk);
      this.#bytes += chunk.length;
      this.#pendingBytes += chunk.length;
    }
    if (this.#pendingBytes >= BATCH_BYTES) await this.#spill().catch(throwDiskError);
  }

  async #spill(): Promise<void> {
    await this.#writing;
    const { handle } = await this.#open();
    const parts = this.#parts;
    this.#parts = [];
    this.#pendingBytes = 0;
    this.#writing = writeAll(handle, parts);
    // The next write or the end awaits it and sees its failure.
    this.#writing.catch(() => undefined);
  }

  async #open() {
    if (this.#file) return this.#file;
    await makeFolderWithin(this.#folder);
    const path = join(this.#folder, `${process.pid}-${files++}${PARTIAL_SUFFIX}`);
    this.#file = { path, handle: await open(path, 'wx') };
    return this.#file;
  }

  /** The stored body; undefined for an empty one. */
  async end(): Promise<StoredBody | undefined> {
    if (this.#bytes === 0) return undefined;
    if (!this.#file && this.#bytes <= INLINE_BYTES) {
      const content = Buffer.concat(this.#parts);
      if (isUtf8(content)) return { text: content.toString('utf8') };
    }
    try {
      await this.#spill();
      await this.#writing;
      const { handle, path } = await this.#open();
      await handle.sync();
      await handle.close();
      const name = `sha256-${await hashOf(path)}`;
      await rename(path, join(this.#folder, name));
      this.#file = undefined;
      return { file: `${BODIES}/${name}`, bytes: this.#bytes };
    } catch (error) {
      await this.discard();
      return throwDiskError(error);
    }
  }

  async discard(): Promise<void> {
    this.#parts = [];
    await this.#writing.catch(() => undefined);
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close().catch(() => undefined);
    if (file) await rm(file.path, { force: true });
  }
}
