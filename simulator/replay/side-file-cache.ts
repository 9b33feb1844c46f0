/** Bodies of side files in memory, as they are sent: bounded, and each one only as long as its file stays what it was. */
import { loadSideFile, type SideFileContent } from '../../src/recording/store/read-side-file.ts';
import { type RecordedFile, withClientOrigin } from './prepared-response.ts';

interface SideFileLimits {
  /** A longer body is streamed. */
  readonly bodyBytes: number;
  readonly totalBytes: number;
}

const LIMITS: SideFileLimits = { bodyBytes: 8 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** The text of a side file depends on the base that replaces the service’s origin. */
const cacheKeyOf = ({ body, isText }: RecordedFile, base: string): string =>
  isText ? `${body.file} ${base}` : body.file;

/** The bodies of one recording. */
export class SideFileCache {
  /** The least recently used first. */
  readonly #contents = new Map<string, SideFileContent>();
  readonly #limits: SideFileLimits;
  #bytes = 0;

  constructor(limits: SideFileLimits = LIMITS) {
    this.#limits = limits;
  }

  isCacheable({ body }: RecordedFile): boolean {
    return body.bytes <= this.#limits.bodyBytes;
  }

  /** The body, if it is in memory and its file did not change since it was read. */
  get(file: RecordedFile, base: string): Buffer | undefined {
    const key = cacheKeyOf(file, base);
    const content = this.#contents.get(key);
    if (!content?.isCurrent()) {
      this.#remove(key);
      return undefined;
    }
    this.#contents.delete(key);
    this.#contents.set(key, content);
    return content.bytes;
  }

  /** Reads and verifies the file of a body. Rejects with a SideFileError where it changed since the recording. */
  async load(file: RecordedFile, base: string): Promise<Buffer> {
    const { bytes: stored, isCurrent } = await loadSideFile(file.folder, file.body);
    const bytes = file.isText ? withClientOrigin(stored, base) : stored;
    const key = cacheKeyOf(file, base);
    this.#remove(key);
    this.#contents.set(key, { bytes, isCurrent });
    this.#bytes += bytes.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#bytes <= this.#limits.totalBytes) break;
      this.#remove(oldest);
    }
    return bytes;
  }

  #remove(key: string): void {
    this.#bytes -= this.#contents.get(key)?.bytes.length ?? 0;
    this.#contents.delete(key);
  }
}
