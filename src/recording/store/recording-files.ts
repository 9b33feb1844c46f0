/** The files of a recording, opened without leaving its folder: a recording may come from anybody. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
  type StatsBase,
} from 'node:fs';
import { join } from 'node:path';
import { RecordingError } from '../format/schema.ts';

/** Where a recording came from. */
export const PROVENANCE = 'provenance.json';
/** The file of a lane, in a folder of its own. */
export const HAR = 'recording.har';

/** Neither follows a link nor waits at a pipe; Windows has no such flags. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What something is that is neither a regular file nor a folder. */
export const whatItIs = (stat: StatsBase<number> | Stats): string =>
  stat.isSymbolicLink() ? 'a symbolic link' : stat.isDirectory() ? 'a folder' : 'no regular file';

const refused = (path: string, what: string): RecordingError =>
  new RecordingError(
    `${path} is ${what}, and a recording holds regular files only: remove it, then restore what belongs there, or record anew`,
  );

/**
 * The state of a file; undefined: there is none. Throws RecordingError where it, or a folder on the way to it, is a link
 * or anything else that is no regular file.
 * @param folder of the recording; may itself be reached through links
 * @param file relative to it, e.g. `bodies/sha256-…`
 */
export function statWithin(folder: string, file: string): Stats | undefined {
  const parts = file.split('/');
  let path = folder;
  for (const [at, part] of parts.entries()) {
    if (part === '' || part === '.' || part === '..') throw new RecordingError(`${file} is no name within a recording`);
    path = join(path, part);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    const isLast = at === parts.length - 1;
    if (isLast ? !stat.isFile() : !stat.isDirectory()) throw refused(path, whatItIs(stat));
    if (isLast) return stat;
  }
  return undefined;
}

/**
 * Opens a file for reading; whoever calls closes it. Throws RecordingError like `statWithin`, and an error with the code
 * `ENOENT` where there is none.
 */
export function openWithin(folder: string, file: string): number {
  const path = join(folder, file);
  const found = statWithin(folder, file);
  if (!found) throw Object.assign(new Error(`${path} is missing`), { code: 'ENOENT' });
  let fd: number;
  try {
    fd = openSync(path, READ);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw refused(path, 'a symbolic link');
    throw error;
  }
  // Something else may have been put there in between.
  const opened = fstatSync(fd);
  if (opened.isFile() && opened.dev === found.dev && opened.ino === found.ino) return fd;
  closeSync(fd);
  throw refused(path, 'being replaced');
}

/** Reads a file whole. Throws like `openWithin`. */
export function readWithin(folder: string, file: string): Buffer {
  const fd = openWithin(folder, file);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The files of all lanes, relative to the folder, in the order of their names. Throws like `statWithin`. */
export const laneFilesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => `${name}/${HAR}`)
    .filter((file) => statWithin(folder, file) !== undefined)
    .sort();

/**
 * Refuses a folder that is about to be written to and holds anything but regular files and folders: what is written or
 * removed must stay within it. Throws RecordingError.
 */
export function refuseLinks(folder: string): void {
  for (const each of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, each.name);
    if (each.isDirectory()) refuseLinks(path);
    else if (!each.isFile()) throw refused(path, each.isSymbolicLink() ? 'a symbolic link' : 'no regular file');
  }
}
