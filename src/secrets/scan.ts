/** The last look at what was written: no secret may stand in any file of a recording, in any form. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type MatchPlace, withoutOverlaps } from './match.ts';
import { MultiSearch } from './multi-search.ts';
import type { KnownSecret, Pseudonyms } from './pseudonyms.ts';
import { allMatches, lookBackFrom, matchesInJson, reachOf } from './search.ts';

/** Something secret that stands in what was written; told without saying it. */
export interface Leak {
  /** The file, relative to the folder. */
  readonly file: string;
  /** Of the secret. */
  readonly name: string;
  /** Whether it was known to be one from the beginning. */
  readonly declared: boolean;
  /** E.g. `raw`, `base64`, `sha256`. */
  readonly form: string;
  /** In bytes from the beginning of the file, or of what it holds in compressed form; -1: in its name. */
  readonly offset: number;
}

export interface Scan {
  readonly leaks: readonly Leak[];
  readonly files: number;
  readonly bytes: number;
  /** How often each placeholder of these secrets stands there. */
  readonly placeholders: Readonly<Record<string, number>>;
}

/** More leaks tell nothing more. */
const MOST_LEAKS = 100;
const CHUNK = 1024 * 1024;

type OnHit<T> = (value: T, offset: number) => void;

interface Found<T> {
  readonly start: number;
  readonly end: number;
  readonly value: T;
}

/** What is sought in bytes, in order. */
interface Sought<T> {
  readonly find: (bytes: Buffer) => readonly Found<T>[];
  /** How many bytes what is found takes at most. */
  readonly reach: number;
  readonly onHit: OnHit<T>;
}

/** Finds in chunks what may straddle them. */
class Search<T> {
  readonly #sought: Sought<T>;
  #held: Buffer = Buffer.alloc(0);
  /** Where what is held begins in the whole, and where in it the search goes on. */
  #offset = 0;
  #at = 0;

  constructor(sought: Sought<T>) {
    this.#sought = sought;
  }

  push(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const until = this.#held.length - this.#sought.reach;
    if (until <= this.#at) return;
    this.#until(until);
    // Some bytes before stay, for what minds what stands before it.
    const done = lookBackFrom(this.#held, this.#at);
    this.#held = this.#held.subarray(done);
    this.#offset += done;
    this.#at -= done;
  }

  end(): void {
    this.#until(this.#held.length);
  }

  #until(until: number): void {
    for (const { start, end, value } of this.#sought.find(this.#held)) {
      if (start < this.#at || start >= until) continue;
      this.#sought.onHit(value, this.#offset + start);
      this.#at = end;
    }
    this.#at = Math.max(this.#at, until);
  }
}

/** Secrets in every form and encoding. @param isJson whether it is a file of JSON, which encodes the bodies it holds */
const secretsIn = (pseudonyms: Pseudonyms, isJson: boolean, onHit: OnHit<MatchPlace<KnownSecret>>) => ({
  find: (bytes: Buffer) => {
    const { needles } = pseudonyms;
    const matches = [...allMatches(bytes, needles), ...(isJson ? matchesInJson(bytes, needles) : [])];
    return withoutOverlaps(matches).map((value) => ({ ...value, value }));
  },
  reach: reachOf(pseudonyms.needles),
  onHit,
});

function placeholdersIn(placeholders: readonly string[], onHit: OnHit<string>): Sought<string> {
  const needles = new MultiSearch<string>();
  for (const each of placeholders) needles.add(Buffer.from(each), each, /^\w+$/.test(each) ? 'word' : 'none');
  return { find: (bytes) => [...needles.all(bytes)], reach: needles.longest + 1, onHit };
}

/** What a gzip file holds; a broken one as far as it can be read. */
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
 * Looks for secrets in every file of a folder, in its raw bytes and in what gzip files hold, and in the names of files.
 * Files may be of any size. Rejects where a file cannot be read, for an unread file is no clean one.
 * @param counted placeholders of former recordings that are counted besides
 * @example (await scanForLeaks('recordings/acme', protection.pseudonyms)).leaks // []
 */
export async function scanForLeaks(
  folder: string,
  pseudonyms: Pseudonyms,
  counted: readonly string[] = [],
): Promise<Scan> {
  const leaks: Leak[] = [];
  const placeholders: Record<string, number> = {};
  const sought = [...pseudonyms.known().map((each) => each.placeholder), ...counted];
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = path.slice(folder.length).replace(/^[\\/]+/, '');
    const onLeak: OnHit<MatchPlace<KnownSecret>> = ({ secret, form }, offset) => {
      if (leaks.length < MOST_LEAKS) leaks.push({ file, name: secret.name, declared: secret.declared, form, offset });
    };
    const [inName] = allMatches(Buffer.from(entry.name), pseudonyms.needles);
    if (inName) onLeak(inName, -1);
    if (!entry.isFile()) continue;
    files++;
    const secrets = secretsIn(pseudonyms, /\.(?:har|json)$/.test(entry.name), onLeak);
    const raw = [
      new Search(secrets),
      new Search(
        placeholdersIn(sought, (placeholder) => {
          placeholders[placeholder] = (placeholders[placeholder] ?? 0) + 1;
        }),
      ),
    ];
    let zipped: boolean | undefined;
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
      zipped ??= chunk[0] === 0x1f && chunk[1] === 0x8b;
      bytes += chunk.length;
      for (const each of raw) each.push(chunk);
    }
    for (const each of raw) each.end();
    if (!zipped) continue;
    const inside = new Search(secrets);
    await unzip(path, (chunk) => inside.push(chunk));
    inside.end();
  }
  return { leaks, files, bytes, placeholders };
}
