/** Scans the written files: no file of a recording may contain a secret in any form. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import type { KnownSecret, PlaceholderRegistry } from './placeholder-registry.ts';
import { allMatches, contextStart, matchesInJson, maxEncodedLength } from './search.ts';
import { secondSearch } from './second-search.ts';

/** A secret in a written file, described without its value. */
export interface Leak {
  /** The file, relative to the folder. */
  readonly file: string;
  /** The name of the secret. */
  readonly name: string;
  /** Whether it was known from the beginning. */
  readonly declared: boolean;
  /** E.g. `raw`, `base64`, `sha256`. */
  readonly form: string;
  /** In bytes from the beginning of the file, or of its decompressed content; -1: in its name. */
  readonly offset: number;
}

export interface Scan {
  readonly leaks: readonly Leak[];
  readonly files: number;
  readonly bytes: number;
  /** How often each placeholder of these secrets occurs. */
  readonly placeholders: Readonly<Record<string, number>>;
}

/** Further leaks are not reported. */
const MAX_LEAKS = 100;
const CHUNK = 1024 * 1024;

type OnHit<T> = (value: T, offset: number) => void;

interface FoundMatch<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

/** A search in bytes, in order. */
interface SearchTarget<T> {
  /** @param from where the search continues */
  readonly find: (bytes: Buffer, from: number) => readonly FoundMatch<T>[];
  /** The maximum length of a match, in bytes. */
  readonly maxMatchLength: number;
  readonly onHit: OnHit<T>;
}

/** Searches chunks, also across their boundaries. */
class ChunkSearch<T> {
  readonly #target: SearchTarget<T>;
  #buffered: Buffer = Buffer.alloc(0);
  /** The position of the buffer in the file, and the position in the buffer where the search continues. */
  #offset = 0;
  #at = 0;

  constructor(target: SearchTarget<T>) {
    this.#target = target;
  }

  push(chunk: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const until = this.#buffered.length - this.#target.maxMatchLength;
    if (until <= this.#at) return;
    this.#searchUntil(until);
    // Some bytes stay as context of later matches.
    const done = contextStart(this.#buffered, this.#at);
    this.#buffered = this.#buffered.subarray(done);
    this.#offset += done;
    this.#at -= done;
  }

  end(): void {
    this.#searchUntil(this.#buffered.length);
  }

  #searchUntil(until: number): void {
    for (const { start, end, value } of this.#target.find(this.#buffered, this.#at)) {
      if (start < this.#at || start >= until) continue;
      this.#target.onHit(value, this.#offset + start);
      this.#at = end;
    }
    this.#at = Math.max(this.#at, until);
  }
}

/** Secrets in every form and encoding. @param isJson whether the file is JSON, which encodes its bodies */
function secretsIn(bytes: Buffer, { needles }: PlaceholderRegistry, isJson: boolean) {
  const matches = [...allMatches(bytes, needles), ...(isJson ? matchesInJson(bytes, needles) : [])];
  return withoutOverlaps(matches).map((value) => ({ ...value, value }));
}

function placeholdersIn(placeholders: readonly string[], onHit: OnHit<string>): SearchTarget<string> {
  const needles = new MultiSearch<string>();
  for (const each of placeholders) needles.add(Buffer.from(each), each, /^\w+$/.test(each) ? 'word' : 'none');
  return { find: (bytes) => [...needles.all(bytes)], maxMatchLength: needles.longest + 1, onHit };
}

/** Decompresses a gzip file; a damaged one up to its damage. */
async function unzip(path: string, push: (chunk: Buffer) => void): Promise<void> {
  const sink = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      push(chunk);
      done();
    },
  });
  try {
    await pipeline(createReadStream(path, { highWaterMark: CHUNK }), createGunzip(), sink);
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
  }
}

/**
 * Searches every file of a folder for secrets: its raw bytes, the content of gzip files, and the names of files. Files may
 * have any size. Rejects where a file cannot be read, because an unread file may contain a secret.
 * @param formerPlaceholders placeholders of earlier recordings that are counted, too
 * @example (await scanForLeaks('recordings/acme', protection.registry)).leaks // []
 */
export async function scanForLeaks(
  folder: string,
  registry: PlaceholderRegistry,
  formerPlaceholders: readonly string[] = [],
): Promise<Scan> {
  const leaks: Leak[] = [];
  const placeholders: Record<string, number> = {};
  const placeholdersToCount = [...registry.known().map((each) => each.placeholder), ...formerPlaceholders];
  const declared = registry.known().filter((each) => each.declared && each.searchScope === 'everywhere');
  const searchAgain = secondSearch(declared);
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = path.slice(folder.length).replace(/^[\\/]+/, '');
    const onLeak = (secret: KnownSecret, form: string, offset: number): void => {
      if (leaks.length < MAX_LEAKS) leaks.push({ file, name: secret.name, declared: secret.declared, form, offset });
    };
    const [inName] = allMatches(Buffer.from(entry.name), registry.needles);
    if (inName) onLeak(inName.secret, inName.form, -1);
    if (!entry.isFile()) continue;
    files++;
    const isJson = /\.(?:har|json)$/.test(entry.name);
    /** What the second search found, and about where. */
    const foundAgain = new Map<KnownSecret, number>();
    const maxMatchLength = maxEncodedLength(registry.needles);
    const secretSearches = () => [
      new ChunkSearch({
        find: (all) => secretsIn(all, registry, isJson),
        maxMatchLength,
        onHit: ({ secret, form }, offset) => onLeak(secret, form, offset),
      }),
      new ChunkSearch({
        find: (all, start) => searchAgain(all, { isJson }).map((value) => ({ start, end: start, value })),
        maxMatchLength,
        onHit: (secret, offset) => foundAgain.set(secret, foundAgain.get(secret) ?? offset),
      }),
    ];
    const searches = [
      ...secretSearches(),
      new ChunkSearch(
        placeholdersIn(placeholdersToCount, (placeholder) => {
          placeholders[placeholder] = (placeholders[placeholder] ?? 0) + 1;
        }),
      ),
    ];
    let isGzip: boolean | undefined;
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
      isGzip ??= chunk[0] === 0x1f && chunk[1] === 0x8b;
      bytes += chunk.length;
      for (const each of searches) each.push(chunk);
    }
    for (const each of searches) each.end();
    if (isGzip) {
      const unzippedSearches = secretSearches();
      await unzip(path, (chunk) => {
        for (const each of unzippedSearches) each.push(chunk);
      });
      for (const each of unzippedSearches) each.end();
    }
    for (const [secret, offset] of foundAgain)
      if (!leaks.some((each) => each.file === file && each.name === secret.name)) onLeak(secret, 'encoded', offset);
  }
  return { leaks, files, bytes, placeholders };
}
