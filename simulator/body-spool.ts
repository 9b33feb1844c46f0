/** Keeps long bodies in temporary files, so that their rows are serialised once and stay out of memory. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chunk } from './dialects/types.ts';
import type { BodyFile, BodyFiles } from './response-cache.ts';

const CHUNK_BYTES = 64 * 1024;
/** How many sent chunks are kept to be filled again: a new one costs as much as the read. */
const MAX_FREE = 16;

/** Opens a file that is removed as soon as nothing has it open, even when the process is killed. */
function openTemporary(): number {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-simulator-'));
  try {
    return openSync(join(folder, 'body'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class TemporaryFile implements BodyFile {
  readonly #fd = openTemporary();
  #bytes = 0;
  #readers = 0;
  #isClosed = false;
  #isReleased = false;
  readonly #onRelease: (file: TemporaryFile) => void;
  readonly #free: Uint8Array[];

  constructor(free: Uint8Array[], onRelease: (file: TemporaryFile) => void) {
    this.#free = free;
    this.#onRelease = onRelease;
  }

  write(chunk: Chunk): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    this.#bytes += bytes.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A response that is being sent is completed although the file is closed meanwhile. */
  *read(): Generator<Uint8Array> {
    if (this.#isReleased) throw new Error('a temporary file was closed');
    this.#readers += 1;
    try {
      for (let at = 0; at < this.#bytes; ) {
        const chunk = this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
        const count = readSync(this.#fd, chunk, 0, Math.min(chunk.length, this.#bytes - at), at);
        if (count === 0) throw new Error('a temporary file was cut');
        at += count;
        yield count === chunk.length ? chunk : chunk.subarray(0, count);
      }
    } finally {
      this.#readers -= 1;
      this.#closeUnused();
    }
  }

  release(chunk: Uint8Array): void {
    if (chunk.length === CHUNK_BYTES && this.#free.length < MAX_FREE) this.#free.push(chunk);
  }

  close(): void {
    this.#isClosed = true;
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (!this.#isClosed || this.#readers > 0 || this.#isReleased) return;
    this.#isReleased = true;
    closeSync(this.#fd);
    this.#onRelease(this);
  }
}

/** The temporary files of one simulator. */
export class BodySpool implements BodyFiles {
  readonly #files = new Set<TemporaryFile>();
  readonly #free: Uint8Array[] = [];

  open(): BodyFile {
    const file = new TemporaryFile(this.#free, (released) => this.#files.delete(released));
    this.#files.add(file);
    return file;
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}
