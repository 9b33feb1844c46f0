/** Opens the files of a recording without leaving its folder: a recording may come from an untrusted third party. */

import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  type StatsBase,
} from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { BODIES } from '../format/recorded-exchange.ts';
import { type Har, type HarEntry, parseLane, RecordingError } from '../format/schema.ts';

/** The file that states how a recording was made. */
export const PROVENANCE = 'provenance.json';
/** The file of a lane, in the lane’s folder. */
export const HAR = 'recording.har';

/** Does not follow a symbolic link or block on a pipe; Windows has no such flags. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The type of a path that is not a regular file, for messages. */
export const fileTypeOf = (stat: StatsBase<number> | Stats): string =>
  stat.isSymbolicLink() ? 'a symbolic link' : stat.isDirectory() ? 'a folder' : 'not a regular file';

const notRegularFile = (path: string, fileType: string): RecordingError =>
  new RecordingError(
    `${path} is ${fileType}, and a recording holds regular files only: remove it, then restore the original file, or record again`,
  );

/**
 * The stats of a file; undefined if it is missing. Throws RecordingError if it, or a folder in its path, is a symbolic link
 * or not a regular file.
 * @param folder of the recording; may itself be reached through links
 * @param file relative to it, e.g. `bodies/sha256-…`
 */
export function statWithin(folder: string, file: string): Stats | undefined {
  const parts = file.split('/');
  let path = folder;
  for (const [at, part] of parts.entries()) {
    if (part === '' || part === '.' || part === '..')
      throw new RecordingError(`${file} is not a valid file name in a recording`);
    path = join(path, part);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    const isLast = at === parts.length - 1;
    if (isLast ? !stat.isFile() : !stat.isDirectory()) throw notRegularFile(path, fileTypeOf(stat));
    if (isLast) return stat;
  }
  return undefined;
}

/**
 * Opens a file for reading; the caller closes it. Throws RecordingError like `statWithin`, and an error with the code
 * `ENOENT` if the file is missing.
 */
export function openWithin(folder: string, file: string): number {
  const path = join(folder, file);
  const found = statWithin(folder, file);
  if (!found) throw Object.assign(new Error(`${path} is missing`), { code: 'ENOENT' });
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw notRegularFile(path, 'a symbolic link');
    throw error;
  }
  // The file may have been replaced in between.
  const opened = fstatSync(fd);
  if (opened.isFile() && opened.dev === found.dev && opened.ino === found.ino) return fd;
  closeSync(fd);
  throw notRegularFile(path, 'being replaced');
}

/** Reads the whole file. Throws like `openWithin`. */
export function readWithin(folder: string, file: string): Buffer {
  const fd = openWithin(folder, file);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

const CHUNK = 1024 * 1024;

/**
 * Reads a lane, one entry after the other. Throws RecordingError, and like `openWithin`.
 * @param file relative to the folder, as `laneFilesIn` returns it
 * @returns the log of the file without its entries
 */
export function readLane(
  folder: string,
  file: string,
  onEntry: (entry: HarEntry) => void,
  name = join(folder, file),
): Har['log'] {
  const fd = openWithin(folder, file);
  function* chunks(): Generator<Uint8Array> {
    const buffer = Buffer.alloc(CHUNK);
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) yield buffer.subarray(0, read);
  }
  try {
    return parseLane(chunks(), name, onEntry);
  } finally {
    closeSync(fd);
  }
}

/** Reads a lane with its entries. Throws like `readLane`. */
export function readWholeLane(folder: string, file: string, name?: string): Har {
  const entries: HarEntry[] = [];
  const log = readLane(folder, file, (entry) => entries.push(entry), name);
  return { log: { ...log, entries } };
}

/** The files of all lanes, relative to the folder, sorted by name. Throws like `statWithin`. */
export const laneFilesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => `${name}/${HAR}`)
    .filter((file) => statWithin(folder, file) !== undefined)
    .sort();

/**
 * Refuses to write to a folder that holds anything but regular files and folders, because writes and removals must stay in
 * the folder. Throws RecordingError.
 */
export function refuseLinks(folder: string): void {
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, each.name);
    if (each.isDirectory()) refuseLinks(path);
    else if (!each.isFile())
      throw notRegularFile(path, each.isSymbolicLink() ? 'a symbolic link' : 'not a regular file');
  }
}

/** Creates a folder and its parents. Node’s recursive mkdir never returns where the system responds ENOENT, as in /proc. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** Creates a folder in a recording; does not follow a symbolic link. */
export async function makeFolderWithin(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
  }
}

/**
 * The digest of the lanes and of the names of the side files, which are their hashes. It leaves out the provenance, which
 * stores the digest, and carriage returns, which git may change and which no JSON string contains.
 * @param folder of the recording
 */
export async function contentDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const each of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!each.isDirectory() || each.name.startsWith('.')) continue;
    const files = await readdir(join(folder, each.name), { withFileTypes: true });
    for (const entry of files.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      // A file that a killed recorder left is not part of the recording.
      if (name.endsWith(PARTIAL_SUFFIX)) continue;
      hash.update(`${each.name}/${name}\n`);
      if (each.name === BODIES || !entry.isFile()) continue;
      for await (const chunk of createReadStream(join(folder, each.name, name)) as AsyncIterable<Buffer>)
        hash.update(chunk.includes(CR) ? Buffer.from(chunk.toString('latin1').replaceAll('\r', ''), 'latin1') : chunk);
    }
  }
  return `sha256-${hash.digest('hex')}`;
}

const CR = '\r';
