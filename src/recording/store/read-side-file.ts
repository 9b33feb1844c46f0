/** Reads side files. The content of a side file is verified by the hash in its name. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, lstatSync, read as readFd, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BODIES, type StoredBody } from '../format/recorded-exchange.ts';
import { RecordingError } from '../format/schema.ts';
import { openWithin } from './recording-files.ts';

/** A reference to a side file. */
export type SideFile = Extract<StoredBody, { readonly file: string }>;

/** A side file that is missing or changed; the message is one sentence. */
export class SideFileError extends RecordingError {}

const CHUNK = 1024 * 1024;
/** A long file is sent in chunks of this size. */
const STREAMED_CHUNK = 256 * 1024;
const MAX_VERIFIED = 100_000;

/** Files whose content matched their name, by device, inode, size and times. */
const verified = new Set<string>();

const stateOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats, name: string): string =>
  `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs} ${name}`;

const nameOf = ({ file }: SideFile): string => file.slice(BODIES.length + 1);

const changedError = (folder: string, { file }: SideFile): SideFileError =>
  new SideFileError(
    `${join(folder, file)} holds something else than was recorded: restore it, or record again (mdwi recordings verify shows details)`,
  );

function openFile(folder: string, body: SideFile): number {
  try {
    return openWithin(folder, body.file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof RecordingError) throw new SideFileError(message);
    const problem = code === 'ENOENT' ? 'is missing' : `cannot be read (${code ?? message})`;
    throw new SideFileError(`${join(folder, body.file)} ${problem}: restore it, or record again`);
  }
}

function markVerified(state: string): void {
  if (verified.size >= MAX_VERIFIED) verified.clear();
  verified.add(state);
}

const readInto = promisify(readFd);

/** The SHA-256 of an open file, as hex; read with one buffer, since files may be long. */
export async function hashOfFile(fd: number): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK);
  for (let at = 0; ; ) {
    const { bytesRead } = await readInto(fd, chunk, 0, CHUNK, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}

/** Verifies an open side file, once per state of the file, in chunks; returns its state. Throws SideFileError. */
async function verify(fd: number, folder: string, body: SideFile): Promise<string> {
  const name = nameOf(body);
  const stats = fstatSync(fd);
  const state = stateOf(stats, name);
  if (verified.has(state)) return state;
  const isUnchanged = stats.size === body.bytes && `sha256-${await hashOfFile(fd)}` === name;
  if (!isUnchanged || stateOf(fstatSync(fd), name) !== state) throw changedError(folder, body);
  markVerified(state);
  return state;
}

/**
 * Opens a side file and verifies its content before anything is read from it. The caller closes it. Throws SideFileError.
 * @param folder of the recording
 */
export async function openSideFile(folder: string, body: SideFile): Promise<number> {
  const fd = openFile(folder, body);
  try {
    await verify(fd, folder, body);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The verified content of a side file. */
export interface SideFileContent {
  readonly bytes: Buffer;
  /** Whether the file is still the one that was read, and unchanged. One call of the file system. */
  isCurrent(): boolean;
}

/** Reads and verifies a side file. Throws SideFileError. */
export async function loadSideFile(folder: string, body: SideFile): Promise<SideFileContent> {
  const name = nameOf(body);
  const path = join(folder, body.file);
  const fd = openFile(folder, body);
  try {
    const state = await verify(fd, folder, body);
    const bytes = readFileSync(fd);
    if (stateOf(fstatSync(fd), name) !== state) throw changedError(folder, body);
    return {
      bytes,
      isCurrent: () => {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        return stats !== undefined && stateOf(stats, name) === state;
      },
    };
  } finally {
    closeSync(fd);
  }
}

/** The bytes of an open side file; closes it. @param range the first and the last byte */
export const streamOf = (fd: number, range: { readonly start?: number; readonly end?: number } = {}) =>
  createReadStream('', { fd, start: 0, highWaterMark: STREAMED_CHUNK, ...range });

/** The verified bytes of a side file, in chunks. Throws SideFileError before the first. */
export async function* sideFileChunks(
  folder: string,
  body: SideFile,
  range?: { readonly start?: number; readonly end?: number },
): AsyncGenerator<Buffer> {
  yield* streamOf(await openSideFile(folder, body), range) as AsyncIterable<Buffer>;
}

/** The verified content of a short side file. Throws SideFileError. */
export function readSideFile(folder: string, body: SideFile): Buffer {
  const fd = openFile(folder, body);
  try {
    const bytes = readFileSync(fd);
    const isUnchanged = `sha256-${createHash('sha256').update(bytes).digest('hex')}` === nameOf(body);
    if (!isUnchanged || bytes.length !== body.bytes) throw changedError(folder, body);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a stored body; undefined if its file is longer than a limit. Throws SideFileError. */
export function storedBytes(folder: string, body: StoredBody, limit = Number.POSITIVE_INFINITY): Buffer | undefined {
  if ('text' in body) return Buffer.from(body.text);
  return body.bytes > limit ? undefined : readSideFile(folder, body);
}

/** Verifies the side files of these bodies. Throws SideFileError for the first that is missing or changed. */
export async function verifySideFiles(folder: string, bodies: Iterable<StoredBody | undefined>): Promise<void> {
  const seen = new Set<string>();
  for (const body of bodies) {
    if (!body || !('file' in body) || seen.has(body.file)) continue;
    seen.add(body.file);
    closeSync(await openSideFile(folder, body));
  }
}
