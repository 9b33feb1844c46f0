/** One recorder a folder: a lock file with the recorder’s process, taken over when that process is gone. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PARTIAL_SUFFIX } from '../format/recorded-exchange.ts';
import { RecordingError } from '../format/schema.ts';

/** The file of the lock in its folder. */
export const LOCK = '.lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, in the kernel’s own clock: a process id alone may have been given to another by now. */
  readonly began?: string;
}

/** Field 22 of a process’ status line; the name before it may hold anything, brackets too. Linux only. */
function beganOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host, began }: Holder): boolean {
  // Of a process on another machine nothing can be known.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return began === undefined || beganOf(pid) === began;
}

/** An unreadable lock may be one that is being written; after so long its writer is gone. */
const WRITTEN_WITHIN_MS = 2000;
const PAUSE_MS = 50;

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function holderIn(text: string): Holder | undefined {
  try {
    const { pid, host, began } = JSON.parse(text);
    return Number.isSafeInteger(pid) && typeof host === 'string' ? { pid, host, began } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the holder of a lock is gone for certain. */
async function isStale(path: string, text: string): Promise<boolean> {
  const holder = holderIn(text);
  if (holder) return !isAlive(holder);
  const written = (await stat(path).catch(() => undefined))?.mtimeMs;
  return written === undefined || Math.abs(Date.now() - written) > WRITTEN_WITHIN_MS;
}

/** Makes the lock whole or not at all, so that nobody reads half of it; false: there is one. */
async function make(path: string, text: string): Promise<boolean> {
  const beside = `${path}.${process.pid}.${++made}${PARTIAL_SUFFIX}`;
  try {
    await writeFile(beside, text, { flag: 'wx' });
    try {
      await link(beside, path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      // Some file systems know no links.
      await writeFile(path, text, { flag: 'wx' });
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}
let made = 0;

export interface Lock {
  /** Whether a recorder died that held it before: what it left lies about. */
  readonly tookOver: boolean;
  /** Whether the folder is still there and still ours: somebody may have removed it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Takes the lock of a folder. Throws RecordingError while another recorder lives, or may live on another machine.
 * @param folder must exist and be writable
 */
export async function lockFolder(folder: string): Promise<Lock> {
  const path = join(folder, LOCK);
  const began = beganOf(process.pid);
  // Told apart from any other lock of this process, too.
  const text = JSON.stringify({ pid: process.pid, host: hostname(), ...(began && { began }), id: randomUUID() });
  const isHeld = async (): Promise<boolean> => (await read(path).catch(() => undefined)) === text;
  let tookOver = false;
  const until = Date.now() + 2 * WRITTEN_WITHIN_MS;
  for (;;) {
    if (await make(path, text))
      return { tookOver, isHeld, release: async () => void ((await isHeld()) && (await rm(path, { force: true }))) };
    const found = await read(path);
    if (found === undefined) continue;
    const holder = holderIn(found);
    if (await isStale(path, found)) {
      // Moved away first: of two that find it stale only one can move it, and neither removes the other’s fresh lock.
      const aside = `${path}.${process.pid}.${++made}${PARTIAL_SUFFIX}`;
      await rename(path, aside).catch(() => undefined);
      // It may have been taken over and made anew in between: then it is put back.
      const moved = await read(aside);
      if (moved !== undefined && moved !== found) await link(aside, path).catch(() => undefined);
      await rm(aside, { force: true });
      tookOver = true;
    } else if (holder || Date.now() > until) {
      const by = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
      throw new RecordingError(
        `${folder} is being recorded by ${by}: end that one first, or choose another name (or remove ${path} if that process is gone)`,
      );
    } else await pause(PAUSE_MS);
  }
}
