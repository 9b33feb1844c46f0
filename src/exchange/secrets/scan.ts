/** The last look at what was written: no secret may stand in any file of a recording, in any form. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Needles } from './needles.ts';
import type { Place, Pseudonyms } from './pseudonyms.ts';

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

/** Finds needles in chunks that they may straddle. */
class Search<T> {
  readonly #needles: Needles<T>;
  readonly #onHit: OnHit<T>;
  #held: Buffer = Buffer.alloc(0);
  /** Where what is held begins in the whole, and where in it the search goes on. */
  #offset = 0;
  #at = 0;

  constructor(needles: Needles<T>, onHit: OnHit<T>) {
    this.#needles = needles;
    this.#onHit = onHit;
  }

  push(chunk: Buffer): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#until(Math.max(this.#at, this.#held.length - this.#needles.longest - 1));
    // One byte before stays, for needles that mind what stands before them.
    const done = Math.max(0, this.#at - 1);
    this.#held = this.#held.subarray(done);
    this.#offset += done;
    this.#at -= done;
  }

  end(): void {
    this.#until(this.#held.length);
  }

  #until(until: number): void {
    for (;;) {
      const hit = this.#needles.find(this.#held, this.#at, until);
      if (!hit) break;
      this.#onHit(hit.value, this.#offset + hit.start);
      this.#at = hit.end;
    }
    this.#at = Math.max(this.#at, until);
  }
}

/** Everything that is sought at once. */
function searchesFor(
  pseudonyms: Pseudonyms,
  counted: readonly string[],
  onLeak: OnHit<Place>,
  onPlaceholder: OnHit<string>,
) {
  const placeholders = new Needles<string>();
  for (const placeholder of [...pseudonyms.known().map((each) => each.placeholder), ...counted])
    placeholders.add(Buffer.from(placeholder), placeholder, /^\w+$/.test(placeholder) ? 'word' : 'none');
  return [new Search(pseudonyms.needles, onLeak), new Search(placeholders, onPlaceholder)];
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
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const file = path.slice(folder.length).replace(/^[\\/]+/, '');
    const searches = (count: OnHit<string>) =>
      searchesFor(
        pseudonyms,
        counted,
        ({ secret, form }, offset) => {
          if (leaks.length < MOST_LEAKS)
            leaks.push({ file, name: secret.name, declared: secret.declared, form, offset });
        },
        count,
      );
    const name = Buffer.from(entry.name);
    const inName = pseudonyms.needles.find(name, 0, name.length);
    if (inName) {
      const { form, secret } = inName.value;
      leaks.push({ file, name: secret.name, declared: secret.declared, form, offset: -1 });
    }
    if (!entry.isFile()) continue;
    files++;
    const raw = searches((placeholder) => {
      placeholders[placeholder] = (placeholders[placeholder] ?? 0) + 1;
    });
    let zipped: boolean | undefined;
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
      zipped ??= chunk[0] === 0x1f && chunk[1] === 0x8b;
      bytes += chunk.length;
      for (const each of raw) each.push(chunk);
    }
    for (const each of raw) each.end();
    if (!zipped) continue;
    const inside = searches(() => undefined);
    await unzip(path, (chunk) => {
      for (const each of inside) each.push(chunk);
    });
    for (const each of inside) each.end();
  }
  return { leaks, files, bytes, placeholders };
}
