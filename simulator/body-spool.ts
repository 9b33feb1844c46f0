/** Keeps long bodies in temporary files, so that their rows are serialised once and stay out of memory. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chunk } from './dialects/types.ts';
import type { BodyFile, BodyFiles } from './response-cache.ts';

/** Allocations from 128 KiB on are mapped anew each time, which costs as much as the read. */
const CHUNK_BYTES = 64 * 1024;

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

  constructor(onRelease: (file: TemporaryFile) => void) {
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
        const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, this.#bytes - at));
        const count = readSync(this.#fd, chunk, 0, chunk.length, at);
        if (count === 0) throw new Error('a temporary file was cut');
        at += count;
        yield chunk.subarray(0, count);
      }
    } finally {
      this.#readers -= 1;
      this.#closeUnused();
    }
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

  open(): BodyFile {
    const file = new TemporaryFile((released) => this.#files.delete(released));
    this.#files.add(file);
    return file;
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}
