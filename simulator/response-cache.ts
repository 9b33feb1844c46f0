/** Keeps the responses of lists, which are the same for a data week, so that their rows are serialised once. */
import { chunksOf } from './behaviors/deliver-body.ts';
import type { Chunk, DialectResponse } from './dialects/types.ts';
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

const encoder = new TextEncoder();
const sizeOf = (chunk: Chunk): number => (typeof chunk === 'string' ? chunk.length : chunk.byteLength);

function join(chunks: readonly Chunk[]): Uint8Array {
  const parts = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** A cache of one simulation, bounded in bytes; the entries that were not used for longest are dropped. */
export class ResponseCache {
  readonly #entries = new Map<string, CachedResponse & { readonly size: number }>();
  #bytes = 0;

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
      const bytes = join(read);
      // A body that was sent in chunks is sent in one chunk: a response shows nothing of the cache.
      const body = isStreamed ? [bytes] : bytes;
      this.#keep(key, { ...cached, response: { ...response, body } }, bytes.byteLength);
    };
    function* read(): Generator<Chunk> {
      let kept: Chunk[] | undefined = [];
      let size = 0;
      for (const chunk of chunks as Iterable<Chunk>) {
        size += sizeOf(chunk);
        if (size > MAX_BODY) kept = undefined;
        kept?.push(chunk);
        yield chunk;
      }
      if (kept && isCurrent()) keep(kept);
    }
    if (isStreamed) return { ...response, body: { [Symbol.iterator]: read } };
    keep(chunks as readonly Chunk[]);
    return response;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #keep(key: string, cached: CachedResponse, bytes: number): void {
    const size = key.length + bytes;
    if (size > MAX_BODY || this.#entries.has(key)) return;
    this.#entries.set(key, { ...cached, size });
    this.#bytes += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= MAX_TOTAL && this.#entries.size <= MAX_ENTRIES) return;
      this.#entries.delete(oldest);
      this.#bytes -= entry.size;
    }
  }
}
