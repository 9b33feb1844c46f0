/** Scans the written files: no file of a recording may contain a secret in any form. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
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

/** A part of a file that is searched together. */
interface SearchWindow {
  readonly bytes: Buffer;
  /** The position of the bytes in the file. */
  readonly offset: number;
  /** The matches that begin from here on and before `until` belong to this window; the bytes around are context. */
  readonly from: number;
  readonly until: number;
}

/** The windows of a file. @param overlap the maximum length of a match, in bytes */
async function* windowsOf(chunks: AsyncIterable<Buffer>, overlap: number): AsyncGenerator<SearchWindow> {
  let bytes: Buffer = Buffer.alloc(0);
  let [offset, from] = [0, 0];
  for await (const chunk of chunks) {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const until = bytes.length - overlap;
    if (until <= from) continue;
    yield { bytes, offset, from, until };
    const done = contextStart(bytes, until);
    bytes = bytes.subarray(done);
    offset += done;
    from = until - done;
  }
  yield { bytes, offset, from, until: bytes.length };
}

/** Secrets in every form and encoding. @param isJson whether the file is JSON, which encodes its bodies */
const secretsIn = (bytes: Buffer, { needles }: PlaceholderRegistry, isJson: boolean) =>
  withoutOverlaps([...allMatches(bytes, needles), ...(isJson ? matchesInJson(bytes, needles) : [])]);

/** The content of a gzip file; of a damaged one, the content up to its damage. */
async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const content = createGunzip();
  pipeline(createReadStream(path, { highWaterMark: CHUNK }), content, () => undefined);
  try {
    yield* content as AsyncIterable<Buffer>;
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
  const placeholderSearch = new MultiSearch<string>();
  for (const each of [...registry.known().map(({ placeholder }) => placeholder), ...formerPlaceholders])
    placeholderSearch.add(Buffer.from(each), each, /^\w+$/.test(each) ? 'word' : 'none');
  const declared = registry.known().filter((each) => each.declared && each.searchScope === 'everywhere');
  const searchAgain = secondSearch(declared);
  const overlap = Math.max(maxEncodedLength(registry.needles), placeholderSearch.longest + 1);
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
    const searchSecrets = (window: SearchWindow, end: number): number => {
      const { offset, from, until } = window;
      let last = end;
      for (const each of secretsIn(window.bytes, registry, isJson)) {
        if (each.start < from || each.start >= until || offset + each.start < last) continue;
        onLeak(each.secret, each.form, offset + each.start);
        last = offset + each.end;
      }
      for (const secret of searchAgain(window.bytes, { isJson }))
        foundAgain.set(secret, foundAgain.get(secret) ?? offset + from);
      return last;
    };
    let [isGzip, end] = [false, 0];
    for await (const window of windowsOf(createReadStream(path, { highWaterMark: CHUNK }), overlap)) {
      if (window.offset === 0) isGzip = window.bytes[0] === 0x1f && window.bytes[1] === 0x8b;
      bytes += window.until - window.from;
      end = searchSecrets(window, end);
      for (const { start, value } of placeholderSearch.all(window.bytes))
        if (start >= window.from && start < window.until) placeholders[value] = (placeholders[value] ?? 0) + 1;
    }
    end = 0;
    if (isGzip) for await (const window of windowsOf(unzipped(path), overlap)) end = searchSecrets(window, end);
    for (const [secret, offset] of foundAgain)
      if (!leaks.some((each) => each.file === file && each.name === secret.name)) onLeak(secret, 'encoded', offset);
  }
  return { leaks, files, bytes, placeholders };
}
